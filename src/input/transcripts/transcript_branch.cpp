#include "input/transcripts/transcript_branch.h"

#include <algorithm>
#include <numeric>

#include "facts/rows.h"
#include "facts/stop_reasons.h"

namespace xtrace {

namespace {

/// Were each that goes on from an earlier state told to be asked with all that was said by then,
/// what is asked would grow as a square where thousands do.
constexpr size_t kMostAskedAgain = 1000;

/// Does a turn begin with it? What clients say in the user's place, and tools' outputs, begin none.
bool is_of_user(const RawTrace& trace, uint32_t i) {
  const MessageId message = trace.utterances[i].message;
  return message && trace[message].role == Message::Role::user &&
         rows_of(trace.tool_results, message).empty();
}

/// Was it all that the answer has? Another one is sent more; where nothing shows how much was sent,
/// an answer that told why it ended is over.
bool is_over(const Utterance& last, const Utterance& next) {
  const int64_t sent = tokens_sent(last.tokens), sent_next = tokens_sent(next.tokens);
  return sent > 0 && sent_next > 0 ? sent != sent_next : bool{last.stop_reason};
}

/// Clients may write thousands of pieces of one answer; those that matter are its last ones.
std::span<const uint32_t> last_pieces(const TranscriptCall& call) {
  constexpr size_t kLooked = 64;
  const std::span<const uint32_t> all = call.answered;
  return all.last(std::min(all.size(), kLooked));
}

class UnreadFinder {
 public:
  UnreadFinder(const ConversationBranches& conversation, std::vector<TranscriptCall>& calls)
      : conversation_(conversation), calls_(calls) {}

  void find(size_t first) {
    if (conversation_.open != PendingInput::kNone)
      look_at(conversation_.branches[conversation_.open]);
    for (const Left& one : left_) leave(one);
    left_.clear();
    for (size_t at = 0; at < conversation_.branches.size(); ++at)
      if (at != conversation_.open) look_at(conversation_.branches[at]);
    if (left_.empty()) return;
    for (size_t at = first; at < calls_.size(); ++at)
      for (uint32_t i : calls_[at].asked) note(i);
    for (const Left& one : left_)
      if (!is_noted(one.utterance)) leave(one);
  }

 private:
  struct Left {
    uint32_t utterance, call;
  };

  std::span<const ToolResult> results_of(uint32_t i) const {
    const MessageId message = conversation_.trace.utterances[i].message;
    return message ? rows_of(conversation_.trace.tool_results, message)
                   : std::span<const ToolResult>();
  }

  /// Branches have much of what was said in common, which is looked at once.
  void look_at(const TranscriptBranch& branch) {
    if (branch.last == PendingInput::kNone) return;
    const size_t begin = left_.size();
    for (uint32_t at = branch.since; at != PendingInput::kNone && seen_.insert(at).second;
         at = conversation_.pending[at].before)
      if (const uint32_t i = conversation_.pending[at].utterance; !results_of(i).empty())
        left_.push_back({i, branch.last});
    std::reverse(left_.begin() + static_cast<std::ptrdiff_t>(begin), left_.end());
  }

  void note(uint32_t i) {
    for (const ToolResult& result : results_of(i)) tool_uses_.insert(result.tool_use.index);
  }
  bool is_noted(uint32_t i) const {
    return std::ranges::any_of(results_of(i), [&](const ToolResult& result) {
      return tool_uses_.contains(result.tool_use.index);
    });
  }

  void leave(const Left& one) {
    calls_[one.call].unread.push_back(one.utterance);
    note(one.utterance);
  }

