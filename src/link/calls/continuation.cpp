#include <algorithm>
#include <unordered_map>

#include "link/calls/linkers.h"

namespace xtrace {

namespace {

bool succeeded(const Call& call) {
  return call.outcome != Outcome::error && call.outcome != Outcome::unanswered;
}

/// Is what the call answered known well enough to tell whether a later request repeats it?
bool answer_is_known(const Timeline& timeline, CallId id) {
  const Call& call = timeline[id];
  return call.answer && !call.answer_is_lossy && succeeded(timeline[id]);
}

/// Finds for each call the call whose conversation it goes on with: the one with the longest
/// message list that this request begins with.
///
///     path of the request:   u1 ── a1 ── u2 ── a2 ── u3
///     walked from the right:                    │     └ asked before and failed: a retry
///                                               └ somebody's answer: continuation, 1.0
///                                         └ asked, and the answer unknown: continuation, 0.95
class Continuations {
 public:
  Continuations(const Timeline& timeline, Findings& out)
      : timeline_(timeline),
        out_(out),
        continued_(timeline.in_order().size()),
        attempt_(timeline.in_order().size(), 1) {
    for (CallId call : timeline.in_order())
      if (StringId id = timeline[call].response) by_response_.emplace(id.index, call);
  }

  void find(CallId call) {
    if (timeline_[call].is_converted) return;
    MessageId request = timeline_[call].request;
    if (CallId failed = failed_before(call, request))
      return add({failed}, call, Rule::same_messages);
    if (CallId previous = timeline_[call].previous)
      return add({previous}, call, timeline_[call].is_compacted ? Rule::summary : Rule::transcript);
    if (timeline_[call].in_transcript || follows(call)) return;
    for (MessageId at = request; at; at = timeline_[at].before) {
      if (link(call, timeline_.answered_with(at), Rule::messages_and_answer)) return;
      if (at != request && link(call, timeline_.asked_with(at), Rule::messages)) return;
    }
  }

 private:
  static constexpr size_t kLooked = 32;  // messages shared by thousands of calls tell nothing

  /// A request that names the answer it goes on from does not repeat what was said.
  bool follows(CallId call) {
    StringId named = timeline_[call].follows;
    if (!named) return false;
    std::unordered_map<uint32_t, CallId>::const_iterator from = by_response_.find(named.index);
    bool known = from != by_response_.end() && timeline_.before(from->second, call);
    if (known) add({from->second}, call, Rule::response_id);
    return known;
  }

  bool fits(CallId from, CallId to, Rule rule) const {
    if (!timeline_.before(from, to) || !timeline_.compatible(from, to)) return false;
    return rule != Rule::messages || !answer_is_known(timeline_, from);
  }

  /// The last call with the very same messages, if it failed and was over when this one began.
  CallId failed_before(CallId to, MessageId request) const {
    if (!request) return {};
    std::span<const CallId> same = timeline_.asked_with(request);
    std::span<const CallId>::iterator at = first_not_before(same, to);
    for (size_t i = 0; i < kLooked && at != same.begin(); ++i) {
      CallId id = *--at;
      // Without a history of their own, the same words may be said in different conversations.
      if (timeline_[id].follows != timeline_[to].follows) continue;
      if (timeline_.compatible(id, to) && timeline_.gap(id, to) >= Duration{0})
        return succeeded(timeline_[id]) ? CallId{} : id;
    }
    return {};
  }

  std::span<const CallId>::iterator first_not_before(std::span<const CallId> calls,
                                                     CallId to) const {
    return std::partition_point(calls.begin(), calls.end(),
                                [&](CallId id) { return timeline_.before(id, to); });
  }

  bool link(CallId to, std::span<const CallId> candidates, Rule rule) {
    // Candidates come in order of time; the nearest are the last before this call.
    std::span<const CallId>::iterator end = first_not_before(candidates, to);
    std::vector<CallId> fitting;
    for (size_t i = 0; i < kLooked && end != candidates.begin(); ++i)
      if (CallId from = *--end; fits(from, to, rule)) fitting.push_back(from);
    if (fitting.empty()) return false;
    // Calls that said exactly the same are told apart by who already went on; one that had ended
    // by then is likelier than one that was still going.
    std::vector<CallId>::iterator best =
        std::min_element(fitting.begin(), fitting.end(),
                         [&](CallId a, CallId b) { return cost(a, to) < cost(b, to); });
    std::iter_swap(fitting.begin(), best);
    add(fitting, to, rule);
    return true;
  }

  int cost(CallId from, CallId to) const {
    bool still_going = timeline_.gap(from, to) < Duration{0};
    return (continued_[from.index] ? 2 : 0) + (still_going ? 1 : 0);
  }

  void add(const std::vector<CallId>& fitting, CallId to, Rule rule) {
    Link link;
    link.from = fitting.front();
    link.to = to;
    link.rule = rule;
    link.kind = rule == Rule::same_messages ? LinkKind::retry : LinkKind::continuation;
    link.gap = timeline_.gap(link.from, to);
    if (link.kind == LinkKind::retry) {
      attempt_[to.index] = static_cast<uint16_t>(std::min(attempt_[link.from.index] + 1, 0xffff));
      link.attempt = attempt_[to.index];
    }
    // The attempts before the last one are no rivals of it.
    if (link.kind == LinkKind::continuation)
      for (size_t i = 1; i < fitting.size(); ++i)
        if (!out_.name_rival(link, fitting[i], {}, fitting.size())) break;
    link.rivals =
        rule == Rule::transcript ? timeline_[to].rivals : static_cast<uint16_t>(link.alternatives);
    continued_[link.from.index] = true;
    out_.links.push_back(link);
  }

  const Timeline& timeline_;
  Findings& out_;
  std::vector<bool> continued_;
  std::vector<uint16_t> attempt_;
  std::unordered_map<uint32_t, CallId> by_response_;  ///< the first that was answered so
};

void link_conversations(const Timeline& timeline, const LinkOptions&, Findings& out) {
  Continuations continuations(timeline, out);
  for (CallId call : timeline.in_order()) continuations.find(call);
}

}  // namespace

extern constinit const Linker kConversationLinker = {
    .name = "conversation",
    .summary = "a request that begins with another's messages; the same one again",
    .find = link_conversations,
};

}  // namespace xtrace
