#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "doc/document.h"
#include "facts/record.h"

namespace xtrace {

/// Who did something of which the log does not say who did.
inline constexpr char kNotOnRecord[] = "(not recorded)";

/// What is noted of something that did not go well, or of which that is not known; empty: it went
/// well.
std::string_view note_of(Outcome outcome);
/// `1 call`, `2 calls`.
std::string plural(int64_t count, std::string_view noun);
/// Is a link as good as recorded, as one by a prompt of its own is (0.99)? One that is not is
/// marked wherever it is shown: dotted, and with its number.
constexpr bool is_sure(double confidence) {
  return confidence > 0.9899;
}
/// Of a table of so many rows that many are shown, unless a reader asks for others: those of the
/// largest weights, which are given by row, else the first ones.
void spare_all_but(size_t most, Outline& outline, std::span<const int64_t> weights = {});
/// Of a picture in which several share a box: `9 calls in 1 box; --unfold shows each`.
std::string folded_words(size_t count, std::string_view noun, size_t boxes);
/// `a -> b -> c`
std::string joined(const Texts& texts, std::string_view between);
/// `first, second`, or the one that is not empty.
std::string join_notes(std::string first, std::string_view second);
/// The end of a path or address, which distinguishes it from others: `…/strategy/auto_commit.go`.
std::string short_target(std::string_view target);

}  // namespace xtrace
