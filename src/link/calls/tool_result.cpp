#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"
#include "facts/made_id.h"
#include "link/calls/lineage.h"
#include "link/calls/linkers.h"

namespace xtrace {

namespace {

/// Where the log names no tool use, and the result is recorded behind the only one that it may be
/// of.
constexpr double kOfOrder = 0.9;

/// A tool use and the call that asked for it.
struct Producer {
  CallId call;
  ToolUseId use;
  Rule rule = Rule::tool_use_id;
};

/// Connects each tool result with the call that asked for it, and with the first call of each
/// branch of the conversation that reads it; later ones of the branch repeat it as history. Of a
/// call only the messages are looked at that the call before it did not have.
class ToolResults {
 public:
  ToolResults(const Timeline& timeline, Findings& out)
      : timeline_(timeline),
        out_(out),
        lineage_(timeline, out),
        read_(timeline.trace().messages.size()),
        is_repeated_(timeline.trace().strings.size()) {
    for (size_t i = 0; i < out.links.size(); ++i)
      if (out.links[i].kind == LinkKind::continuation && out.links[i].rivals > 0)
        doubted_.emplace(out.links[i].to.index, i);
    for (CallId call : timeline.in_order())
      if (MessageId answer = timeline[call].answer)
        for (const ToolUse& use : timeline.uses_in(answer))
          if (use.id) producers_[use.id.index].push_back({call, timeline.id_of(use)});
    count_readers();
    find_repeated();
  }

  void read(CallId call) {
    CallId previous = lineage_.previous(call);
    MessageId known = previous ? timeline_[previous].request : MessageId{};
    std::vector<MessageId> fresh;
    for (MessageId at = timeline_[call].request; at && at != known; at = timeline_[at].before) {
      if (!previous && read_[at.index]) break;
      fresh.push_back(at);
    }
    for (size_t i = fresh.size(); i-- > 0;) {
      for (const ToolResult& result : timeline_.results_in(fresh[i]))
        connect(result, call, !read_[fresh[i].index]);
      read_[fresh[i].index] = true;
    }
    read_answer(call);
  }

 private:
  /// What a tool of the vendor's gave, if the answer that asked for it paused there: it is in the
  /// one that goes on from that. Later requests repeat it, so it is not marked as read here.
  void read_answer(CallId call) {
    const MessageId answer = timeline_[call].answer;
    if (!answer) return;
    for (const ToolResult& result : timeline_.results_in(answer))
      if (uses_of(result.tool_use, call).empty()) connect_inside(result, call);
  }

  /// The tool uses of an id that one call asked for, in the order of its answer.
  std::span<const Producer> uses_of(StringId id, CallId call) const {
    const auto known = producers_.find(id.index);
    if (known == producers_.end()) return {};
    const auto begin =
        std::partition_point(known->second.begin(), known->second.end(),
                             [&](const Producer& one) { return timeline_.before(one.call, call); });
    const auto end = std::partition_point(begin, known->second.end(), [&](const Producer& one) {
      return !timeline_.before(call, one.call);
    });
    return {begin, end};
  }

  /// Which ids have several results, be it in several histories, and which messages ask for those.
  void find_repeated() {
    const Trace& trace = timeline_.trace();
    std::vector<bool> is_there(is_repeated_.size());
    for (const ToolResult& result : trace.tool_results) {
      if (!result.tool_use) continue;
      const size_t id = result.tool_use.index;
      is_repeated_[id] = is_there[id];
      is_there[id] = true;
    }
    for (const ToolUse& use : trace.tool_uses)
      if (use.id && is_repeated_[use.id.index])
        askers_.insert(pair_of(use.message.index, use.id.index));
  }

  /// How many requests each message is part of.
  void count_readers() {
    readers_.resize(timeline_.trace().messages.size());
    for (const Call& call : timeline_.trace().calls)
      if (call.request) ++readers_[call.request.index];
    for (size_t i = readers_.size(); i-- > 0;)
      if (MessageId before = timeline_[MessageId(i)].before) readers_[before.index] += readers_[i];
  }

