#pragma once

#include <memory>
#include <string>
#include <vector>

#include "doc/traced_span.h"
#include "view/calls/call_fields.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

// What `convert` writes. Spans bear what OpenTelemetry has names for, and in `xtrace.*` what it
// has none for, so that reading them back gives the same graph (input/spans/converted_spans.h).

/// A span for each model call, in one for the run of its agent: a session is a trace.
SpanStream spans_of_calls(std::shared_ptr<const CallScene> scene);
/// A span for each hop, however often it was observed: a run is a trace.
SpanStream spans_of_hops(std::shared_ptr<const HopScene> scene);
/// The steps of the agents of each session, as ATIF has them.
Stream trajectories_of(std::shared_ptr<const CallScene> scene);

/// What was done within what, and what it cost and took, as `stats` adds it up: calls and tools
/// below the chain of their agents; spans below their causes, without the time of what was done for
/// them meanwhile. Null: there are none.
Stream stacks_of(std::shared_ptr<const CallScene> calls, std::shared_ptr<const HopScene> spans);

/// Sets start and duration, and adds as attributes what they cannot express: that one is unknown
/// (the start stays as it is, the duration zero), and what is finer than Jaeger's microseconds.
void set_times(Time start, Duration duration, TracedSpan& span);
/// As tracing systems have it; else a name of ours.
void set_name(Text name, TracedSpan& span);
/// Adds what a model used up as OpenTelemetry counts it: what came from or went to a cache is
/// input.
void add_usage(const Tokens& tokens, Entries& out);
/// Adds on which terms that was, and how often the vendor ran which tools; a part of add_usage().
void add_terms(const Tokens& tokens, Entries& out);

/// Measurements of sessions by their clients, each with the last call of the session that had
/// begun, or with its first one. Indices into Trace::measurements.
std::vector<std::vector<uint32_t>> client_measurements_by_call(const Graph& graph);

// Sentences that count, by kind, what the format has no place for and `convert` leaves out; empty
// if nothing is. Texts that were not asked for (--level) do not count.

/// `calls`, `hops`: those that are shown; nullptr: none.
std::string left_out_of_spans(const Graph& graph, const Selection* calls, const HopSelection* hops);
/// `hops`: those next to the calls that spans would show; nullptr: none.
std::string left_out_of_trajectories(const Graph& graph, const Selection& calls,
                                     const HopSelection* hops);

}  // namespace xtrace
