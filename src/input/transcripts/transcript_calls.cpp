#include "input/transcripts/transcript_calls.h"

#include <algorithm>
#include <unordered_map>

#include "facts/rows.h"
#include "input/transcripts/transcript_branch.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;
constexpr uint32_t kNone = TranscriptCall::kNone;

class TranscriptCallFinder {
 public:
  TranscriptCallFinder(const RawTrace& trace, const Threads& threads)
      : trace_(trace),
        threads_(threads.all),
        followed_(threads.followed),
        is_followed_(trace.utterances.size()),
        positions_(trace.utterances.size()),
        above_(trace, threads) {
    for (uint32_t at : followed_)
      if (at != kNone) is_followed_[at] = true;
  }

  std::vector<TranscriptCall> find() {
    for (uint32_t thread : in_order(trace_, threads_)) {
      thread_ = thread;
      branches_.assign(1, {});
      latest_ = 0;
      model_ = {};
      size_t calls = calls_.size();
      follow_all(threads_[thread_]);
      const bool waits = wait(calls_.size() == calls);
      find_unread({trace_, pending_, branches_, waits ? kNone : latest_}, calls_, calls);
    }
    return std::move(calls_);
  }

 private:
  using Branch = TranscriptBranch;
  using Position = TranscriptPosition;

  const Utterance& said(uint32_t i) const { return trace_.utterances[i]; }

  /// One that is resumed ends several times: each time before it is told what to do next. Its own
  /// answer may be dated later than what others tell of it.
  void follow_all(const Thread& thread) {
    has_answers_ = std::ranges::any_of(thread.said,
                                       [&](uint32_t i) { return said(i).kind == Kind::answered; });
    auto closing = thread.closings.begin();
    for (uint32_t i : thread.said) {
      while (closing != thread.closings.end() && said(*closing).time != kNoTime &&
             said(*closing).time < said(i).time && is_prompt(i))
        close(*closing++);
      follow(i);
    }
    for (; closing != thread.closings.end(); ++closing) close(*closing);
  }

  bool is_prompt(uint32_t i) const {
    return said(i).kind == Kind::asked && said(i).message &&
           rows_of(trace_.tool_results, said(i).message).empty();
  }

  void follow(uint32_t i) {
    switch (said(i).kind) {
      case Kind::asked: ask(i); break;
      case Kind::answered: answer(i); break;
      case Kind::failed: fail(i); break;
      case Kind::pruned: branches_[branch_of(i)].is_pruned = true; break;
      case Kind::compacted: compact(i); break;
      case Kind::used: end_answer(); break;
      case Kind::rewound: rewind(i); break;
      case Kind::silent:
      case Kind::heading:
      case Kind::closing: return;
    }
  }

  /// The utterance of this thread, or of the main one of another session, that says something and
  /// that this one follows, if that is known; silent ones in between are passed over.
  uint32_t before(uint32_t i) {
    constexpr int kPassed = 100;  // lines of others in between
    uint32_t at = above_.next(i);
    for (int passed = 0; at != kNone && passed < kPassed; ++passed) {
      uint32_t thread = positions_[at].thread;
      bool is_main = thread != kNone && !threads_[thread].is_subagent;
      if (thread == thread_ || (is_main && !threads_[thread_].is_subagent)) return at;
      at = above_.next(at);
    }
    return kNone;
  }

  uint32_t branch_of(uint32_t i) {
    uint32_t at = before(i);
    if (at == kNone) return latest_;
    const Position spot = positions_[at];
    if (spot.thread == thread_ && is_end_of(branches_[spot.branch], spot))
      return latest_ = spot.branch;
    Branch again;
    again.last = spot.last;
    again.is_compacted = spot.is_compacted;
    if (said(at).kind != Kind::answered) {
      repeat_input(pending_, asked_up_to(at), again);
      again.asked_at = said(at).time;
    }
    branches_.push_back(std::move(again));
    return latest_ = static_cast<uint32_t>(branches_.size() - 1);
  }

  /// A tool's output belongs to the branch of who asked for it, whatever it follows.
  uint32_t branch_of_results(uint32_t i) const {
    if (!said(i).message) return kNone;
    for (const ToolResult& result : rows_of(trace_.tool_results, said(i).message))
      if (auto user = users_.find(result.tool_use.index);
          user != users_.end() && result.tool_use && user->second.thread == thread_)
        return user->second.branch;
    return kNone;
  }

