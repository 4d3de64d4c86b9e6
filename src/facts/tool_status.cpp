#include "facts/tool_status.h"

#include "base/one_of.h"

namespace xtrace {

namespace {

/// Formats whose records have the output of a tool and nothing that states how it went.
constexpr std::string_view kWithoutStatus[] = {"aider", "gptme", "swe-agent"};

}  // namespace

bool records_tool_status(std::string_view format) {
  return !is_one_of(format, kWithoutStatus);
}

}  // namespace xtrace
