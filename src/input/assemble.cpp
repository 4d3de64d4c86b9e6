#include "input/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "facts/rows.h"
#include "input/threads.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;
constexpr uint32_t kNone = UINT32_MAX;

/// A call as far as it is known.
struct Sketch {
  uint32_t thread = 0;
  uint32_t first = kNone;                 ///< the utterance that names it
  uint32_t previous = kNone;              ///< index of the call it goes on from
  std::vector<uint32_t> asked, answered;  ///< utterances
  Time asked_at = kNoTime, until = kNoTime;
  bool failed = false, is_compacted = false;
  MessageId end;  ///< of its messages, the answer with them
};

/// Finds out which utterances make which calls. A thread branches where something is said again to
/// an earlier state of the conversation; what an utterance follows tells where it belongs, and
/// where that cannot be told, it goes on with what stands before it in the file.
class Sketching {
 public:
  Sketching(const Trace& trace, const std::vector<Thread>& threads)
      : trace_(trace), threads_(threads), spots_(trace.utterances.size()) {
    for (uint32_t i = 0; i < spots_.size(); ++i)
      if (said(i).id) by_id_.emplace(said(i).id.index, i);
  }

  std::vector<Sketch> sketch() {
    for (thread_ = 0; thread_ < threads_.size(); ++thread_) {
      branches_.assign(1, {});
      latest_ = 0;
      for (uint32_t i : threads_[thread_].said) follow(i);
    }
    return std::move(sketches_);
  }

 private:
  struct Branch {
    uint32_t last = kNone;          ///< its last call
    std::vector<uint32_t> pending;  ///< said since
    Time asked_at = kNoTime;
    bool is_compacted = false;
  };
  /// Where an utterance stands: the branch, and its last call by then.
  struct Spot {
    uint32_t thread = kNone, branch = 0, last = kNone;
  };

  const Utterance& said(uint32_t i) const { return trace_.utterances[i]; }

  void follow(uint32_t i) {
    switch (said(i).kind) {
      case Kind::asked: ask(i); break;
      case Kind::answered: answer(i); break;
      case Kind::failed: fail(i); break;
      case Kind::compacted: branches_[branch_of(i)].is_compacted = true; break;
      case Kind::counted: count(i); break;
      case Kind::silent: return;
      case Kind::agent:
      case Kind::report: return;
    }
  }

  /// The utterance of this thread that says something and that this one follows, if that is known;
  /// silent ones in between are passed over.
  uint32_t before(uint32_t i) const {
    constexpr int kPassed = 10'000;
    StringId id = said(i).after;
    for (int passed = 0; id && passed < kPassed; ++passed) {
      auto known = by_id_.find(id.index);
      if (known == by_id_.end()) break;
      if (spots_[known->second].thread == thread_) return known->second;
      id = said(known->second).after;
    }
    return kNone;
  }

  uint32_t branch_of(uint32_t i) {
    uint32_t at = before(i);
    if (at == kNone) return latest_;
    const Spot spot = spots_[at];
    if (spot.last == branches_[spot.branch].last) return latest_ = spot.branch;
    Branch again;
    again.last = spot.last;
    if (said(at).kind == Kind::asked) {
      again.pending.push_back(at);
      again.asked_at = said(at).time;
    }
    branches_.push_back(std::move(again));
    return latest_ = static_cast<uint32_t>(branches_.size() - 1);
  }

  /// A tool's output belongs to the branch of who asked for it, whatever it stands behind.
  uint32_t branch_of_results(uint32_t i) const {
    if (!said(i).message) return kNone;
    for (const ToolResult& result : rows_of(trace_.tool_results, said(i).message))
      if (auto user = users_.find(result.tool_use.index);
          user != users_.end() && result.tool_use && user->second.thread == thread_)
        return user->second.branch;
    return kNone;
  }

