#pragma once

#include <string_view>
#include <vector>

#include "link/hops/hops.h"

namespace xtrace {

// The steps of find_hops(), in their order.

/// Puts together the observations of each hop (the sidecars on both sides of a call report the same
/// span id, each in a trace of its own) and says who called whom as far as tags tell.
void observe_hops(const Trace& trace, Hops& hops);
/// Joins the two observations of a call whose sides did not agree on a span id: of one run, between
/// the same actors, where start and end differ as they usually do between these two, so that clocks
/// that differ by a constant do no harm. A part of observe_hops().
void pair_observations(const Trace& trace, Hops& hops);
/// Actors whose names do not begin with what they are: what their hops' kinds say.
void type_actors(Hops& hops);
/// Groups and orders the hops and gives each a name of its own.
void sort_into_runs(const Trace& trace, Hops& hops);
/// Follows the parents that spans name, and puts what logs record about a span to its hop.
void follow_parents(const Trace& trace, Hops& hops);
/// Runs without trust tags whose spans record agents and tools: who called whom is read from those.
/// Marks the hops of these runs in `named`.
void name_agents(const Trace& trace, Hops& hops, std::vector<bool>& named);
/// All other spans without trust tags: a call between services where parent and child differ in
/// theirs.
void name_services(const Trace& trace, const std::vector<bool>& named, Hops& hops);
/// On whose behalf each hop was made, as far as it shows, and each run: a run may be several
/// principals'.
void name_principals(const Trace& trace, Hops& hops);
/// Finds the causes that nobody recorded, by when things happened (link/causes/assignment.h).
void backtrack(const Trace& trace, const LinkOptions& linking, Hops& hops);
/// A hop whose chain of causes leads into another run is made on behalf of whoever begins it: adds
/// them to the principals of the hop's run.
void name_principals_of_causes(Hops& hops);

/// A 16-digit id and the same with its leading zeros lost are one.
std::string_view without_zeros(std::string_view id);
/// The run it belongs to: where tags name none, its trace.
StringId run_of(const Trace& trace, const Span& span);
/// Names a span of a group (a trace or a run).
uint64_t span_key(const Trace& trace, StringId group, StringId id);

}  // namespace xtrace
