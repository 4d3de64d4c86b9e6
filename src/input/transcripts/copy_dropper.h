#pragma once

#include <cstdint>

#include "input/transcripts/fill_in.h"

namespace xtrace {

/// Drops utterances that count elsewhere, in the order of their file. A record counts as one copy,
/// whatever it holds. What else it says of subagents is said there, too.
class CopyDropper {
 public:
  explicit CopyDropper(RawTrace& trace) : trace_(trace) {}

  void drop(Utterance& said) {
    Source& source = trace_.sources[said.source.file];
    const bool is_same = file_ == said.source.file && offset_ == said.source.offset;
    if (is_item(said) && !is_same) ++source.copies;
    if (is_item(said)) file_ = said.source.file, offset_ = said.source.offset;
    if (is_about_subagent(said)) said.agent = {}, said.in_subagent = false;
    said.kind = Utterance::Kind::silent;
    said.id = said.after = {};
  }

 private:
  RawTrace& trace_;
  uint32_t file_ = UINT32_MAX;
  uint64_t offset_ = 0;
};

}  // namespace xtrace