  void ask(uint32_t i) {
    uint32_t at = branch_of_results(i);
    if (at == kNone) at = branch_of(i);
    latest_ = at;
    Branch& branch = branches_[at];
    branch.pending.push_back(i);
    branch.asked_at = std::max(branch.asked_at, said(i).time);
    spots_[i] = {thread_, at, branch.last};
  }

  void answer(uint32_t i) {
    if (uint32_t known = call_of(i); known != kNone) {
      spots_[i] = {thread_, spots_[sketches_[known].first].branch, known};
      return add(i, sketches_[known]);
    }
    uint32_t at = branch_of(i);
    Sketch& call = begin(i, branches_[at]);
    branches_[at].last = static_cast<uint32_t>(sketches_.size() - 1);
    branches_[at].pending.clear();
    branches_[at].asked_at = kNoTime;
    branches_[at].is_compacted = false;
    spots_[i] = {thread_, at, branches_[at].last};
    if (StringId answer = said(i).answer) by_answer_[answer.index] = branches_[at].last;
    add(i, call);
  }

  /// The call that an utterance is a further piece of: named by the answer; where that has no name,
  /// the last one, if nothing was asked since.
  uint32_t call_of(uint32_t i) const {
    if (StringId answer = said(i).answer) {
      auto known = by_answer_.find(answer.index);
      return known == by_answer_.end() ? kNone : known->second;
    }
    uint32_t at = before(i);
    const Branch& branch = branches_[at == kNone ? latest_ : spots_[at].branch];
    if (!branch.pending.empty() || branch.last == kNone) return kNone;
    const Utterance& first = said(sketches_[branch.last].first);
    bool other = at != kNone && spots_[at].last != branch.last;
    return other || first.answer || sketches_[branch.last].failed ? kNone : branch.last;
  }

  Sketch& begin(uint32_t i, const Branch& branch) {
    Sketch& call = sketches_.emplace_back();
    call.thread = thread_;
    call.first = i;
    call.previous = branch.last;
    call.asked = branch.pending;
    call.asked_at = branch.asked_at;
    call.is_compacted = branch.is_compacted;
    return call;
  }

  void add(uint32_t i, Sketch& call) {
    call.answered.push_back(i);
    call.until = std::max(call.until, said(i).time);
    if (!said(i).message) return;
    for (const ToolUse& use : rows_of(trace_.tool_uses, said(i).message))
      if (use.id) users_.emplace(use.id.index, spots_[i]);
  }

  /// What was asked waits for the next attempt.
  void fail(uint32_t i) {
    uint32_t at = branch_of(i);
    Sketch& call = begin(i, branches_[at]);
    call.failed = true;
    call.until = said(i).time;
    branches_[at].asked_at = std::max(branches_[at].asked_at, said(i).time);
    spots_[i] = {thread_, at, branches_[at].last};
  }

  void count(uint32_t i) {
    if (uint32_t last = branches_[latest_].last; last != kNone)
      sketches_[last].answered.push_back(i);
  }

  const Trace& trace_;
  const std::vector<Thread>& threads_;
  std::vector<Spot> spots_;  ///< by utterance
  std::vector<Sketch> sketches_;
  std::unordered_map<uint32_t, uint32_t> by_id_, by_answer_;
  std::unordered_map<uint32_t, Spot> users_;  ///< by tool use
  uint32_t thread_ = 0, latest_ = 0;
  std::vector<Branch> branches_;  ///< of this thread
};

/// Makes the facts.
class Writing {
 public:
  Writing(Trace& trace, const std::vector<Thread>& threads) : trace_(trace), threads_(threads) {
    for (size_t i = 0; i < trace.messages.size(); ++i)
      by_key_.emplace(trace.messages[i].key, MessageId(i));
  }

  void write(std::vector<Sketch>& sketches) {
    std::vector<EventId> events;
    for (Sketch& sketch : sketches) {
      const Sketch* previous = sketch.previous == kNone ? nullptr : &sketches[sketch.previous];
      Call call =
          written(sketch, previous == nullptr || sketch.is_compacted ? MessageId{} : previous->end);
      if (previous != nullptr) call.previous = events[sketch.previous];
      events.push_back(add(event_of(sketch), call));
    }
  }

