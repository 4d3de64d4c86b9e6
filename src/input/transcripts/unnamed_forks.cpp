#include "input/transcripts/unnamed_forks.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "input/transcripts/fill_in.h"
#include "input/transcripts/printed.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

bool begins_unnamed_fork(const Utterance& said) {
  return said.kind == Kind::heading && said.is_copy && !is_printed(said) && !said.after &&
         said.time != kNoTime && said.session;
}

bool is_dated_item(const Utterance& said) {
  return (said.kind == Kind::asked || said.kind == Kind::answered || said.kind == Kind::failed) &&
         said.time != kNoTime && !said.agent && said.session;
}

/// Ids are new in a fork, and so is what tells its messages from those of other sessions.
bool say_the_same(const Utterance& a, const Utterance& b) {
  return a.kind == b.kind && a.time == b.time && a.took == b.took && a.model == b.model &&
         a.tokens == b.tokens && a.cost == b.cost && a.error == b.error &&
         a.stop_reason == b.stop_reason;
}

uint64_t key_of(const Utterance& said) {
  uint64_t key = chain(static_cast<uint64_t>(said.kind),
                       static_cast<uint64_t>(said.time.time_since_epoch().count()));
  key = chain(chain(key, static_cast<uint64_t>(said.took.count())), said.model.index);
  key = chain(key, static_cast<uint64_t>(said.tokens.input));
  key = chain(key, static_cast<uint64_t>(said.tokens.output));
  return chain(key, static_cast<uint64_t>(said.cost));
}

class TakenOver {
 public:
  TakenOver(RawTrace& trace, ForkedFrom& forked_from)
      : trace_(trace), said_(trace.utterances), forked_from_(forked_from) {}

  void drop() {
    for (const Utterance& said : said_)
      if (begins_unnamed_fork(said)) made_.emplace(said.session, said.time);
    if (made_.empty()) return;
    for (uint32_t i = 0; i < said_.size(); ++i) {
      if (!is_dated_item(said_[i])) continue;
      if (made_.contains(said_[i].session))
        items_[said_[i].session].push_back(i);
      else
        originals_.emplace(key_of(said_[i]), i);
    }
    std::vector<std::pair<Time, StringId>> forks;
    for (const auto& [session, made] : made_) forks.emplace_back(made, session);
    std::ranges::sort(forks);  // a later one may be a fork of an earlier one
    for (const auto& [made, session] : forks) drop(session, made);
    silence();
  }

 private:
  void drop(StringId session, Time made) {
    const std::vector<uint32_t>& items = items_[session];
    const Utterance* own = nullptr;
    uint32_t last = 0;
    bool has_copies = false;
    const auto& originals = originals_;
    for (uint32_t i : items) {
      const Utterance& said = said_[i];
      const auto found = said.time < made ? originals.find(key_of(said)) : originals.end();
      if (found == originals.end() || !say_the_same(said, said_[found->second])) {
        if (own == nullptr || said.time < own->time) own = &said;
        continue;
      }
      copies_.emplace(i, found->second);
      const Utterance& original = said_[found->second];
      if (original.kind != Kind::answered) continue;
      if (!has_copies || original.time >= said_[last].time) last = found->second;
      has_copies = true;
    }
    for (uint32_t i : items)
      if (!copies_.contains(i)) originals_.emplace(key_of(said_[i]), i);
    if (own != nullptr && has_copies)
      forked_from_.emplace(static_cast<uint32_t>(own - said_.data()), last);
  }

  /// What tells of subagents and summaries stands behind what was said, and goes with it.
  void silence() {
    std::vector<bool> is_copy(trace_.sources.size());
    for (uint32_t i = 0; i < said_.size(); ++i) {
      Utterance& said = said_[i];
      const uint32_t file = said.source.file;
      if (is_dated_item(said)) {
        is_copy[file] = copies_.contains(i);
        if (is_copy[file]) ++trace_.sources[file].copies;
      } else if (said.kind != Kind::compacted && said.kind != Kind::report) {
        continue;
      }
      if (!is_copy[file] || !made_.contains(said.session)) continue;
      if (tells_of_agent(said)) said.agent = {}, said.in_subagent = false;
      said.kind = Kind::silent;
      said.id = said.after = said.answer = {};
    }
  }

  RawTrace& trace_;
  std::vector<Utterance>& said_;
  ForkedFrom& forked_from_;
  std::map<StringId, Time> made_;                     ///< forks, by session
  std::map<StringId, std::vector<uint32_t>> items_;   ///< of forks
  std::unordered_map<uint64_t, uint32_t> originals_;  ///< by what they say and when
  std::unordered_map<uint32_t, uint32_t> copies_;     ///< what each is a copy of
};

}  // namespace

void drop_taken_over(RawTrace& trace, ForkedFrom& forked_from) {
  TakenOver(trace, forked_from).drop();
}

}  // namespace xtrace
