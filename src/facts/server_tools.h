#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace xtrace {

/// Tools that a vendor runs while a model answers, each use of which may cost a fee.
enum class ServerTool : uint8_t {
  none,
  web_search,
  web_fetch,
  x_search,  ///< xAI's, of posts
  maps,
  file_search,
  code_execution,
  image_generation,
};
inline constexpr std::string_view kServerToolWords[] = {
    "",     "web_search",  "web_fetch",      "x_search",
    "maps", "file_search", "code_execution", "image_generation"};
inline constexpr size_t kServerTools = std::size(kServerToolWords) - 1;
constexpr std::string_view word(ServerTool tool) {
  return kServerToolWords[static_cast<size_t>(tool)];
}

/// How often a call used each of them; -1: the log does not count them.
struct ServerToolUses {
  std::array<int32_t, kServerTools> counts;

  constexpr ServerToolUses() { counts.fill(-1); }
  int32_t& operator[](ServerTool tool) { return counts[static_cast<size_t>(tool) - 1]; }
  int32_t operator[](ServerTool tool) const { return counts[static_cast<size_t>(tool) - 1]; }

  bool any() const {
    return std::any_of(counts.begin(), counts.end(), [](int32_t count) { return count > 0; });
  }
  /// Sums of what either counts.
  void add(const ServerToolUses& other) {
    for (size_t i = 0; i < counts.size(); ++i) {
      if (other.counts[i] < 0) continue;
      const int64_t sum = int64_t{std::max(counts[i], 0)} + other.counts[i];
      counts[i] = static_cast<int32_t>(std::min<int64_t>(sum, INT32_MAX));
    }
  }
  /// What is not counted here, as somebody else counted it.
  void fill_in(const ServerToolUses& other) {
    for (size_t i = 0; i < counts.size(); ++i)
      if (counts[i] < 0) counts[i] = other.counts[i];
  }
  bool operator==(const ServerToolUses&) const = default;
};

/// Calls `each(tool, count)` for those that were used.
template <class Each>
void for_each_use(const ServerToolUses& uses, Each each) {
  for (size_t i = 1; i <= kServerTools; ++i)
    if (const auto tool = static_cast<ServerTool>(i); uses[tool] > 0) each(tool, uses[tool]);
}

}  // namespace xtrace
