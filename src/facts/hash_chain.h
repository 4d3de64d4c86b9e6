#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "facts/record.h"

namespace xtrace {

/// That records of an input name the record before them by a digest, as logs do whose lines cannot
/// be changed unnoticed.
struct HashChain {
  uint32_t source = 0;   ///< index into Trace::sources
  std::string digest;    ///< the key of a record's own digest; empty: its line is digested
  std::string previous;  ///< the key of the digest of the record before it
  int64_t records = 0;   ///< with these keys
  int64_t linked = 0;    ///< of these, whose `previous` is the digest of the one before
  Extent broken;         ///< the first one whose `previous` is another; line 0: none
  /// What the digest is made of, in words of ours; empty: none of the ways that are known gives the
  /// first one.
  std::string_view made_of;
  int64_t recomputed = 0;  ///< records whose digest is the one computed in that way
  Extent altered;          ///< the first one whose digest is another; line 0: none

  bool holds() const { return broken.line == 0 && altered.line == 0; }
};

}  // namespace xtrace
