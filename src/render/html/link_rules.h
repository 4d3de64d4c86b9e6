#pragma once

#include <string_view>

namespace xtrace {

/// What the rule that found a link goes by, as a sentence about the later end; empty: a rule of
/// which an answer says the name alone.
std::string_view rule_in_words(std::string_view method);

}  // namespace xtrace