  const ConversationBranches& conversation_;
  std::vector<TranscriptCall>& calls_;
  std::vector<Left> left_;
  std::unordered_set<uint32_t> seen_, tool_uses_;  ///< items; with known results
};

}  // namespace

std::vector<uint32_t> in_order(const RawTrace& trace, const std::vector<Thread>& threads) {
  std::vector<uint32_t> order(threads.size());
  std::iota(order.begin(), order.end(), 0);
  const auto begin = [&](uint32_t thread) {
    const std::vector<uint32_t>& lines = threads[thread].said;
    const auto first = std::ranges::find(lines, false, [&](uint32_t i) {
      return trace.utterances[i].kind == Utterance::Kind::silent;
    });
    return trace.utterances[first == lines.end() ? lines.front() : *first].time;
  };
  std::ranges::stable_sort(order, {}, begin);
  return order;
}

uint32_t PendingInput::add(const Item& said) {
  Item item = said;
  item.count = 1;
  if (said.before != kNone) {
    const Item& before = items_[said.before];
    item.count += before.count;
    item.is_asked |= before.is_asked;
    item.is_prompted |= before.is_prompted;
    item.latest = std::max(item.latest, before.latest);
  }
  items_.push_back(item);
  return static_cast<uint32_t>(items_.size() - 1);
}

bool PendingInput::are_same(uint32_t last, uint32_t other) const {
  if (last == kNone || other == kNone) return last == other;
  const Item &a = items_[last], &b = items_[other];
  return a.utterance == b.utterance && a.count == b.count;
}

std::vector<uint32_t> PendingInput::up_to(uint32_t last, size_t left_out) const {
  const size_t all = count(last);
  std::vector<uint32_t> utterances(all - std::min(left_out, all));
  for (size_t i = utterances.size(); i-- > 0; last = items_[last].before)
    utterances[i] = items_[last].utterance;
  return utterances;
}

bool is_end_of(const TranscriptBranch& branch, const TranscriptPosition& spot) {
  return spot.last == branch.last && (spot.is_compacted || !branch.tells_compaction);
}

bool owes_answer(const TranscriptBranch& branch) {
  return branch.is_prompted || (branch.is_asked && branch.open.empty() && !branch.is_aborted);
}

void repeat_input(const PendingInput& said, uint32_t item, TranscriptBranch& branch) {
  branch.since = item;
  if (item == PendingInput::kNone) return;
  const PendingInput::Item& last = said[item];
  branch.left_out = last.count - std::min<size_t>(last.count, kMostAskedAgain);
  branch.is_asked = last.is_asked;
  branch.is_prompted = last.is_prompted;
  branch.asked_at = last.latest;
}

VisibleAncestors::VisibleAncestors(const RawTrace& trace, const Threads& threads)
    : said_(trace.utterances),
      followed_(threads.followed),
      above_(trace.utterances.size(), kUnknown) {}

uint32_t VisibleAncestors::next(uint32_t utterance) {
  std::vector<uint32_t> way;
  uint32_t found = kNone;
  for (uint32_t at = utterance;;) {
    if (above_[at] != kUnknown) {
      found = above_[at];
      break;
    }
    above_[at] = kNone;  // of a circle: nothing
    way.push_back(at);
    at = followed_[at];
    if (at == kNone) break;
    if (said_[at].kind != Utterance::Kind::silent) {
      found = at;
      break;
    }
  }
  for (uint32_t passed : way) above_[passed] = found;
  return found;
}

RewoundState rewind_turns(int64_t number, const Turns& of, uint32_t last, uint32_t since) {
  RewoundState before{last, since};
  RewoundState earliest;
  for (;;) {
    for (uint32_t at = before.since; at != PendingInput::kNone; at = of.said[at].before) {
      if (!is_of_user(of.trace, of.said[at].utterance)) continue;
      earliest = before;
      earliest.since = of.said[at].before;
      if (--number <= 0) return earliest;
    }
    if (before.last == TranscriptCall::kNone) return earliest;
    const TranscriptCall& call = of.calls[before.last];
    before = {call.previous, of.asked[before.last], call.is_compacted, call.is_pruned};
  }
}

bool is_piece_of(const RawTrace& trace, const Utterance& said, const TranscriptCall& call,
                 Meanwhile came) {
  const Utterance& first = trace.utterances[call.first];
  if (said.request && said.request == first.request) return true;
  if (came == Meanwhile::nothing) return true;
  if (said.request && first.request) return false;
  if (came == Meanwhile::words) return false;
  return !is_over(trace.utterances[call.answered.back()], said);
}

bool repeats_answer(const RawTrace& trace, const Utterance& said, const TranscriptCall& call,
                    StringId session) {
  const auto piece = [&](uint32_t i) -> const Utterance& { return trace.utterances[i]; };
  if (said.request && said.request == piece(call.first).request) return true;
  return std::ranges::any_of(last_pieces(call), [&](uint32_t i) {
    const bool are_dated = said.time != kNoTime && piece(i).time != kNoTime;
    if (are_dated && said.time == piece(i).time) return true;
    return (!are_dated || said.session == session) && said.message == piece(i).message;
  });
}

uint32_t find_usage(const RawTrace& trace, const Tokens& tokens, const TranscriptCall& call) {
  const std::span<const uint32_t> pieces = last_pieces(call);
  const auto stating = std::ranges::find_if(pieces, [&](uint32_t i) {
    const Tokens& stated = trace.utterances[i].tokens;
    return stated.input == tokens.input && stated.cache_read == tokens.cache_read &&
           stated.cache_creation == tokens.cache_creation;
  });
  return stating == pieces.end() ? TranscriptCall::kNone : *stating;
}

bool is_refused(const RawTrace& trace, const TranscriptCall& call) {
  return std::ranges::any_of(call.answered, [&](uint32_t i) {
    return trace[trace.utterances[i].stop_reason] == kRefusal;
  });
}

void find_unread(const ConversationBranches& conversation, std::vector<TranscriptCall>& calls,
                 size_t first) {
  UnreadFinder(conversation, calls).find(first);
}

}  // namespace xtrace
