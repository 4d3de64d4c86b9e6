#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// `key` in snake_case, of small ASCII letters, digits and `_` alone, and not too long to be a
/// name: `tokens_input` of `tokens.input`. Such a name needs no quotes in any language of queries,
/// selectors or scripts, and looks like no word of them.
std::string property_name(std::string_view key);

}  // namespace xtrace
