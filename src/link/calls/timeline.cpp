#include "link/calls/timeline.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "facts/rows.h"

namespace xtrace {

namespace {

/// The call that asked for the subagent which made another one, as far as ids show it.
class Spawners {
 public:
  /// `roots`: of conversations, by message.
  Spawners(const Trace& trace, const std::vector<MessageId>& roots) : trace_(trace), roots_(roots) {
    find_prompts();
    for (const Call& call : trace.calls)
      if (call.spawned_by) caller_of_use_.emplace(call.spawned_by.index, CallId{});
    if (caller_of_use_.empty()) return;
    for (size_t i = 0; i < trace.calls.size(); ++i)
      for (const ToolUse& use : rows_of(trace.tool_uses, trace.calls[i].answer))
        if (const auto found = caller_of_use_.find(use.id.index);
            found != caller_of_use_.end() && !found->second)
          found->second = CallId(i);
    for (const Call& call : trace.calls)
      if (call.spawned_by && call.agent)
        use_of_agent_.emplace(std::pair(call.session, call.agent), call.spawned_by);
  }

  CallId of(CallId id) const {
    if (const CallId caller = caller_by_prompt(id)) return caller;
    if (caller_of_use_.empty()) return {};
    const Call& call = trace_[id];
    StringId use = call.spawned_by;
    if (const auto agent = use_of_agent_.find({call.session, call.agent});
        !use && agent != use_of_agent_.end())
      use = agent->second;
    const auto found = caller_of_use_.find(use.index);
    return use && found != caller_of_use_.end() ? found->second : CallId{};
  }

 private:
  void find_prompts() {
    const auto asks = [](const ToolUse& use) { return static_cast<bool>(use.prompt); };
    if (std::ranges::none_of(trace_.tool_uses, asks)) return;
    for (size_t i = 0; i < trace_.calls.size(); ++i)
      for (const ToolUse& use : rows_of(trace_.tool_uses, trace_.calls[i].answer))
        if (use.prompt) {
          const auto [known, is_new] = caller_of_prompt_.emplace(use.prompt.index, CallId(i));
          if (!is_new && known->second != CallId(i)) known->second = {};  // of several
        }
  }

  /// The only call that gave the prompt with which the conversation begins.
  CallId caller_by_prompt(CallId id) const {
    const MessageId request = trace_[id].request;
    if (caller_of_prompt_.empty() || !request) return {};
    for (const Prompt& prompt : rows_of(trace_.prompts, roots_[request.index]))
      if (const auto found = caller_of_prompt_.find(prompt.hash.index);
          found != caller_of_prompt_.end() && found->second && found->second != id)
        return found->second;
    return {};
  }

  const Trace& trace_;
  const std::vector<MessageId>& roots_;
  std::unordered_map<uint32_t, CallId> caller_of_prompt_;  ///< nowhere: several gave it
  std::unordered_map<uint32_t, CallId> caller_of_use_;
  std::map<std::pair<StringId, StringId>, StringId> use_of_agent_;  ///< by session and agent
};

/// Whose answer a result repeats that a request has behind the last answer of its history: a
/// subagent's, as the tool that started it gives it.
class Reporters {
 public:
  explicit Reporters(const Trace& trace) : trace_(trace) {
    for (size_t i = 0; i < trace.calls.size(); ++i) {
      const MessageId answer = trace.calls[i].answer;
      if (!answer || trace[answer].said == 0) continue;
      const auto [known, is_new] = said_by_.emplace(trace[answer].said, CallId(i));
      if (!is_new) known->second = {};  // several say so
    }
  }

  void add_of(CallId id, std::vector<CallId>& found) const {
    constexpr size_t kFurthest = 64;
    MessageId at = trace_[id].request;
    for (size_t looked = 0; at && looked < kFurthest && trace_[at].role != Message::Role::assistant;
         ++looked)
      at = trace_[at].before;
    std::set<StringId> prompted;
    for (const ToolUse& use : rows_of(trace_.tool_uses, at))
      if (use.prompt) prompted.insert(use.id);
    if (prompted.empty()) return;
    for (MessageId told = trace_[id].request; told != at; told = trace_[told].before)
      for (const ToolResult& result : rows_of(trace_.tool_results, told))
        if (prompted.contains(result.tool_use)) add(result.said, id, found);
  }

