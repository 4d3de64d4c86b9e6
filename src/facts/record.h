#pragma once

#include <string_view>

#include "base/id.h"
#include "base/time.h"

namespace xtrace {

/// How it went. `unanswered`: asked, and no answer is on record. `unrecorded`: others tell that it
/// happened, and no record of its own is there.
enum class Outcome : uint8_t { unknown, ok, error, unanswered, unrecorded };
inline constexpr std::string_view kOutcomeWords[] = {"unknown", "ok", "error", "unanswered",
                                                     "not_recorded"};
constexpr std::string_view word(Outcome outcome) {
  return kOutcomeWords[static_cast<size_t>(outcome)];
}

/// Where something was written down. Payloads are never copied out of the file; whoever needs one
/// goes back and reads these bytes.
struct Extent {
  uint64_t offset = 0;              ///< bytes before it in its file
  uint32_t length = 0;              ///< bytes
  uint32_t file = 0;                ///< index into Trace::sources
  uint32_t line = 0;                ///< counted from 1
  uint8_t format = kUnknownFormat;  ///< index into formats(), which read it and can do so again
  static constexpr uint8_t kUnknownFormat = UINT8_MAX;
};

}  // namespace xtrace
