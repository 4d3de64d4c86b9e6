#pragma once

#include <cstddef>
#include <string_view>

namespace xtrace::mcp {

/// Estimates how many tokens a model takes for a text, rather too many than too few: a token for
/// every four letters, three digits, other sign, line or run of blanks, and a tenth on top. For our
/// tables and lists that is 1.07 to 1.4 times what o200k_base takes (measured 2026-11-29; bytes / 4
/// would be 0.6 times), which leaves room for the tokens of other models.
size_t estimate_tokens(std::string_view text);

}  // namespace xtrace::mcp
