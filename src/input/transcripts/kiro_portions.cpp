#include <algorithm>
#include <unordered_map>
#include <utility>

#include "input/transcripts/agent_pass.h"
#include "input/transcripts/fill_in.h"
#include "input/transcripts/printed.h"

namespace xtrace {

namespace {

class Portions {
 public:
  explicit Portions(RawTrace& trace) : trace_(trace) {
    for (const AgentRelation& relation : trace.relations)
      if (relation.kind == AgentRelation::Kind::portion)
        whole_of_.emplace(relation.agent.index, relation.session);
  }

  void join() {
    if (whole_of_.empty()) return;
    place_portions();
    place_between();
    for (Utterance& said : trace_.utterances) said.session = whole_of(said.session);
    for (AgentRelation& relation : trace_.relations) relation.session = whole_of(relation.session);
  }

 private:
  bool is_portion(StringId session) const { return whole_of_.contains(session.index); }
  StringId whole_of(StringId session) const {
    auto found = whole_of_.find(session.index);
    return found == whole_of_.end() ? session : found->second;
  }

  /// In a file of a portion, what has no time was said before what is next.
  void place_portions() {
    Time next = kNoTime;
    uint32_t file = UINT32_MAX;
    for (size_t i = trace_.utterances.size(); i-- > 0;) {
      Utterance& said = trace_.utterances[i];
      if (!is_portion(said.session)) continue;
      if (said.source.file != std::exchange(file, said.source.file)) next = kNoTime;
      Time& end = end_of_.emplace(said.session.index, kNoTime).first->second;
      end = std::max({end, said.time, after(said.time, said.took)});
      if (said.time == kNoTime)
        said.place = next;
      else
        next = said.time;
    }
  }

  /// What the whole tells behind a portion was said after it, if only by the shortest time.
  void place_between() {
    StringId whole;
    Time before = kNoTime;
    const auto place = [&](Utterance& said) {
      if (whole && (said.session == whole || (is_echo(said) && whole_of(said.session) == whole)))
        said.place = before;
    };
    for_each_in_order(trace_, place, [&](const AgentRelation& portion) {
      if (portion.kind != AgentRelation::Kind::portion) return;
      if (portion.session != std::exchange(whole, portion.session)) before = kNoTime;
      if (auto end = end_of_.find(portion.agent.index); end != end_of_.end())
        before = std::max(before, after(end->second, Duration{1}));
    });
  }

  RawTrace& trace_;
  std::unordered_map<uint32_t, StringId> whole_of_;  ///< by portion
  std::unordered_map<uint32_t, Time> end_of_;        ///< likewise
};

/// Merges a session that another one states as a part of itself (AgentRelation::Kind::portion) into
/// that one. Its utterances without a time get a place among those with one.
void join_portions(RawTrace& trace) {
  Portions(trace).join();
}

}  // namespace

extern constinit const AgentPass kKiroPortions = {AgentPass::When::last, join_portions};

}  // namespace xtrace
