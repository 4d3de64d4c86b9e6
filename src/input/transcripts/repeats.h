#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "input/transcripts/fill_in.h"
#include "input/transcripts/printed.h"

namespace xtrace {

// Logs state the same twice: a session that goes on with another one's history begins with a copy
// of it, a file is saved again, a run prints what it keeps. Each rule names the fields in which a
// copy equals its original, which records may be either, and which of several originals counts.

/// What two records state, next to their kind.
enum StatedField : uint16_t {
  kStatedTime = 1 << 0,
  kStatedLength = 1 << 1,
  kStatedMessage = 1 << 2,
  kStatedAnswer = 1 << 3,  ///< its name
  kStatedModel = 1 << 4,
  kStatedTokens = 1 << 5,
  kStatedCost = 1 << 6,
  kStatedEnd = 1 << 7,  ///< why an answer ended
  kStatedError = 1 << 8,
  kStatedEcho = 1 << 9,  ///< whether it is one
};

/// Names what a record states in these fields: records with the same name state the same.
inline uint64_t hash_of(const Utterance& said, uint16_t fields) {
  auto hash = static_cast<uint64_t>(said.kind);
  const auto add = [&](uint16_t field, auto... values) {
    if ((fields & field) != 0) ((hash = chain(hash, static_cast<uint64_t>(values))), ...);
  };
  const Tokens& tokens = said.tokens;
  add(kStatedTime, said.time.time_since_epoch().count());
  add(kStatedLength, said.took.count());
  add(kStatedMessage, said.message.index);
  add(kStatedAnswer, said.answer.index);
  add(kStatedModel, said.model.index);
  add(kStatedTokens, tokens.input, tokens.output, tokens.cache_read, tokens.cache_creation);
  add(kStatedCost, said.cost);
  add(kStatedEnd, said.stop_reason.index);
  add(kStatedError, said.error.index);
  add(kStatedEcho, is_echo(said));
  return hash;
}

/// Calls `found(copy, original)` for each that may repeat another one and states the same in these
/// fields as the first, by `is_before`, of those that may count.
template <class MayRepeat, class MayCount, class IsBefore, class Found>
void find_repeated(const std::vector<Utterance>& all, uint16_t fields, MayRepeat may_repeat,
                   MayCount may_count, IsBefore is_before, Found found) {
  std::unordered_map<uint64_t, uint32_t> originals;  // by what they state
  for (uint32_t i = 0; i < all.size(); ++i) {
    if (!may_count(i)) continue;
    uint32_t& original = originals.try_emplace(hash_of(all[i], fields), i).first->second;
    if (is_before(i, original)) original = i;
  }
  if (originals.empty()) return;
  for (uint32_t i = 0; i < all.size(); ++i) {
    if (!may_repeat(i)) continue;
    const auto original = originals.find(hash_of(all[i], fields));
    if (original != originals.end() && original->second != i) found(i, original->second);
  }
}

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