 private:
  void add(uint64_t words, CallId reader, std::vector<CallId>& found) const {
    const auto said = said_by_.find(words);
    if (words != 0 && said != said_by_.end() && said->second && said->second != reader)
      found.push_back(said->second);
  }

  const Trace& trace_;
  std::unordered_map<uint64_t, CallId> said_by_;  ///< nowhere: several
};

/// Logs that write seconds, or give a whole turn one time, have a subagent begin with its parent's
/// call. `add_before(id, found)`: adds the calls that precede another. Nothing else changes its
/// place within that moment; a circle ends with whoever stood first in it.
template <class AddBefore>
std::vector<CallId> in_moments(const std::vector<CallId>& order, const std::vector<Time>& when,
                               AddBefore add_before) {
  struct Placing {
    CallId id;
    std::vector<CallId> before;
  };
  std::vector<bool> is_seen(order.size());
  std::vector<CallId> placed;
  placed.reserve(order.size());
  std::vector<Placing> open;
  const auto begin = [&](CallId id) {
    is_seen[id.index] = true;
    open.push_back({id, {}});
    add_before(id, open.back().before);
    std::ranges::reverse(open.back().before);
  };
  for (size_t i = 0; i < order.size(); ++i) {
    const auto is_at_once = [&](size_t other) {
      return other < order.size() && when[order[other].index] == when[order[i].index];
    };
    if (is_seen[order[i].index]) continue;
    if (!is_at_once(i + 1) && !(i > 0 && is_at_once(i - 1))) {
      is_seen[order[i].index] = true;
      placed.push_back(order[i]);
      continue;
    }
    begin(order[i]);
    while (!open.empty()) {
      Placing& last = open.back();
      if (last.before.empty()) {
        placed.push_back(last.id);
        open.pop_back();
        continue;
      }
      const CallId before = last.before.back();
      last.before.pop_back();
      if (!is_seen[before.index] && when[before.index] == when[order[i].index]) begin(before);
    }
  }
  return placed;
}

/// The first message of each path; messages follow the ones before them.
std::vector<MessageId> find_roots(const std::vector<Message>& messages) {
  std::vector<MessageId> roots;
  roots.reserve(messages.size());
  for (size_t i = 0; i < messages.size(); ++i)
    roots.push_back(messages[i].before ? roots[messages[i].before.index] : MessageId(i));
  return roots;
}

/// The call that each one goes on from, as its transcript or the history in its request says:
/// nobody can know an answer before it was given.
std::vector<CallId> find_previous(const Trace& trace) {
  constexpr size_t kFurthest = 64;  // messages behind the last answer
  std::vector<CallId> giver(trace.messages.size());
  std::vector<bool> is_of_several(trace.messages.size());
  for (size_t i = 0; i < trace.calls.size(); ++i) {
    const MessageId answer = trace.calls[i].answer;
    if (!answer) continue;
    is_of_several[answer.index] = static_cast<bool>(giver[answer.index]);
    giver[answer.index] = CallId(i);
  }
  std::vector<CallId> previous(trace.calls.size());
  for (size_t i = 0; i < trace.calls.size(); ++i) {
    previous[i] = trace.calls[i].previous;
    MessageId at = previous[i] ? MessageId{} : trace.calls[i].request;
    for (size_t looked = 0; at && looked < kFurthest; at = trace[at].before, ++looked) {
      if (!giver[at.index]) continue;
      if (!is_of_several[at.index] && giver[at.index] != CallId(i)) previous[i] = giver[at.index];
      break;
    }
  }
  return previous;
}

/// What a call goes on from is known better than when it was: where a clock went back in between,
/// the later one is taken to be of the moment of the earlier.
void follow_previous(const std::vector<CallId>& previous, std::vector<Time>& when) {
  std::vector<bool> is_settled(when.size());
  std::vector<CallId> open;
  for (size_t i = 0; i < when.size(); ++i) {
    for (CallId at(i); at && !is_settled[at.index]; at = previous[at.index]) {
      is_settled[at.index] = true;
      open.push_back(at);
    }
    for (; !open.empty(); open.pop_back()) {
      const CallId id = open.back(), before = previous[id.index];
      if (before) when[id.index] = std::max(when[id.index], when[before.index]);
    }
  }
}

}  // namespace

Timeline::Timeline(const Trace& trace) : trace_(&trace), roots_(find_roots(trace.messages)) {
  std::vector<Time> when(trace.calls.size());
  for (size_t i = 0; i < when.size(); ++i) {
    const Call& call = trace.calls[i];
    bool follows = i > 0 && trace.calls[i - 1].source.file == call.source.file;
    when[i] = call.start != kNoTime ? call.start : follows ? when[i - 1] : kNoTime;
    order_.emplace_back(i);
  }
  const std::vector<CallId> previous = find_previous(trace);
  follow_previous(previous, when);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](CallId a, CallId b) { return when[a.index] < when[b.index]; });
  const Spawners spawners(trace, roots_);
  const Reporters reporters(trace);
  order_ = in_moments(order_, when, [&](CallId id, std::vector<CallId>& before) {
    for (CallId one : {spawners.of(id), previous[id.index]})
      if (one) before.push_back(one);
    reporters.add_of(id, before);
  });
  ranks_.resize(order_.size());
  for (uint32_t rank = 0; rank < order_.size(); ++rank) ranks_[order_[rank].index] = rank;
  asked_ = index_by(&Call::request);
  answered_ = index_by(&Call::answer);
}

