#pragma once

#include "input/common/parsers.h"
#include "input/common/shard.h"

namespace xtrace {

struct Asked;
struct Draft;
class RecordMatcher;

/// What a format writes on while it reads one record. All of it lives as long as the reader of many
/// records, so that nothing is allocated anew for each.
struct RecordContext {
  Shard& shard;         ///< takes the facts
  Parsers& parsers;     ///< of JSON that stands inside strings of the record
  Draft& draft;         ///< the message at hand; says what the one before said until it is cleared
  Asked& asked;         ///< what a request says; if part of it was known, that is here already
  RecordMatcher* keys;  ///< of the record
  uint64_t digest = 0;  ///< of the bytes of the record
};

}  // namespace xtrace
