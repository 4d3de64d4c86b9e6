#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace xtrace {

/// What `make` says of each number below `n`, one behind the other.
template <class Make>
std::string lines(size_t n, Make make) {
  std::string all;
  for (size_t i = 0; i < n; ++i) all += make(i);
  return all;
}
/// The same with commas between.
template <class Make>
std::string listed(size_t n, Make make) {
  return lines(n, [&](size_t i) { return (i == 0 ? "" : ",") + make(i); });
}

inline std::string nth(std::string_view word, size_t i) {
  return fmt::format("{}-{}", word, i);
}

// Blocks of messages, as Anthropic has them.
inline std::string text(std::string_view words) {
  return fmt::format(R"({{"type":"text","text":"{}"}})", words);
}
inline std::string use(std::string_view id, std::string_view tool, std::string_view input = "{}") {
  return fmt::format(R"({{"type":"tool_use","id":"{}","name":"{}","input":{}}})", id, tool, input);
}

}  // namespace xtrace