  /// `is_new`: no call before this one was told this message after this history.
  void connect(const ToolResult& result, CallId reader, bool is_new) {
    if (!result.tool_use && result.agent) return;  // an agent's message: no tool was asked
    Producer producer = producer_of(result, reader);
    if (!producer.call) {
      if (is_new && orphans_.insert({result.tool_use.index, reader.index}).second)
        out_.orphans.push_back({reader, result.tool_use});
      return;
    }
    const size_t twins = count_twins_before(result);
    if (twins > 0) producer.use = use_of_twin(producer, twins);
    // Without an id the use tells results apart.
    const uint32_t name = result.tool_use ? result.tool_use.index : ~producer.use.index;
    const uint64_t key = chain(chain(name, producer.call.index), twins);
    const uint32_t requests = readers_[result.message.index];
    if (twins > 0 && is_new) out_.twins.push_back({reader, result.tool_use});
    if (Link* known = link_behind(key, reader)) {
      if (is_new) known->repeats += requests;  // the same result after another history
      return;
    }
    auto [first, is_first] = first_.emplace(key, out_.links.size());
    Link link = link_of(result, producer, reader);
    link.is_again = !is_first;
    link.ran = tool_time(timeline_[producer.call], result, &timeline_[reader]);
    if (is_new) {
      link.repeats = requests - 1;
    } else {  // counted with the first branch; those that go on from this reader are its own
      MessageId answer = timeline_[reader].answer;
      link.repeats = answer ? readers_[answer.index] : 0;
      if (!is_first) {
        Link& known = out_.links[first->second];
        known.repeats -= std::min(known.repeats, link.repeats + 1);
      }
    }
    if (const auto doubted = doubted_.find(reader.index); doubted != doubted_.end())
      name_twins(doubted->second, link);
    of_branch_.emplace(chain(key, lineage_.branch_of(reader)), out_.links.size());
    out_.links.push_back(link);
  }

  /// How many results with the same id come before it in its history, since the answer that asked
  /// for the tool. Ids that a client gives twice in one answer leave their order alone.
  size_t count_twins_before(const ToolResult& result) const {
    if (!result.tool_use || !is_repeated_[result.tool_use.index]) return 0;
    constexpr int kLooked = 64;  // results that an answer asked for at once
    size_t twins = 0;
    int looked = 0;
    const ToolResult* const first = timeline_.results_in(result.message).data();
    for (const ToolResult* at = &result; at != first; ++looked) {
      if (looked == kLooked) return twins;
      twins += (--at)->tool_use == result.tool_use;
    }
    for (MessageId at = timeline_[result.message].before; at; at = timeline_[at].before, ++looked) {
      if (askers_.contains(pair_of(at.index, result.tool_use.index))) return twins;
      if (looked >= kLooked) return 0;
      for (const ToolResult& other : timeline_.results_in(at)) {
        twins += other.tool_use == result.tool_use;
        ++looked;
      }
    }
    return 0;
  }

  /// The use with that place among those of the producer's id in the answer; else the last one.
  ToolUseId use_of_twin(const Producer& producer, size_t place) const {
    const StringId id = timeline_.trace().tool_uses[producer.use.index].id;
    const std::span<const Producer> uses = uses_of(id, producer.call);
    return uses.empty() ? producer.use : uses[std::min(place, uses.size() - 1)].use;
  }

  /// It ran while the reader answered.
  void connect_inside(const ToolResult& result, CallId reader) {
    if (!result.tool_use) return;
    const Producer producer = producer_of(result, reader);
    if (!producer.call) return;
    const uint64_t key = chain(chain(result.tool_use.index, producer.call.index), 0);
    if (link_behind(key, reader)) return;
    Link link = link_of(result, producer, reader);
    link.ran = tool_time(timeline_[producer.call], result, &timeline_[reader]);
    link.is_again = !first_.emplace(key, out_.links.size()).second;
    of_branch_.emplace(chain(key, lineage_.branch_of(reader)), out_.links.size());
    out_.links.push_back(link);
  }

  bool is_by_order(const ToolResult& result) const {
    return !result.tool_use || timeline_.trace()[result.tool_use].starts_with(kByOrder);
  }

  Link link_of(const ToolResult& result, const Producer& producer, CallId reader) const {
    Link link;
    link.from = producer.call;
    link.to = reader;
    link.kind = LinkKind::tool_result;
    link.rule = producer.rule;
    if (is_by_order(result)) {
      link.rule = Rule::transcript;
      link.given_confidence = kOfOrder;
    }
    link.is_error = result.is_error;
    link.is_open = outcome_of(result) == Outcome::unfinished;
    link.error = result.error;
    link.key = result.tool_use;
    link.tool_use = producer.use;
    link.gap = timeline_.gap(producer.call, reader);
    return link;
  }

