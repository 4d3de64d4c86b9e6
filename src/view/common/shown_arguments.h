#pragma once

#include <string>

#include "redact/door.h"

namespace xtrace {

/// What a tool was given, as JSON in which each value passed the door by itself: what is hidden by
/// the escapes of JSON, and what a member's name calls secret, would not be seen in the text of the
/// whole. What is no JSON (a patch, say) passes as it is. Empty below Door::Level::full.
Text shown_arguments(Door& door, const std::string& given);

}  // namespace xtrace
