#pragma once

#include <initializer_list>
#include <string_view>

#include "base/id.h"
#include "base/time.h"

namespace xtrace {

/// How it went. `unanswered`: asked, and no answer is on record. `unrecorded`: others report that
/// it happened, and no record of its own is there. `unfinished`: it began, and neither an end, a
/// status nor a result is on record.
enum class Outcome : uint8_t { unknown, ok, error, unanswered, unrecorded, unfinished };
inline constexpr std::string_view kOutcomeWords[] = {"unknown",    "ok",           "error",
                                                     "unanswered", "not_recorded", "unfinished"};
constexpr std::string_view word(Outcome outcome) {
  return kOutcomeWords[static_cast<size_t>(outcome)];
}

/// Does the log state whether it went well? Rates and verdicts rest on nothing else: absence is no
/// success.
constexpr bool is_known(Outcome outcome) {
  return outcome == Outcome::ok || outcome == Outcome::error;
}
/// Does `outcome` match the status `asked`? `unknown` asks for all that is not known.
constexpr bool has_status(Outcome outcome, std::string_view asked) {
  if (asked != word(Outcome::unknown)) return asked == word(outcome);
  return outcome != Outcome::unrecorded && !is_known(outcome);
}
/// What two records of one thing come to: a failure that one of them states counts, else an end
/// that one of them records.
constexpr Outcome joined(Outcome a, Outcome b) {
  for (Outcome one :
       {Outcome::error, Outcome::ok, Outcome::unfinished, Outcome::unanswered, Outcome::unrecorded})
    if (a == one || b == one) return one;
  return Outcome::unknown;
}

/// Where something was written down. Payloads are never copied out of the file; whoever needs one
/// goes back and reads these bytes.
struct Extent {
  uint64_t offset = 0;  ///< bytes before it in its file
  uint32_t length = 0;  ///< bytes
  uint32_t file = 0;    ///< index into Trace::sources
  uint32_t line = 0;    ///< counted from 1; 0: not known
  /// Index into formats(), which read it and can do so again.
  uint32_t format : 8 = kUnknownFormat;
  /// Of the hash of the bytes at that place; 0: they were repaired before they were read.
  uint32_t check : 24 = 0;
  static constexpr uint8_t kUnknownFormat = UINT8_MAX;

  /// Keeps enough of the sample_hash_of() the bytes to recognize whether they are unchanged.
  void keep_check(uint64_t hash) { check = check_of(hash) & 0xffffff; }
  /// Do the bytes at that place have the hash of what was read?
  bool is_still(uint64_t hash) const { return check == 0 || check == check_of(hash); }

 private:
  static constexpr uint32_t check_of(uint64_t hash) {
    const uint32_t bits = static_cast<uint32_t>(hash >> 40) & 0xffffff;
    return bits == 0 ? 1 : bits;
  }
};

}  // namespace xtrace
