#pragma once

#include <string_view>

namespace xtrace {

// The prose of the manual page, in roff, around the tables of options and configuration that
// manual.cpp makes.

extern const std::string_view kManualHead;
extern const std::string_view kManualCommon;
extern const std::string_view kManualTail;
/// Files, links, and what commands do at length.
extern const std::string_view kManualTopics;
extern const std::string_view kManualEnd;

}  // namespace xtrace
