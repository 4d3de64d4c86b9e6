#include "facts/tool_targets.h"

#include <charconv>
#include <system_error>

#include "facts/rows.h"

namespace xtrace {

namespace {

constexpr std::string_view kWordsBegin = "[text:", kWordsEnd = "]";

}  // namespace

std::string words_given(uint32_t characters) {
  return std::string(kWordsBegin) + std::to_string(characters) + std::string(kWordsEnd);
}

uint32_t words_given_in(std::string_view shown) {
  if (!shown.starts_with(kWordsBegin) || !shown.ends_with(kWordsEnd)) return 0;
  const std::string_view digits =
      shown.substr(kWordsBegin.size(), shown.size() - kWordsBegin.size() - kWordsEnd.size());
  uint32_t characters = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), characters);
  return error == std::errc() && end == digits.data() + digits.size() ? characters : 0;
}

std::vector<StringId> targets_of(const Trace& trace, const ToolUse& use) {
  std::vector<StringId> targets;
  if (!use.target) return targets;
  targets.push_back(use.target);
  if (trace.tool_targets.empty()) return targets;
  const auto nth = &use - rows_of(trace.tool_uses, use.message).data();
  for (const ToolTarget& target :
       rows_of_use(trace.tool_targets, use.message, static_cast<size_t>(nth)))
    targets.push_back(target.name);
  return targets;
}

}  // namespace xtrace
