#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace xtrace {

/// Columns that `text` takes on a terminal: wide characters two, marks that join the one before
/// none.
size_t width(std::string_view text);

/// `text` if it fits into `columns`, else as much as does and `…`. Never cuts a character; what was
/// cut before has one `…` all the same.
std::string clip(std::string_view text, size_t columns);

/// The last `columns` of `text` with `…` before them: what matters of a path is its end.
std::string clip_left(std::string_view text, size_t columns);

/// `text` with nothing in it that could move a cursor, change a colour or turn the reading
/// direction: such characters are spelt out as `\xNN` or `\uNNNN`, broken UTF-8 becomes U+FFFD.
std::string printable(std::string_view text);

/// Runs of white space become one blank, both ends are trimmed.
std::string fold_white_space(std::string_view text);

/// Is this code point invisible or does it act on its neighbours?
bool acts_on_terminal(char32_t character);

/// The first code point of `text` (not empty) and its length in bytes; U+FFFD, 1 where it is
/// broken.
struct Decoded {
  char32_t character;
  size_t length;
};
Decoded decode(std::string_view text);

/// In lines of so many columns, all but the first with so many blanks before them. A word that is
/// longer than a line gets its own line.
std::string wrapped(std::string_view text, size_t indent, size_t columns);

/// Characters of `text`, as code points; each broken byte is one.
size_t characters(std::string_view text);

/// `text` cut to at most `bytes` without splitting a character.
std::string_view head(std::string_view text, size_t bytes);

/// The longest name that answers repeat, in bytes. Paths, ids and names of tools, agents, models
/// and services are shorter; a longer one would make an answer as large as its square.
inline constexpr size_t kMostNameBytes = 1024;

/// A longer name cut to its first words, its length and a digest that differs from those of others:
/// `/srv/a…[36000 bytes, 0123456789abcdef]`. Never cuts a word, as half a secret looks like none.
std::string shortened_name(std::string_view name);

}  // namespace xtrace