  /// The last item of what was said since the answer before it, and is answered with it. Thousands
  /// may go on from what was said one behind the other, so each is looked at once.
  uint32_t asked_up_to(uint32_t i) {
    std::vector<uint32_t> way;
    uint32_t item = kNone;
    const uint32_t thread = positions_[i].thread, last = positions_[i].last;
    for (uint32_t at = i; at != kNone; at = before(at)) {
      const Position& spot = positions_[at];
      if (said(at).kind == Kind::answered || spot.last != last || spot.thread != thread) break;
      const auto [known, is_new] = asked_up_to_.try_emplace(at, kNone);
      if (!is_new) {
        item = known->second;
        break;
      }
      way.push_back(at);
    }
    for (size_t k = way.size(); k-- > 0; asked_up_to_[way[k]] = item)
      if (said(way[k]).kind == Kind::asked) item = add_behind(item, way[k]);
    return item;
  }

  uint32_t add_behind(uint32_t item, uint32_t i) {
    return pending_.add({i, item, 0, bool{said(i).message}, is_prompt(i), said(i).time});
  }

  void note(uint32_t i, Branch& branch) {
    branch.since = add_behind(branch.since, i);
    if (!said(i).message) return;
    branch.is_asked = true;
    branch.is_prompted |= is_prompt(i);
    for (const ToolResult& result : rows_of(trace_.tool_results, said(i).message))
      branch.open.erase(result.tool_use.index);
  }

  void ask(uint32_t i) {
    uint32_t at = branch_of_results(i);
    if (at == kNone) at = branch_of(i);
    latest_ = at;
    Branch& branch = branches_[at];
    const uint32_t since = branch.since;
    note(i, branch);
    branch.asked_at = std::max(branch.asked_at, said(i).time);
    if (is_prompt(i)) branch.again_at = kNoTime;  // nobody waited for longer
    stand(i, at);
    positions_[i].since = since;
  }

  void compact(uint32_t i) {
    const uint32_t at = branch_of(i);
    Branch& branch = branches_[at];
    branch.is_compacted = true;
    if (branch.asked_at != kNoTime) branch.asked_at = std::max(branch.asked_at, said(i).time);
    if (sums_up(said(i)) && branch.last != kNone) calls_[branch.last].sums_up = true;
    stand(i, at);
  }

  /// What others follow shows whether they follow a summary.
  void stand(uint32_t i, uint32_t at) {
    Branch& branch = branches_[at];
    branch.tells_compaction |= branch.is_compacted && is_followed_[i];
    positions_[i] = {thread_, at, branch.last, branch.is_compacted, branch.since};
  }

  void answer(uint32_t i) {
    if (is_aside(said(i))) return answer_aside(i);
    if (uint32_t known = call_of(i); known != kNone) {
      // Branches are those of one thread: a piece of another's answer stands where that does.
      positions_[i] = positions_[calls_[known].first];
      return add(i, calls_[known]);
    }
    const uint32_t before = branches_[latest_].last, at = branch_of(i);
    try_again(before, branches_[at]);
    TranscriptCall& call = begin(i, branches_[at]);
    branches_[at] = {.last = static_cast<uint32_t>(calls_.size() - 1)};
    positions_[i] = {thread_, at, branches_[at].last};
    // Nothing is a further piece of one that is whole, whoever else calls an answer the same.
    if (StringId answer = said(i).answer; answer && !is_whole(said(i)))
      by_answer_[answer.index] = branches_[at].last;
    add(i, call);
  }

  /// Where nothing was said since an answer that was refused, or what it was asked is asked again,
  /// the next one answers the same, from then on.
  void try_again(uint32_t before, Branch& branch) const {
    if (before == kNone || !is_refused(trace_, calls_[before])) return;
    if (branch.since == kNone && branch.last == before)
      branch = branch_from(before_call(before));
    else if (branch.last != calls_[before].previous ||
             !pending_.are_same(branch.since, asked_[before]))
      return;
    branch.asked_at = std::max(branch.asked_at, calls_[before].until);
  }

  /// What is pending waits for the answer that comes next, but for what tools gave before it was
  /// summed up: that is read there. What has an id and sums nothing up was asked beside an answer,
  /// so nothing goes on from it.
  void answer_aside(uint32_t i) {
    const uint32_t at = branch_of(i);
    Branch& branch = branches_[at];
    const bool reads = sums_up(said(i)) && !branch.is_prompted;
    TranscriptCall& call =
        reads ? begin(i, branch, branch.attempted) : begin(i, {.last = branch.last});
    if (said(i).took == kNoDuration) call.asked_at = kNoTime;  // what came in between is not told
    if (reads) branch.since = kNone, branch.left_out = branch.attempted = branch.repeated = 0;
    if (sums_up(said(i)) && branch.asked_at != kNoTime)
      branch.asked_at = std::max(branch.asked_at, after(said(i).time, said(i).took));
    const bool is_gone_on_from = sums_up(said(i)) || !said(i).id;
    if (is_gone_on_from) branch.last = static_cast<uint32_t>(calls_.size() - 1), branch.settled = 0;
    stand(i, at);
    add(i, call);
  }