Timeline::Index Timeline::index_by(MessageId Call::*member) const {
  Index index;
  for (size_t i = 0; i < trace_->calls.size(); ++i)
    if (MessageId message = trace_->calls[i].*member) index.keys.emplace_back(message, ranks_[i]);
  std::sort(index.keys.begin(), index.keys.end());
  for (auto [message, rank] : index.keys) index.calls.push_back(order_[rank]);
  return index;
}

std::span<const CallId> Timeline::find(const Index& index, MessageId message) {
  auto begin = std::lower_bound(index.keys.begin(), index.keys.end(), std::pair(message, 0u));
  auto end = std::upper_bound(begin, index.keys.end(), std::pair(message, UINT32_MAX));
  return std::span(index.calls)
      .subspan(static_cast<size_t>(begin - index.keys.begin()), static_cast<size_t>(end - begin));
}

std::span<const ToolUse> Timeline::uses_in(MessageId message) const {
  return rows_of(trace_->tool_uses, message);
}
std::span<const ToolResult> Timeline::results_in(MessageId message) const {
  return rows_of(trace_->tool_results, message);
}
bool Timeline::brings_notice(MessageId message) const {
  const std::span<const ToolResult> results = results_in(message);
  return !rows_of(trace_->background_ends, message).empty() ||
         std::any_of(results.begin(), results.end(), [](const ToolResult& result) {
           return !result.tool_use && result.agent;  // a subagent's report
         });
}
std::span<const Prompt> Timeline::prompts_in(MessageId message) const {
  return rows_of(trace_->prompts, message);
}

std::vector<MessageId> Timeline::read_new(CallId call, std::vector<bool>& read) const {
  std::vector<MessageId> fresh;
  for (MessageId at = (*this)[call].request; at && !read[at.index]; at = (*this)[at].before) {
    read[at.index] = true;
    fresh.push_back(at);
  }
  std::reverse(fresh.begin(), fresh.end());
  return fresh;
}

bool Timeline::compatible(CallId a, CallId b) const {
  const Call &x = (*this)[a], &y = (*this)[b];
  bool other_session = x.session && y.session && x.session != y.session;
  bool other_user = x.user && y.user && x.user != y.user;
  return !other_session && !other_user;
}

Duration Timeline::gap(CallId from, CallId to) const {
  Time start = (*this)[from].start;
  return start == kNoTime ? kNoDuration : elapsed((*this)[from].end(), (*this)[to].start);
}

}  // namespace xtrace