  /// Where nothing shows which of several equal conversations the reader goes on with, nothing
  /// shows whose tool it was that all of them asked for. `doubted`: the link that says so.
  void name_twins(size_t doubted, Link& link) {
    const Link from = out_.links[doubted];
    if (from.from != link.from) return;
    std::vector<std::pair<CallId, ToolUseId>> twins;
    for (uint16_t i = 0; i < from.alternatives; ++i) {
      const CallId twin = out_.alternatives[from.first_alternative + i].from;
      if (ToolUseId use = use_of(twin, link)) twins.emplace_back(twin, use);
    }
    for (const auto& [twin, use] : twins) out_.name_rival(link, twin, use, twins.size() + 1);
    link.rivals = twins.size() == from.alternatives && !twins.empty()
                      ? from.rivals  // also those that are not named
                      : static_cast<uint16_t>(twins.size());
  }

  /// The call's own tool use of the link's id; where ids were lost, that of the history. Nowhere:
  /// it asked for another tool.
  ToolUseId use_of(CallId call, const Link& link) const {
    bool lost_ids = !timeline_[call].answer || !link.key;
    if (timeline_[call].answer)
      for (const ToolUse& use : timeline_.uses_in(timeline_[call].answer)) {
        if (use.id == link.key) return timeline_.id_of(use);
        lost_ids |= !use.id;
      }
    return lost_ids ? link.tool_use : ToolUseId{};
  }

  /// The link to the first call that was told the result in what led to `reader`; `key`: of the
  /// result and who asked for it. On each way there is one, or it would not be the first.
  Link* link_behind(uint64_t key, CallId reader) {
    auto first = first_.find(key);
    if (first == first_.end()) return nullptr;
    // Without a call before it nothing shows that this one is on a branch of its own.
    if (!lineage_.previous(reader)) return &out_.links[first->second];
    Link* found = nullptr;
    bool is_open = lineage_.go_back(reader, [&](uint32_t branch, uint32_t depth) {
      auto known = of_branch_.find(chain(key, branch));
      if (known == of_branch_.end() || lineage_.depth_of(out_.links[known->second].to) > depth)
        return true;
      found = &out_.links[known->second];
      return false;
    });
    return found == nullptr && is_open ? &out_.links[first->second] : found;
  }

  Producer producer_of(const ToolResult& result, CallId reader) const {
    if (!result.tool_use) return by_order(result, reader);
    std::unordered_map<uint32_t, std::vector<Producer>>::const_iterator known =
        producers_.find(result.tool_use.index);
    if (known != producers_.end())
      if (Producer producer = choose(known->second, result, reader); producer.call) return producer;
    return echoed(result, reader);
  }

  /// Where neither the use nor the result has an id, the nth result behind an answer is of the nth
  /// use that it asked for.
  Producer by_order(const ToolResult& result, CallId reader) const {
    constexpr size_t kLooked = 256;  // results, and uses
    size_t nth = 0, looked = 0;
    const ToolResult* const first = timeline_.results_in(result.message).data();
    for (const ToolResult* at = &result; at != first && looked < kLooked; ++looked)
      nth += !(--at)->tool_use;
    MessageId at = timeline_[result.message].before;
    for (; at && timeline_[at].role != Message::Role::assistant && looked < kLooked; ++looked) {
      for (const ToolResult& other : timeline_.results_in(at)) ++looked, nth += !other.tool_use;
      at = timeline_[at].before;
    }
    if (!at || timeline_[at].role != Message::Role::assistant || looked >= kLooked) return {};
    const std::span<const ToolUse> uses = timeline_.uses_in(at);
    for (const ToolUse& use : uses.first(std::min(uses.size(), kLooked))) {
      if (use.id || nth-- > 0) continue;
      const std::span<const CallId> answered = those_before(reader, timeline_.answered_with(at));
      const CallId call =
          answered.empty() ? last_asked(timeline_[at].before, reader) : answered.back();
      return {call, timeline_.id_of(use), Rule::transcript};
    }
    return {};
  }

