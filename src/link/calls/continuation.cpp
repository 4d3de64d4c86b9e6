#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "facts/made_id.h"
#include "facts/stop_reasons.h"
#include "link/calls/linkers.h"

namespace xtrace {

namespace {

bool succeeded(const Call& call) {
  return call.outcome != Outcome::error && call.outcome != Outcome::unanswered;
}

/// Is the same asked again another attempt at it?
bool has_failed(const Timeline& timeline, const Call& call) {
  return !succeeded(call) || timeline.trace()[call.stop_reason] == kRefusal;
}

/// Is what the call answered known well enough to show whether a later request repeats it?
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
///
/// Clients rewrite histories: they leave out old messages, put a summary in their place, move a
/// reminder. Then the longest beginning is that of a call long ago, and the end tells: whoever
/// answered with the last answer that the request repeats is the call before.
class Continuations {
 public:
  Continuations(const Timeline& timeline, Findings& out)
      : timeline_(timeline),
        out_(out),
        continued_by_(timeline.in_order().size()),
        attempt_(timeline.in_order().size(), 1) {
    for (CallId id : timeline.in_order()) {
      const Call& call = timeline[id];
      if (call.response) by_response_.emplace(call.response.index, id);
      if (call.answer && timeline[call.answer].own != 0)
        by_answer_[timeline[call.answer].own].push_back(id);
    }
  }

  void find(CallId call) {
    if (timeline_[call].is_converted) return;
    MessageId request = timeline_[call].request;
    std::vector<CallId> failed = failed_before(call, request);
    if (!request)
      if (CallId before = failed_unasked_before(call)) failed = {before};
    if (!failed.empty()) return add(failed, call, Rule::same_messages);
    if (CallId previous = timeline_[call].previous)
      return add({previous}, call, timeline_[call].is_compacted ? Rule::summary : Rule::transcript);
    if (timeline_[call].in_transcript || follows(call)) return;
    bool repeats_answer = false;  // of what was walked so far
    for (MessageId at = request; at; at = timeline_[at].before) {
      if (link(call, timeline_.answered_with(at), Rule::messages_and_answer)) return;
      if (at != request && link(call, timeline_.asked_with(at), Rule::messages)) return;
      if (repeats_answer || timeline_[at].role != Message::Role::assistant) continue;
      repeats_answer = true;
      MessageId before = timeline_[at].before;
      if (before && link(call, timeline_.asked_with(before), Rule::messages)) return;
      if (by_end(call, at)) return;
    }
    against_the_clock(call, request);
  }

 private:
  static constexpr size_t kLooked = 32;  // messages shared by thousands of calls show nothing

  bool names_tool_uses(MessageId message) const {
    std::span<const ToolUse> uses = timeline_.uses_in(message);
    return std::any_of(uses.begin(), uses.end(), [](const ToolUse& use) { return use.id; });
  }

  /// Do the ids of its tool uses show who gave this answer, if `said` gave the same one?
  bool proves_itself(MessageId answer, std::span<const CallId> said) const {
    if (said.size() == 1) return names_tool_uses(answer);
    std::span<const ToolUse> uses = timeline_.uses_in(answer);
    return std::any_of(uses.begin(), uses.end(), [&](const ToolUse& use) {
      return is_one_of_its_kind(timeline_.trace()[use.id]);
    });
  }

  /// How many messages are the same from these two back, at most `most`.
  uint32_t common_end(MessageId a, MessageId b, uint32_t most) const {
    uint32_t same = 0;
    for (; a && b && same < most && timeline_[a].own == timeline_[b].own; ++same) {
      a = timeline_[a].before;
      b = timeline_[b].before;
    }
    return same;
  }

  /// `answer`: the last one that the request repeats. It proves who gave it by the ids of its tool
  /// uses; a text alone may be said twice, and a client may count its ids, so the message that it
  /// answers has to be the same too.
  bool by_end(CallId to, MessageId answer) {
    auto found = by_answer_.find(timeline_[answer].own);
    if (found == by_answer_.end()) return false;
    MessageId before = timeline_[answer].before;
    constexpr uint32_t kCompared =
        64;  // twins that said so much alike are distinguished by nothing
    std::span<const CallId> said = found->second;
    const uint32_t least = proves_itself(answer, said) ? 0 : 1;
    std::span<const CallId>::iterator end = first_not_before(said, to);
    std::vector<std::pair<uint32_t, CallId>> fitting;  // how much is the same; the nearest first
    for (size_t i = 0; i < kLooked && end != said.begin(); ++i) {
      CallId from = *--end;
      uint32_t same = common_end(timeline_[from].request, before, kCompared);
      if (same >= least && timeline_.compatible(from, to)) fitting.emplace_back(same, from);
    }
    if (fitting.empty()) return false;
    const uint32_t most = std::max_element(fitting.begin(), fitting.end())->first;
    std::vector<CallId> alike;
    for (const auto& [same, from] : fitting)
      if (same == most) alike.push_back(from);
    add_rewritten(likeliest(std::move(alike), to), to, answer);
    return true;
  }

