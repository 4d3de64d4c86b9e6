#include "prices/fees.h"

#include <algorithm>
#include <vector>

#include "prices/day.h"
#include "prices/surcharges.h"

namespace xtrace {

namespace {

using Tool = ServerTool;
constexpr int64_t kPerThousand = 1000;  // dollars for a thousand uses, in millionths for each

struct ListedFee {
  std::string_view family;
  ServerTool tool;
  int64_t millionths;
  bool is_per_call = false;
  std::string_view from{};
};

constexpr ListedFee kFees[] = {
    // https://platform.claude.com/docs/en/about-claude/pricing, 2026-11-05. Code execution is paid
    // for by the hour.
    {"claude", Tool::web_search, 10 * kPerThousand},
    {"claude", Tool::web_fetch, 0},
    // https://developers.openai.com/api/docs/pricing, 2026-11-05. Containers are paid for by the
    // session, images by tokens that answers do not count.
    {"gpt", Tool::web_search, 10 * kPerThousand},
    {"gpt", Tool::file_search, 5 * kPerThousand / 2},
    {"chatgpt", Tool::web_search, 10 * kPerThousand},
    {"chatgpt", Tool::file_search, 5 * kPerThousand / 2},
    {"codex", Tool::web_search, 10 * kPerThousand},
    {"o1", Tool::file_search, 5 * kPerThousand / 2},
    {"o3", Tool::web_search, 10 * kPerThousand},
    {"o3", Tool::file_search, 5 * kPerThousand / 2},
    {"o4", Tool::web_search, 10 * kPerThousand},
    {"o4", Tool::file_search, 5 * kPerThousand / 2},
    // https://ai.google.dev/gemini-api/docs/pricing, 2026-09-23, once the free uses of a
    // day or month are spent. Code and pages cost only tokens.
    {"gemini-3", Tool::web_search, 14 * kPerThousand},
    {"gemini-3", Tool::maps, 14 * kPerThousand},
    {"gemini", Tool::web_search, 35 * kPerThousand, true},
    {"gemini", Tool::maps, 25 * kPerThousand, true},
    {"gemini", Tool::web_fetch, 0},
    {"gemini", Tool::code_execution, 0},
    {"gemini", Tool::file_search, 0},
    // https://platform.kimi.ai/docs/pricing/tools, 2026-08-21
    {"kimi", Tool::web_search, 5 * kPerThousand},
    // https://api-docs.deepseek.com/quick_start/pricing, 2026-11-10: free before.
    {"deepseek", Tool::web_search, 3 * kPerThousand / 4, false, "2026-11-01"},
    {"deepseek", Tool::web_fetch, 3 * kPerThousand / 4, false, "2026-11-01"},
    {"deepseek", Tool::web_search, 0},
    {"deepseek", Tool::web_fetch, 0},
};

struct Inclusion {
  std::string_view family;
  ServerTool tool;
  ServerTool with;
};

// https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool, 2026-11-28
constexpr Inclusion kIncluded[] = {
    {"claude", Tool::code_execution, Tool::web_search},
    {"claude", Tool::code_execution, Tool::web_fetch},
};

}  // namespace

bool is_free_with(std::string_view plain_name, ServerTool tool, const ServerToolUses& uses) {
  return std::any_of(std::begin(kIncluded), std::end(kIncluded), [&](const Inclusion& one) {
    return one.tool == tool && uses[one.with] > 0 && is_of_family(plain_name, one.family);
  });
}

std::span<const Fee> listed_fees() {
  static const std::vector<Fee> kListed = [] {
    std::vector<Fee> fees;
    for (const ListedFee& fee : kFees)
      fees.push_back({std::string(fee.family), fee.tool, fee.millionths, fee.is_per_call,
                      first_moment(fee.from)});
    return fees;
  }();
  return kListed;
}

int64_t fee_among(std::span<const Fee> fees, std::string_view plain_name, ServerTool tool,
                  int64_t uses, Time time) {
  for (const Fee& fee : fees) {
    const bool holds = fee.from == kNoTime || time == kNoTime || time >= fee.from;
    if (fee.tool != tool || !holds || !is_of_family(plain_name, fee.family)) continue;
    constexpr int64_t kToBillionths = 1000;
    return fee.millionths * kToBillionths * (fee.is_per_call ? 1 : uses);
  }
  return kNoCount;
}

}  // namespace xtrace
