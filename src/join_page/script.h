#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// A word, number, text or sign of JavaScript (ECMA-262, 12), without what stands between them.
struct Token {
  enum class Kind : uint8_t { name, number, text, regex, sign };
  Kind kind;
  std::string text;
  bool begins_line = false;  ///< the source has a line's end before it, which may end a statement
};

/// Cuts a script into tokens. A template text is cut where code stands in it. Throws
/// std::runtime_error for a text or comment without an end.
std::vector<Token> tokens_of(std::string_view script);

/// Gives a name of the script's own to what it often takes from the browser, such as `Math.max`,
/// which shorten_names() then shortens.
void name_globals(std::vector<Token>& tokens);

/// Gives a name to each text in single quotes that is longer spelt out wherever it stands.
void name_texts(std::vector<Token>& tokens);

/// Gives a name to that of each property with a long name which is longer spelt out behind points,
/// wherever it stands: `x.textContent` is `x[a]`.
void name_properties(std::vector<Token>& tokens);

/// Gives names that the script declares shorter ones: those of all of it the same everywhere, those
/// within a statement of its outermost level again and again. Keys of objects stay as they are.
void shorten_names(std::vector<Token>& tokens);

/// Puts functions that are declared outside of all brackets before all else, where they are known
/// from the first line on anyway, as arrows, which are shorter; those with a `this` stay. What
/// stood between them can then be declared together.
void functions_first(std::vector<Token>& tokens);

/// Says the same in fewer characters: `let` for `const`, `!0` for `true`, no `;` at the end of a
/// block.
void write_shorter(std::vector<Token>& tokens);

/// The tokens with as little between them as they need.
std::string joined(const std::vector<Token>& tokens);

}  // namespace xtrace