  /// Nothing before it fits. The only call that ever gave the last answer that the request repeats
  /// is believed where the request brings the results of its tool uses, as those are linked too;
  /// the graph warns of the clock.
  void against_the_clock(CallId to, MessageId request) {
    MessageId at = request;
    bool has_results = false;
    for (; at && timeline_[at].role != Message::Role::assistant; at = timeline_[at].before)
      has_results |= !timeline_.results_in(at).empty();
    if (!at || !has_results || !names_tool_uses(at)) return;
    std::span<const CallId> gave = timeline_.answered_with(at);
    if (gave.size() == 1 && gave[0] != to && timeline_.compatible(gave[0], to))
      add({gave[0]}, to, Rule::messages_and_answer);
  }

  void add_rewritten(const std::vector<CallId>& fitting, CallId to, MessageId answer) {
    const Call& from = timeline_[fitting.front()];
    MessageId a = from.answer, b = answer;
    uint32_t had = timeline_[a].depth, has = timeline_[b].depth;
    uint32_t end = 1 + common_end(from.request, timeline_[answer].before, UINT32_MAX);
    while (a && b && a != b) {  // up to what both begin with
      MessageId& deeper = timeline_[a].depth >= timeline_[b].depth ? a : b;
      deeper = timeline_[deeper].before;
    }
    uint32_t same = end + (a && b ? timeline_[a].depth : 0);
    uint32_t went = had - std::min(had, same), came = has - std::min(has, same);
    Rule rule = went <= came ? Rule::rewritten : came == 0 ? Rule::truncated : Rule::summary;
    add(fitting, to, rule, rule == Rule::rewritten ? 0 : went);
  }

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

  /// The last call with the very same messages that failed and was over when this one began, if
  /// nothing tried again since; behind it those of which this one may be another attempt as well.
  std::vector<CallId> failed_before(CallId to, MessageId request) const {
    if (!request) return {};
    std::vector<CallId> failed, tried;
    std::span<const CallId> same = timeline_.asked_with(request);
    std::span<const CallId>::iterator at = first_not_before(same, to);
    for (size_t i = 0; i < kLooked && at != same.begin(); ++i) {
      CallId id = *--at;
      // Without a history of their own, the same words may be said in different conversations.
      if (timeline_[id].follows != timeline_[to].follows) continue;
      // A summary that is asked for without words is no other try of what it sums up.
      if (timeline_[id].sums_up != timeline_[to].sums_up) continue;
      if (!has_failed(timeline_, timeline_[id]) || !is_over_before(id, to) ||
          !timeline_.compatible(id, to))
        continue;
      if (!is_same_asker(id, to) || is_asked_anew(id, to)) continue;
      (continued_by_[id.index] ? tried : failed).push_back(id);
    }
    if (failed.empty()) return {};
    put_first_to_the_front(failed);
    for (CallId id : tried)
      if (could_swap(failed.front(), id)) failed.push_back(id);
    return failed;
  }

  /// Agents of different kinds may be told the same, such as one that watches over another.
  bool is_same_asker(CallId from, CallId to) const {
    const Call &a = timeline_[from], &b = timeline_[to];
    if (a.agent_type && b.agent_type) return a.agent_type == b.agent_type;
    // Few transcripts tell the system prompt of each call.
    const bool may_lack = a.in_transcript || b.in_transcript;
    return a.system_prompt == b.system_prompt ||
           (may_lack && (!a.system_prompt || !b.system_prompt));
  }

  /// What opens a conversation may be said again on another day: only a history or the log itself
  /// shows that this is still the same one.
  bool is_asked_anew(CallId from, CallId to) const {
    constexpr Duration kLongestWait = std::chrono::hours(1);
    const Call &a = timeline_[from], &b = timeline_[to];
    if (a.in_transcript || b.in_transcript || timeline_[b.request].before || b.follows ||
        (a.session && a.session == b.session))
      return false;
    const Duration wait =
        a.asked_to_wait == Call::kNoWait ? Duration{0} : std::chrono::milliseconds(a.asked_to_wait);
    const Duration gap = timeline_.gap(from, to);
    return gap != kNoDuration && gap - wait > kLongestWait;
  }

  /// Could the call that goes on with `other` go on with `one` as well?
  bool could_swap(CallId one, CallId other) const {
    const CallId by = continued_by_[other.index];
    return !by || (timeline_.before(one, by) && is_over_before(one, by));
  }