  /// The call that an utterance is a further piece of: named by the answer; where that has no name,
  /// the last one, if nothing was asked since.
  uint32_t call_of(uint32_t i) {
    if (is_whole(said(i))) return kNone;
    if (StringId answer = said(i).answer) {
      auto known = by_answer_.find(answer.index);
      if (known == by_answer_.end()) return kNone;
      const TranscriptCall& call = calls_[known->second];
      const bool is_of_it =
          call.thread == thread_
              ? is_piece_of(trace_, said(i), call, meanwhile(i, known->second))
              : repeats_answer(trace_, said(i), call, threads_[call.thread].session);
      return is_of_it ? known->second : kNone;
    }
    uint32_t at = before(i);
    if (at != kNone && positions_[at].thread != thread_) return kNone;
    const Branch& branch = branches_[at == kNone ? latest_ : positions_[at].branch];
    if (branch.since != kNone || branch.last == kNone || branch.is_counted) return kNone;
    const Utterance& first = said(calls_[branch.last].first);
    bool other = at != kNone && positions_[at].last != branch.last;
    bool over = first.answer || is_whole(first) || calls_[branch.last].failed;
    return other || over ? kNone : branch.last;
  }

  /// Since the answer of that call, whose name a piece has.
  Meanwhile meanwhile(uint32_t i, uint32_t call) {
    const uint32_t at = before(i);
    const bool is_known = at != kNone && positions_[at].thread == thread_;
    if (is_known && said(at).kind == Kind::answered && positions_[at].last == call)
      return Meanwhile::nothing;
    const Branch& branch = branches_[is_known ? positions_[at].branch : latest_];
    if (branch.since == kNone) return Meanwhile::nothing;
    const uint32_t last = pending_[branch.since].utterance;
    const bool is_of_user =
        is_prompt(last) && trace_[said(last).message].role == Message::Role::user;
    return is_of_user ? Meanwhile::words : Meanwhile::notes;
  }

  RewoundState before_call(uint32_t of) const {
    const TranscriptCall& call = calls_[of];
    return {call.previous, asked_[of], call.is_compacted, call.is_pruned};
  }

  Branch branch_from(const RewoundState& before) const {
    Branch again{
        .last = before.last, .is_compacted = before.is_compacted, .is_pruned = before.is_pruned};
    repeat_input(pending_, before.since, again);
    return again;
  }

  /// `left_out`: so much of what was said since.
  TranscriptCall& begin(uint32_t i, const Branch& branch, size_t left_out = 0) {
    TranscriptCall& call = calls_.emplace_back();
    call.thread = thread_;
    call.first = i;
    call.previous = branch.last;
    call.asked = pending_.up_to(branch.since, std::max(left_out, branch.left_out));
    asked_.push_back(branch.since);
    call.asked_at = branch.asked_at;
    if (branch.again_at <= said(i).time) call.asked_at = std::max(call.asked_at, branch.again_at);
    call.is_compacted = branch.is_compacted;
    call.is_pruned = branch.is_pruned;
    return call;
  }

  void take_piece(uint32_t i, TranscriptCall& call) {
    call.answered.push_back(i);
    if (call.thread == thread_) model_.add(said(i).model);
  }

  void add(uint32_t i, TranscriptCall& call) {
    take_piece(i, call);
    call.sums_up |= sums_up(said(i));
    call.until = std::max(call.until, said(i).time);
    if (!said(i).message) return;
    const Position& spot = positions_[i];
    const bool is_last = spot.thread == thread_ && branches_[spot.branch].last == spot.last;
    for (const ToolUse& use : rows_of(trace_.tool_uses, said(i).message)) {
      call.asks_for_tools = true;
      if (use.id) users_.emplace(use.id.index, spot);
      if (use.id && is_last) branches_[spot.branch].open.insert(use.id.index);
    }
  }

  void abort(Branch& branch) {
    branch.is_prompted = false;
    branch.is_aborted = true;
    if (branch.last == kNone) return;
    TranscriptCall& call = calls_[branch.last];
    for (; branch.settled < call.answered.size(); ++branch.settled) {
      const uint32_t i = call.answered[branch.settled];
      if (!said(i).message) continue;
      for (const ToolUse& use : rows_of(trace_.tool_uses, said(i).message))
        if (use.id && branch.open.erase(use.id.index) > 0) call.aborted.push_back(use.id);
    }
  }

