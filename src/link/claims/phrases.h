#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern.h"

namespace xtrace {

/// Finds matches of a section of phrases.inc, the longest of several. They are whole words and
/// include the blanks around them.
Pattern phrases_of(std::string_view section);
/// The same of several sections at once.
Pattern phrases_of(const std::vector<std::string>& sections);
/// Finds matches of a section for outputs of tools, in small letters, also inside words.
Pattern parts_of_outputs(std::string_view section);

/// The words of each line of a section.
std::vector<std::vector<std::string_view>> word_lines(std::string_view section);
/// All words of a section.
std::set<std::string_view> words_of(std::string_view section);

}  // namespace xtrace
