#include "link/calls/timeline.h"

#include <algorithm>

#include "facts/rows.h"

namespace xtrace {

Timeline::Timeline(const Trace& trace) : trace_(&trace) {
  std::vector<Time> when(trace.calls.size());
  for (size_t i = 0; i < when.size(); ++i) {
    const Call& call = trace.calls[i];
    bool follows = i > 0 && trace.calls[i - 1].source.file == call.source.file;
    when[i] = call.start != kNoTime ? call.start : follows ? when[i - 1] : kNoTime;
    order_.emplace_back(i);
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [&](CallId a, CallId b) { return when[a.index] < when[b.index]; });
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