  /// What was asked waits for the next attempt; hundreds in a row do not repeat all of it.
  void fail(uint32_t i) {
    constexpr size_t kRepeated = 10'000;
    uint32_t at = branch_of(i);
    const bool is_owed = owes_answer(branches_[at]);
    if (trace_[said(i).error] == "aborted") abort(branches_[at]);
    if (said(i).is_owed && !is_owed) return stand(i, at);
    Branch& branch = branches_[at];
    TranscriptCall& call = begin(i, branch, branch.attempted);
    if ((branch.repeated += call.asked.size()) > kRepeated)
      branch.attempted = pending_.count(branch.since), branch.repeated = 0;
    call.failed = true;
    call.until = said(i).time;
    branch.asked_at = std::max(branch.asked_at, after(said(i).time, said(i).took));
    branch.again_at = said(i).again_at;
    stand(i, at);
  }

  /// What is said next follows what preceded the utterance that is named, or before the turns that
  /// are counted.
  void rewind(uint32_t i) {
    const uint32_t at = followed_[i];
    RewoundState before;
    if (said(i).turns > 0) {
      const Branch& gone = branches_[latest_];
      before =
          rewind_turns(said(i).turns, {trace_, pending_, calls_, asked_}, gone.last, gone.since);
    } else if (at != kNone && positions_[at].thread == thread_) {
      before = {positions_[at].last, positions_[at].since, positions_[at].is_compacted};
      if (said(at).kind == Kind::answered && before.last != kNone)
        before = before_call(before.last);
    }
    branches_.push_back(branch_from(before));
    latest_ = static_cast<uint32_t>(branches_.size() - 1);
  }

  /// Nobody ever answered in this thread; it was asked for all that. Where calls of it are known,
  /// the end is still being written, unless its record says that it is whole. Is there such a call?
  bool wait(bool is_first) {
    const Branch& branch = branches_[latest_];
    for (uint32_t i : pending_.up_to(branch.since))
      if (said(i).message && trace_[said(i).message].role == Message::Role::user &&
          (is_first || said(i).is_complete))
        return static_cast<void>(begin(i, branch)), true;
    return false;
  }

  /// The answer that ended it is a call of its own unless it is the last one here, which says what
  /// it used up; what it wrote may have been told before it was all there. One that asked for tools
  /// did not end it. Where all answers are copies of another session's, so is this one.
  void close(uint32_t i) {
    const Branch& branch = branches_[latest_];
    if (branch.last != kNone) {
      TranscriptCall& last = calls_[branch.last];
      const uint32_t stating = find_usage(trace_, said(i).tokens, last);
      if (stating != kNone) {
        if (said(stating).tokens.output < said(i).tokens.output) take_piece(i, last);
        return;
      }
      if (!last.asks_for_tools) return;
    } else if (!branch.is_asked || has_answers_) {
      return;
    }
    const StringId model = model_.get();
    answer(i);
    calls_[branches_[latest_].last].model = model;
  }

  /// Once an answer was counted, what follows is of another one.
  void end_answer() {
    Branch& branch = branches_[latest_];
    if (branch.last != kNone) branch.is_counted = true;
  }

  const RawTrace& trace_;
  const std::vector<Thread>& threads_;
  const std::vector<uint32_t>& followed_;
  std::vector<bool> is_followed_;    ///< by utterance
  std::vector<Position> positions_;  ///< by utterance
  VisibleAncestors above_;
  PendingInput pending_;
  std::unordered_map<uint32_t, uint32_t> asked_up_to_;  ///< by utterance, as far as asked for
  std::vector<TranscriptCall> calls_;
  std::vector<uint32_t> asked_;  ///< by call: the last item of what was said before it
  std::unordered_map<uint32_t, uint32_t> by_answer_;
  std::unordered_map<uint32_t, Position> users_;  ///< by tool use
  uint32_t thread_ = 0, latest_ = 0;
  OnlyModel model_;               ///< of the answers of this thread's calls
  bool has_answers_ = false;      ///< likewise: where others tell of its last ones
  std::vector<Branch> branches_;  ///< of this thread
};

}  // namespace

std::vector<TranscriptCall> find_transcript_calls(const RawTrace& trace, const Threads& threads) {
  return TranscriptCallFinder(trace, threads).find();
}

}  // namespace xtrace