  /// The same where the transcript does not show what was asked at first, as streams do not.
  CallId failed_unasked_before(CallId to) {
    const Call& call = timeline_[to];
    if (!call.in_transcript || call.previous || !call.session) return {};
    CallId& last = unasked_[{call.session, call.agent}];
    const CallId before = std::exchange(last, to);
    if (!before || !has_failed(timeline_, timeline_[before]) || !is_over_before(before, to))
      return {};
    // What is between them may be the beginning of another turn.
    const Extent &failed = timeline_[before].source, &tried = call.source;
    const bool is_next = failed.file == tried.file && failed.line + 1 == tried.line;
    return is_next ? before : CallId{};
  }

  /// In a transcript that shows no times, what follows an attempt came after it.
  bool is_over_before(CallId from, CallId to) const {
    const Call &a = timeline_[from], &b = timeline_[to];
    const bool has_order = a.in_transcript && b.in_transcript && a.source.file == b.source.file;
    if (has_order && a.start == kNoTime && b.start == kNoTime) return true;
    return timeline_.gap(from, to) >= Duration{0};
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
    add(likeliest(std::move(fitting), to), to, rule);
    return true;
  }

  /// Calls that said exactly the same, the nearest first, are distinguished by who asked; then by
  /// who already went on, and one that had ended by then is likelier than one that was still going.
  /// The likeliest one, and behind it those that fit as well.
  std::vector<CallId> likeliest(std::vector<CallId> fitting, CallId to) const {
    if (std::any_of(fitting.begin(), fitting.end(),
                    [&](CallId from) { return is_same_asker(from, to); }))
      std::erase_if(fitting, [&](CallId from) { return !is_same_asker(from, to); });
    std::stable_sort(fitting.begin(), fitting.end(),
                     [&](CallId a, CallId b) { return cost(a, to) < cost(b, to); });
    const auto dearer = std::find_if(fitting.begin(), fitting.end(), [&](CallId from) {
      return cost(from, to) > cost(fitting.front(), to);
    });
    put_first_to_the_front(std::span(fitting.begin(), dearer));
    std::vector<CallId> likely = {fitting.front()};
    for (size_t i = 1; i < fitting.size(); ++i)
      if (could_swap(fitting.front(), fitting[i])) likely.push_back(fitting[i]);
    return likely;
  }

  /// `calls`: the nearest first. Of those that ran side by side with it, who began first is the
  /// first to go on.
  void put_first_to_the_front(std::span<CallId> calls) const {
    size_t first = 0;
    for (size_t i = 1; i < calls.size(); ++i)
      if (const Duration gap = timeline_.gap(calls[i], calls[first]);
          gap != kNoDuration && gap < Duration{0})
        first = i;
    std::swap(calls[0], calls[first]);
  }

  int cost(CallId from, CallId to) const {
    bool still_going = timeline_.gap(from, to) < Duration{0};
    return (continued_by_[from.index] ? 2 : 0) + (still_going ? 1 : 0);
  }

  void add(const std::vector<CallId>& fitting, CallId to, Rule rule, uint32_t dropped = 0) {
    Link link;
    link.dropped = dropped;
    link.from = fitting.front();
    link.to = to;
    link.rule = rule;
    link.kind = rule == Rule::same_messages ? LinkKind::retry : LinkKind::continuation;
    link.gap = timeline_.gap(link.from, to);
    if (link.kind == LinkKind::retry) {
      attempt_[to.index] = static_cast<uint16_t>(std::min(attempt_[link.from.index] + 1, 0xffff));
      link.attempt = attempt_[to.index];
    }
    for (size_t i = 1; i < fitting.size(); ++i)
      if (!out_.name_rival(link, fitting[i], {}, fitting.size())) break;
    link.rivals =
        rule == Rule::transcript ? timeline_[to].rivals : static_cast<uint16_t>(fitting.size() - 1);
    continued_by_[link.from.index] = to;
    out_.links.push_back(link);
  }

  const Timeline& timeline_;
  Findings& out_;
  std::vector<CallId> continued_by_;  ///< by call: the last that goes on with it
  std::vector<uint16_t> attempt_;
  std::map<std::pair<StringId, StringId>, CallId> unasked_;  ///< by session and agent: the last one
  std::unordered_map<uint32_t, CallId> by_response_;         ///< the first that was answered so
  std::unordered_map<uint64_t, std::vector<CallId>> by_answer_;  ///< by Message::own, in order
};

void link_conversations(const Timeline& timeline, const LinkOptions&, Findings& out) {
  Continuations continuations(timeline, out);
  for (CallId call : timeline.in_order()) continuations.find(call);
}

}  // namespace

extern constinit const Linker kConversationLinker = {
    .name = "conversation",
    .summary = "a request that begins with another's messages, or repeats it",
    .find = link_conversations,
};

}  // namespace xtrace
