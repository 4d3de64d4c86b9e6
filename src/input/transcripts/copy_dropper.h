#pragma once

#include <cstdint>
#include <unordered_set>

#include "base/hash.h"
#include "input/transcripts/fill_in.h"

namespace xtrace {

/// Drops utterances that count elsewhere, in the order of their file. A record counts as one copy,
/// whatever it holds. Its relations are stated there, too: drop_relations().
class CopyDropper {
 public:
  explicit CopyDropper(RawTrace& trace) : trace_(trace) {}

  void drop(Utterance& said) {
    Source& source = trace_.sources[said.source.file];
    const bool is_same = file_ == said.source.file && offset_ == said.source.offset;
    if (is_item(said) && !is_same) ++source.copies;
    if (is_item(said)) file_ = said.source.file, offset_ = said.source.offset;
    note(said);
    said.kind = Utterance::Kind::silent;
    said.id = said.after = {};
  }

  /// The record of a dropped utterance.
  void note(const Utterance& said) {
    if (!trace_.relations.empty()) records_.insert(chain(said.source.offset, said.source.file));
  }
  void drop_relations() {
    if (records_.empty()) return;
    std::erase_if(trace_.relations, [&](const AgentRelation& relation) {
      return records_.contains(chain(relation.source.offset, relation.source.file));
    });
  }

 private:
  RawTrace& trace_;
  std::unordered_set<uint64_t> records_;
  uint32_t file_ = UINT32_MAX;
  uint64_t offset_ = 0;
};

}  // namespace xtrace
