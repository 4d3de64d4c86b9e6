#include "run/line_groups.h"

#include <algorithm>

#include "input/common/raw_trace.h"
#include "input/transcripts/fill_in.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

size_t count_lines(const std::vector<InputLines>& inputs) {
  size_t lines = 0;
  for (const InputLines& input : inputs) lines += input.begins.size();
  return lines;
}

}  // namespace

std::vector<bool> find_line_inputs(const RawTrace& records) {
  std::vector<bool> by_lines;
  for (const Source& source : records.sources)
    by_lines.push_back(!source.is_document && source.seekable && !source.unpacked_bytes);
  // The lines before a line of a transcript state what it continues.
  for (const Utterance& said : records.utterances) by_lines[said.source.file] = false;
  for (const AgentRelation& relation : records.relations) by_lines[relation.source.file] = false;
  for (const SessionNote& note : records.session_notes)
    if (!note.session) by_lines[note.source.file] = false;
  return by_lines;
}

LineGroups::LineGroups(const std::vector<InputLines>& inputs)
    : inputs_(inputs),
      joined_(count_lines(inputs)),
      records_(count_lines(inputs), 0),
      has_records_(count_lines(inputs), false) {
  size_t first = 0;
  for (const InputLines& input : inputs) {
    first_.push_back(first);
    first += input.begins.size();
  }
}

uint32_t LineGroups::line_at(const Extent& at) const {
  const std::vector<uint64_t>& begins = inputs_[at.file].begins;
  const auto behind = std::upper_bound(begins.begin(), begins.end(), at.offset);
  const size_t line =
      behind == begins.begin() ? 0 : static_cast<size_t>(behind - begins.begin()) - 1;
  return static_cast<uint32_t>(first_[at.file] + line);
}

uint32_t LineGroups::note(const Extent& at) {
  const uint32_t line = line_at(at);
  ++records_[line];
  return line;
}

void LineGroups::join(Name name, uint64_t value, uint32_t line) {
  const auto [known, is_new] = named_[static_cast<size_t>(name)].try_emplace(value, line);
  if (!is_new) joined_.join(known->second, line);
}

void LineGroups::join_step(const Trace& trace, TaskStepId id, uint32_t line) {
  if (!id) return;
  const TaskStep& step = trace[id];
  join(Name::task, step.task, line);
  join(Name::trace, step.trace, line);
  join(Name::request, step.request, line);
}

void LineGroups::join_calls(const RawTrace& records) {
  for (const Call& call : records.calls) {
    const uint32_t line = note(call.source);
    join(Name::session, call.session, line);
    join(Name::answer, call.response, line);
    join(Name::answer, call.follows, line);
    join(Name::request, call.is_thought ? call.id : StringId{}, line);
    if (call.digest != 0) join(Name::copy, call.digest, line);
    join_step(records, call.task_step, line);
  }
}

void LineGroups::join_spans(const RawTrace& records) {
  for (const Span& span : records.spans) {
    const uint32_t line = note(span.source);
    join(Name::trace, span.trace, line);
    join(Name::session, span.session, line);
    join(Name::run, span.run, line);
    join(Name::query, span.query, line);
    join_step(records, span.task_step, line);
    if (!span.trace || span.part != SpanPart::whole) join(Name::span, span.id, line);
    for (uint32_t i = span.first_parent; i < span.first_parent + span.parents; ++i) {
      join(Name::trace, records.span_parents[i].trace, line);
      if (!records.span_parents[i].trace && !span.trace)
        join(Name::span, records.span_parents[i].span, line);
    }
  }
  for (const SpanDetail& detail : records.span_details) {
    const uint32_t line = note(detail.source);
    join(detail.trace ? Name::trace : Name::span, detail.trace ? detail.trace : detail.span, line);
  }
  for (const TraceSession& filled_in : records.trace_sessions) {
    const uint32_t line = note(filled_in.source);
    join(Name::trace, filled_in.trace, line);
    join(Name::session, filled_in.session, line);
  }
  for (const GraphEdge& edge : records.graph_edges) note(edge.source);
  for (const Measurement& measurement : records.measurements) note(measurement.source);
}

void LineGroups::join_transcripts(const RawTrace& records) {
  for (const Utterance& said : records.utterances) {
    const uint32_t line = note(said.source);
    join(Name::session, said.session, line);
    join(Name::call, said.id, line);
    join(Name::call, said.after, line);
    join(Name::call, said.forked_from, line);
    join(Name::answer, said.answer, line);
    join(Name::request, said.request, line);
    join_step(records, said.task_step, line);
  }
  for (const AgentRelation& relation : records.relations)
    join(Name::session, relation.session, note(relation.source));
  for (const Thought& thought : records.thoughts) {
    const uint32_t line = note(thought.source);
    join(Name::session, thought.session, line);
    join(Name::request, thought.request, line);
    if (thought.digest != 0) join(Name::copy, thought.digest, line);
    join_step(records, thought.task_step, line);
  }
  for (const SessionNote& of : records.session_notes) {
    const uint32_t line = note(of.source);
    join(Name::session, of.session, line);
    join(Name::call, of.ends_with, line);
  }
  for (const UsageStatement& total : records.usage_statements)
    join(Name::session, total.session, note(total.source));
}

