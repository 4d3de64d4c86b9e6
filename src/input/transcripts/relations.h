#pragma once

#include <utility>

#include "input/common/raw_trace.h"

namespace xtrace {

inline bool is_of_record(const Extent& at, const Extent& other) {
  return at.file == other.file && at.offset == other.offset;
}

/// Calls `said` with each utterance and `stated` with each relation, in the order of their records;
/// in that of one record, relations come last.
template <class Said, class Stated>
void for_each_in_order(RawTrace& trace, Said said, Stated stated) {
  auto next = trace.relations.begin();
  const auto is_before = [&](const Extent& at) {
    return std::pair(next->source.file, next->source.offset) < std::pair(at.file, at.offset);
  };
  for (Utterance& at : trace.utterances) {
    for (; next != trace.relations.end() && is_before(at.source); ++next) stated(*next);
    said(at);
  }
  for (; next != trace.relations.end(); ++next) stated(*next);
}

}  // namespace xtrace