  void write(const Utterance& report, StringId id) {
    Event event;
    event.source = report.source;
    event.start = report.time;
    if (report.took != kNoDuration && report.time != kNoTime) {
      event.start = after(report.time, -report.took);
      event.duration = report.took;
    }
    event.decimals = report.decimals;
    event.outcome = Outcome::unrecorded;
    event.id = id;
    event.digest = hash_of(trace_[id]);
    Call call;
    call.in_transcript = call.in_subagent = true;
    call.session = report.session;
    call.agent = report.agent;
    call.agent_type = report.agent_type;
    call.spawned_by = report.tool_use;
    add(event, call);
  }

 private:
  const Utterance& said(uint32_t i) const { return trace_.utterances[i]; }

  EventId add(Event event, Call call) {
    EventId id(trace_.events.size());
    event.call = CallId(trace_.calls.size());
    call.event = id;
    trace_.events.push_back(event);
    trace_.calls.push_back(call);
    return id;
  }

  Call written(Sketch& sketch, MessageId before) {
    Call call;
    MessageId request = before;
    call.first_place = static_cast<uint32_t>(trace_.places.size());
    for (uint32_t i : sketch.asked) {
      if (said(i).message)
        request = message(request, {&said(i).message, 1}, trace_[said(i).message].role);
      trace_.places.push_back(said(i).source);
    }
    std::vector<MessageId> pieces;
    for (uint32_t i : sketch.answered) {
      const Utterance& piece = said(i);
      auto take = [](StringId& known, StringId told) { known = told ? told : known; };
      take(call.model, piece.model);
      take(call.stop_reason, piece.stop_reason);
      take(call.error, piece.error);
      take(call.user, piece.user);
      if (piece.tokens != Tokens{}) call.tokens = piece.tokens;
      if (piece.kind != Kind::answered) continue;
      bool again = std::find(pieces.begin(), pieces.end(), piece.message) != pieces.end();
      if (piece.message && !again) pieces.push_back(piece.message);
      trace_.places.push_back(piece.source);
    }
    call.places = static_cast<uint32_t>(trace_.places.size()) - call.first_place;
    call.request = request;
    call.message_count = request ? trace_[request].depth : 0;
    if (!pieces.empty()) call.answer = message(request, pieces, Message::Role::assistant);
    sketch.end = call.answer ? call.answer : request;
    if (sketch.failed) call.error = said(sketch.first).error;
    const Thread& thread = threads_[sketch.thread];
    call.asked_model = call.model;
    call.session = thread.session;
    call.agent = thread.agent;
    call.agent_type = thread.agent_type;
    call.in_transcript = true;
    call.in_subagent = thread.is_subagent;
    call.is_compacted = sketch.is_compacted;
    if (sketch.previous == kNone) call.spawned_by = thread.tool_use;
    return call;
  }

  Event event_of(const Sketch& sketch) {
    const Utterance& first = said(sketch.first);
    Event event;
    event.source = first.source;
    event.start = sketch.asked_at != kNoTime ? sketch.asked_at : first.time;
    event.decimals = first.decimals;
    event.duration = elapsed(event.start, sketch.until);
    if (event.duration != kNoDuration && event.duration < Duration{0}) {
      event.start = first.time;  // what was asked is dated later than the answer
      event.duration = elapsed(event.start, sketch.until);
    }
    event.outcome = sketch.failed ? Outcome::error : first.outcome;
    event.id = first.request ? first.request : first.answer ? first.answer : first.id;
    event.digest = chain(first.source.offset, hash_of(trace_[event.id]));
    if (!event.id)
      event.id = trace_.strings.intern(
          fmt::format("call-{:012x}", chain(hash_of(trace_[threads_[sketch.thread].session]),
                                            chain(trace_places_of(sketch), 0)) &
                                          0xffffffffffff));
    return event;
  }

