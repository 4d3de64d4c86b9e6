#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "link/reuse/token.h"

namespace xtrace {

/// What can be recognized where it comes up again: numbers, addresses, codes and paths.
struct TextToken {
  TokenKind kind = TokenKind::number;
  std::string text;  ///< in its normal form: a number without commas, else with small letters
  uint64_t hash = 0;
};

/// Numbers with fewer digits come up again by chance.
inline constexpr size_t kFewestDigits = 4;

/// Those of a text, in order; dates and times are none.
std::vector<TextToken> tokens_in(std::string_view text);

/// A value in a JSON text, with the name of the member that contains it.
struct JsonLeaf {
  std::string name;
  std::string value;        ///< a text without its escapes, anything else as it is
  bool is_default = false;  ///< 0, null, or an empty text, list or object
};
/// Those of a text that is a JSON object or list; else none. Reads damaged JSON as far as it goes.
std::vector<JsonLeaf> leaves_of(std::string_view json);

/// The first known value that differs from this one in one character or by two that are swapped;
/// empty: there is none. The last digit of a number does not count: ids and line numbers count up.
std::string find_near(const TextToken& token, const std::function<bool(uint64_t)>& is_known);
/// How many values of the same length find_near() looks for.
size_t count_near(const TextToken& token);

/// Numbers, names that begin with a capital, and addresses, in their normal form, and apart from
/// these all words: by these a text is compared with all that was said before it.
struct TextValues {
  std::unordered_set<uint64_t> values, words;
};
TextValues values_in(std::string_view text);

/// Does it contain words that a model uses for what it does not know or did not do? English.
bool is_hedged(std::string_view text);

}  // namespace xtrace
