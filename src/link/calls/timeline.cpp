#include "link/calls/timeline.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "facts/rows.h"

namespace xtrace {

namespace {

/// The call that asked for the subagent which made another one, as far as ids tell it.
class Spawners {
 public:
  explicit Spawners(const Trace& trace) : trace_(trace) {
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
  const Trace& trace_;
  std::unordered_map<uint32_t, CallId> caller_of_use_;
  std::map<std::pair<StringId, StringId>, StringId> use_of_agent_;  ///< by session and agent
};

/// Logs that write seconds, or give a whole turn one time, have a subagent begin with its parent's
/// call. `before`: the call that stands before another. Nothing else changes its place within that
/// moment; in a circle nobody is the first.
template <class Before>
std::vector<CallId> in_moments(const std::vector<CallId>& order, const std::vector<Time>& when,
                               Before before) {
  std::vector<bool> is_placed(order.size());
  std::vector<CallId> placed, chain;
  placed.reserve(order.size());
  for (CallId id : order) {
    CallId at = id;
    for (; at && !is_placed[at.index] && when[at.index] == when[id.index]; at = before(at)) {
      is_placed[at.index] = true;
      chain.push_back(at);
    }
    const bool is_circle = std::find(chain.begin(), chain.end(), at) != chain.end();
    if (!is_circle) std::reverse(chain.begin(), chain.end());
    placed.insert(placed.end(), chain.begin(), chain.end());
    chain.clear();
  }
  return placed;
}

/// A transcript says what each of its calls goes on from, and that is known better than when it
/// was: where a clock went back in between, the later one is taken to be of the moment of the
/// earlier.
void follow_transcripts(const Trace& trace, std::vector<Time>& when) {
  std::vector<bool> is_settled(when.size());
  std::vector<CallId> open;
  for (size_t i = 0; i < when.size(); ++i) {
    for (CallId at(i); at && !is_settled[at.index]; at = trace[at].previous) {
      is_settled[at.index] = true;
      open.push_back(at);
    }
    for (; !open.empty(); open.pop_back()) {
      const CallId id = open.back(), before = trace[id].previous;
      if (before) when[id.index] = std::max(when[id.index], when[before.index]);
    }
  }
}

}  // namespace

Timeline::Timeline(const Trace& trace) : trace_(&trace) {
  std::vector<Time> when(trace.calls.size());
  for (size_t i = 0; i < when.size(); ++i) {
    const Call& call = trace.calls[i];
    bool follows = i > 0 && trace.calls[i - 1].source.file == call.source.file;
    when[i] = call.start != kNoTime ? call.start : follows ? when[i - 1] : kNoTime;
    order_.emplace_back(i);
  }
  follow_transcripts(trace, when);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](CallId a, CallId b) { return when[a.index] < when[b.index]; });
  const Spawners spawners(trace);
  order_ = in_moments(order_, when, [&](CallId id) { return spawners.of(id); });
  order_ = in_moments(order_, when, [&](CallId id) { return trace[id].previous; });
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
