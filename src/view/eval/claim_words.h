#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace xtrace {

/// The words that say what a number is about, as about_word() has them.
using AboutWords = std::set<std::string, std::less<>>;

/// What a word says of a number, in one form for all that mean the same: `failures`, `failed` and
/// `failing` are `fail`. Empty: it says nothing (`the`, `were`).
std::string about_word(std::string_view word);

/// Does one contain what the other excludes? What passed did not fail, and the median is no
/// maximum. If numbers of one record are so, they are parts of a whole: passed, failed and skipped
/// tests.
bool are_opposite(const AboutWords& one, const AboutWords& other);

/// `seven`, `forty-two`; nothing: it is not a number.
std::optional<double> number_word(std::string_view word);

/// `million`, `k`; nothing: it scales nothing.
std::optional<double> scale_word(std::string_view word);

/// What a number is measured in. Only a unit that is declared scales it.
struct Unit {
  enum class Of : uint8_t { none, share, time, bytes, money };
  Of of = Of::none;
  double factor = 1;  ///< to shares of 1, seconds, bytes, or units of the currency

  bool operator==(const Unit&) const = default;
};
/// As it stands behind a number, or at the end of a name: `%`, `ms`, `GB`, `usd`.
std::optional<Unit> unit_word(std::string_view word);

}  // namespace xtrace