  /// Names a call of which nothing has a name, the same way wherever its file stands.
  uint64_t trace_places_of(const Sketch& sketch) const {
    const Utterance& first = said(sketch.first);
    return chain(static_cast<uint64_t>(first.time.time_since_epoch().count()),
                 sketch.end ? trace_[sketch.end].key : first.source.offset);
  }

  /// The message that says these pieces after `before`: a known one or a new one.
  MessageId message(MessageId before, std::span<const MessageId> pieces, Message::Role role) {
    uint64_t key = chain(before ? trace_[before].key : 0, static_cast<uint64_t>(role) + 1);
    for (MessageId piece : pieces) key = chain(key, trace_[piece].key);
    auto [known, is_new] = by_key_.emplace(key, MessageId(trace_.messages.size()));
    MessageId id = known->second;
    if (!is_new) return id;
    trace_.messages.push_back({before, before ? trace_[before].depth + 1 : 1, key, role});
    for (MessageId piece : pieces) {
      copy_rows(trace_.tool_uses, piece, id);
      copy_rows(trace_.tool_results, piece, id);
      copy_rows(trace_.prompts, piece, id);
      copy_rows(trace_.wordings, piece, id);
    }
    return id;
  }

  template <class Row>
  static void copy_rows(std::vector<Row>& rows, MessageId from, MessageId to) {
    std::span<const Row> found = rows_of(rows, from);
    size_t first = static_cast<size_t>(found.data() - rows.data()), count = found.size();
    for (size_t i = first; i < first + count; ++i) {
      Row row = rows[i];
      row.message = to;
      rows.push_back(row);
    }
  }

  Trace& trace_;
  const std::vector<Thread>& threads_;
  std::unordered_map<uint64_t, MessageId> by_key_;
};

/// Which subagents have utterances of their own.
class Recorded {
 public:
  Recorded(const Trace& trace, const std::vector<Thread>& threads) {
    for (const Thread& thread : threads) {
      if (!thread.is_subagent) continue;
      known_.insert({thread.session, thread.agent});
      known_.insert({thread.session, thread.tool_use});
      known_.insert({thread.session, thread.prompt});
      const Utterance& first = trace.utterances[thread.said.front()];
      if (first.message)
        for (const Prompt& prompt : rows_of(trace.prompts, first.message))
          known_.insert({thread.session, prompt.hash});
      if (!thread.agent && !thread.tool_use && !thread.prompt) unnamed_.insert(thread.session);
    }
  }

  bool has(const Utterance& report) const {
    for (StringId id : {report.agent, report.tool_use, report.prompt})
      if (id && known_.contains({report.session, id})) return true;
    return !report.agent && !report.prompt && unnamed_.contains(report.session);
  }

 private:
  std::set<std::pair<StringId, StringId>> known_;  ///< in a session: agent, tool use or prompt
  std::set<StringId> unnamed_;                     ///< sessions with subagents that nothing names
};

}  // namespace

void assemble_calls(Trace& trace) {
  if (trace.utterances.empty()) return;
  std::vector<Thread> threads = find_threads(trace);
  std::vector<Sketch> sketches = Sketching(trace, threads).sketch();
  Writing writing(trace, threads);
  writing.write(sketches);
  Recorded recorded(trace, threads);
  std::set<std::pair<StringId, StringId>> told;
  for (const Utterance& report : trace.utterances) {
    if (report.kind != Kind::report || recorded.has(report)) continue;
    StringId named = report.agent ? report.agent : report.tool_use;
    if (!named || !told.insert({report.session, named}).second) continue;
    writing.write(report, trace.strings.intern(
                              fmt::format("agent-{}{}", report.agent ? "" : "of-", trace[named])));
  }
  trace.utterances = {};
}

}  // namespace xtrace
