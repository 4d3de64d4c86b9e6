#pragma once

#include <string_view>

#include "base/pattern.h"

namespace xtrace {

/// Finds matches of a section of phrases.inc, the longest of several. They are whole words and
/// include the blanks around them.
Pattern phrases_of(std::string_view section);

}  // namespace xtrace