  /// Some clients count their ids from one again, and runs are played again with the same ids: then
  /// the history shows which use is meant, of several the one that the reader goes on from; where
  /// it does not, the nearest before the result.
  Producer choose(const std::vector<Producer>& all, const ToolResult& result, CallId reader) const {
    std::vector<Producer>::const_iterator end =
        std::partition_point(all.begin(), all.end(),
                             [&](const Producer& p) { return timeline_.before(p.call, reader); });
    constexpr ptrdiff_t kLooked = 64;
    std::vector<Producer>::const_iterator begin = end - std::min(end - all.begin(), kLooked);
    Producer best;
    int worth = -1;
    for (std::vector<Producer>::const_iterator at = begin; at != end; ++at) {
      if (!timeline_.compatible(at->call, reader)) continue;
      bool is_told = timeline_[at->call].answer == timeline_[result.message].before;
      bool leads = lineage_.leads_to(at->call, reader);
      if (int of = (is_told ? 2 : 0) + (leads ? 1 : 0); of >= worth) worth = of, best = *at;
    }
    if (best.call) return best;
    // An exact id against the clock: believed, and the graph warns of the clock.
    if (all.size() == 1 && all.front().call != reader &&
        timeline_.compatible(all.front().call, reader))
      return all.front();
    return {};
  }

  /// The use as the history repeats it, and the call that was asked with what precedes it and whose
  /// own answer lost the id.
  Producer echoed(const ToolResult& result, CallId reader) const {
    constexpr int kLooked = 8;  // a result follows its use; a system message may be between
    MessageId at = timeline_[result.message].before;
    for (int i = 0; i < kLooked && at; ++i, at = timeline_[at].before)
      for (const ToolUse& use : timeline_.uses_in(at))
        if (use.id == result.tool_use)
          return {last_asked(timeline_[at].before, reader), timeline_.id_of(use),
                  Rule::echoed_history};
    return {};
  }

  /// The call that was asked with the request and lost what it answered: the one that the reader's
  /// conversation went through, else the last before the reader.
  CallId last_asked(MessageId request, CallId reader) const {
    constexpr int kLooked = 64;
    CallId at = lineage_.previous(reader);
    for (int i = 0; i < kLooked && at; ++i, at = lineage_.previous(at))
      if (timeline_[at].request == request && lost(at)) return at;
    if (!request) return {};
    const std::span<const CallId> asked = those_before(reader, timeline_.asked_with(request));
    for (size_t i = asked.size(), looked = 0; i-- > 0 && looked < kLooked; ++looked)
      if (lost(asked[i]) && timeline_.compatible(asked[i], reader)) return asked[i];
    return {};
  }

  std::span<const CallId> those_before(CallId reader, std::span<const CallId> calls) const {
    const auto end = std::partition_point(calls.begin(), calls.end(),
                                          [&](CallId id) { return timeline_.before(id, reader); });
    return {calls.begin(), end};
  }

  bool lost(CallId id) const {
    const Call& call = timeline_[id];
    return !call.answer || call.answer_is_lossy;
  }

  const Timeline& timeline_;
  Findings& out_;
  Lineage lineage_;
  std::vector<bool> read_;               ///< by message: some call was told it
  std::vector<bool> is_repeated_;        ///< by id of a tool use
  std::unordered_set<uint64_t> askers_;  ///< message and repeated id that it asks for
  std::vector<uint32_t> readers_;
  std::unordered_map<uint32_t, std::vector<Producer>> producers_;  ///< by id, earliest first
  std::unordered_map<uint64_t, size_t> first_;      ///< id and producer -> the first link
  std::unordered_map<uint64_t, size_t> of_branch_;  ///< … and branch -> the first link on it
  std::set<std::pair<uint32_t, uint32_t>> orphans_;
  /// Calls that may go on with another one as well -> the link that says so.
  std::unordered_map<uint32_t, size_t> doubted_;
};

void link_tool_results(const Timeline& timeline, const LinkOptions&, Findings& out) {
  ToolResults results(timeline, out);
  for (CallId call : timeline.in_order()) results.read(call);
}

}  // namespace

extern constinit const Linker kToolResultLinker = {
    .name = "tool-result",
    .summary = "a tool's output read by a later call",
    .find = link_tool_results,
};

}  // namespace xtrace