/// Names of files also show which files belong to one session.
void LineGroups::join_files(const RawTrace& records) {
  if (records.utterances.empty() && records.relations.empty()) return;
  // The step that makes calls of the records sets all of it later.
  RawTrace filled_in;
  filled_in.sources = records.sources;
  filled_in.messages = records.messages;
  filled_in.tool_uses = records.tool_uses;
  filled_in.tool_results = records.tool_results;
  filled_in.prompts = records.prompts;
  filled_in.utterances = records.utterances;
  filled_in.relations = records.relations;
  for (uint32_t i = 0; i < records.strings.size(); ++i)
    filled_in.strings.intern(records.strings[StringId(i)]);
  fill_in(filled_in);
  for (const Utterance& said : filled_in.utterances) {
    const uint32_t line = line_at(said.source);
    join(Name::session, said.session, line);
    join(Name::answer, said.answer, line);
    if (said.in_subagent) join(Name::agent, said.agent, line);
  }
  for (const AgentRelation& relation : filled_in.relations) {
    const uint32_t line = line_at(relation.source);
    const bool is_portion = relation.kind == AgentRelation::Kind::portion;
    join(Name::session, relation.session, line);
    join(is_portion ? Name::session : Name::agent, relation.agent, line);
  }
}

void LineGroups::join_records(const RawTrace& records) {
  join_calls(records);
  join_spans(records);
  join_transcripts(records);
  join_files(records);
  for (auto& names : named_) names.clear();
}

void LineGroups::join_hops(const Graph& graph) {
  const Hops& hops = graph.hops();
  const Trace& trace = graph.trace();
  auto line = [&](HopId id) { return line_at(hops[id].at); };
  for (size_t i = 0; i < hops.all.size(); ++i) {
    const Hop& hop = hops.all[i];
    const uint32_t own = line_at(hop.at);
    for (SpanId observed : hops.observations_of(hop))
      joined_.join(own, line_at(trace[observed].source));
    if (hop.cause) joined_.join(own, line(hop.cause));
    for (const Rival<HopId>& other : hops.alternatives_of(hop)) joined_.join(own, line(other.from));
    if (CallId call = graph.partners().of_hop[i]; call)
      joined_.join(own, line_at(trace[call].source));
  }
  for (const Run& run : hops.runs)
    for (HopId hop : run.hops) joined_.join(line(run.hops.front()), line(hop));
}

void LineGroups::join_conclusions(const Graph& graph) {
  const Trace& trace = graph.trace();
  auto line = [&](CallId id) { return line_at(trace[id].source); };
  for (const Span& span : trace.spans) has_records_[line_at(span.source)] = true;
  for (const Call& call : trace.calls) has_records_[line_at(call.source)] = true;
  for (const Call& call : trace.calls)
    for (uint32_t i = call.first_place; i < call.first_place + call.places; ++i)
      joined_.join(line_at(call.source), line_at(trace.places[i]));
  for (const OtherRecord& other : trace.other_records)
    joined_.join(line(other.call), line_at(other.at));
  for (const Link& link : graph.links()) {
    joined_.join(line(link.from), line(link.to));
    for (const Alternative& other : graph.alternatives(link))
      joined_.join(line(other.from), line(link.to));
  }
  for (const Session& session : graph.sessions())
    for (CallId call : session.calls) joined_.join(line(session.calls.front()), line(call));
  for (const Conversation& conversation : graph.conversations())
    for (CallId call : conversation.calls)
      joined_.join(line(conversation.calls.front()), line(call));
  join_hops(graph);
}

void LineGroups::settle() {
  for (size_t input = 0; input < inputs_.size(); ++input) {
    const size_t first = first_[input], end = first + inputs_[input].begins.size();
    size_t owner = end;
    for (size_t line = first; line < end; ++line) {
      if (records_[line] > 0) {
        // Lines before the first record belong to that record.
        if (owner == end)
          for (size_t before = first; before < line; ++before)
            joined_.join(static_cast<uint32_t>(before), static_cast<uint32_t>(line));
        owner = line;
      } else if (owner != end) {
        joined_.join(static_cast<uint32_t>(owner), static_cast<uint32_t>(line));
      }
    }
    if (owner == end)
      for (size_t line = first; line < end; ++line)
        joined_.join(static_cast<uint32_t>(first), static_cast<uint32_t>(line));
  }
}

}  // namespace xtrace
