#include "input/transcripts/join_thoughts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "input/common/raw_trace.h"

namespace xtrace {

namespace {

/// Fills in what an earlier record of the call left open.
void take(const Thought& more, Thought& into) {
  for (auto [from, to] : {std::pair(&more.session, &into.session),
                          {&more.model, &into.model},
                          {&more.agent, &into.agent},
                          {&more.error, &into.error}})
    if (!*to) *to = *from;
  into.tokens.input = std::max(into.tokens.input, more.tokens.input);
  into.tokens.output = std::max(into.tokens.output, more.tokens.output);
  into.cost = std::max(into.cost, more.cost);
  into.latency = std::max(into.latency, more.latency);
  into.outcome = joined(into.outcome, more.outcome);
}

void take(const TaskStep& more, TaskStep& into) {
  for (StringId TaskStep::*field :
       {&TaskStep::span, &TaskStep::parent, &TaskStep::trace, &TaskStep::task, &TaskStep::trigger,
        &TaskStep::component, &TaskStep::status})
    if (!(into.*field)) into.*field = more.*field;
}

void add_call(RawTrace& trace, std::vector<Thought>::iterator begin,
              std::vector<Thought>::iterator end) {
  Thought whole = *begin;
  Call call;
  call.first_place = static_cast<uint32_t>(trace.places.size());
  call.places = static_cast<uint32_t>(end - begin);
  Time last = kNoTime;
  int64_t pieces = 0;
  for (auto at = begin; at != end; ++at) {
    trace.places.push_back({at->source, {}});
    if (at != begin) take(*at, whole);
    if (at != begin) take(trace[at->task_step], trace.task_steps[whole.task_step.index]);
    last = std::max(last, at->time);
    pieces += at->pieces;
  }
  call.start = whole.time;
  call.decimals = whole.decimals;
  call.duration = whole.latency;
  if (call.duration == kNoDuration && begin + 1 != end) call.duration = elapsed(whole.time, last);
  call.source = whole.source;
  call.id = whole.request;
  call.outcome = whole.outcome;
  // Copies of a record in another file are the same call.
  call.digest = chain(static_cast<uint64_t>(call.start.time_since_epoch().count()),
                      hash_of(trace[whole.request]));
  call.model = whole.model;
  call.session = whole.session;
  call.agent_type = whole.agent;
  call.error = whole.error;
  call.tokens = whole.tokens;
  if (call.tokens.output < 0 && pieces > 0) call.tokens.output = pieces;
  call.cost = whole.cost;
  call.task_step = whole.task_step;
  call.is_thought = true;
  trace.calls.push_back(call);
}

/// Leaves out what may be of any server, unless something that is sure names the same request.
void leave_out_unsure(RawTrace& trace, std::vector<Thought>& thoughts) {
  std::set<StringId> known;
  for (const Thought& thought : thoughts)
    if (!thought.is_unsure) known.insert(thought.request);
  for (const Span& span : trace.spans)
    if (span.task_step && trace.task_steps[span.task_step.index].is_adapter)
      known.insert(trace.task_steps[span.task_step.index].request);
  for (const Call& call : trace.calls) known.insert(call.id);
  std::map<uint32_t, std::pair<Extent, uint64_t>> left_out;  // by file: the first, and how many
  std::erase_if(thoughts, [&](const Thought& thought) {
    if (!thought.is_unsure || known.contains(thought.request)) return false;
    ++left_out.try_emplace(thought.source.file, thought.source, 0).first->second.second;
    return true;
  });
  for (const auto& [file, one] : left_out)
    trace.complaints.push_back(
        {one.first,
         fmt::format("a log record whose request matches no model call ({} in this file)",
                     one.second),
         Complaint::Kind::unknown_record});
}

}  // namespace

void join_thoughts(RawTrace& trace) {
  std::vector<Thought> thoughts = std::move(trace.thoughts);
  trace.thoughts.clear();
  leave_out_unsure(trace, thoughts);
  auto key = [](const Thought& one) {
    return std::tuple(one.request, one.time, one.digest, one.source.file, one.source.offset);
  };
  std::sort(thoughts.begin(), thoughts.end(),
            [&](const Thought& a, const Thought& b) { return key(a) < key(b); });
  auto is_copy = [&](const Thought& a, const Thought& b) {
    bool copies = a.request == b.request && a.time == b.time && a.digest == b.digest;
    if (copies) ++trace.sources[b.source.file].copies;
    return copies;
  };
  thoughts.erase(std::unique(thoughts.begin(), thoughts.end(), is_copy), thoughts.end());
  for (auto begin = thoughts.begin(); begin != thoughts.end();) {
    auto end = std::find_if(begin, thoughts.end(),
                            [&](const Thought& other) { return other.request != begin->request; });
    add_call(trace, begin, end);
    begin = end;
  }
}

}  // namespace xtrace
