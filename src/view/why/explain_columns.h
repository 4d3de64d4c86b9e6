#pragma once

#include <algorithm>
#include <array>

#include "view/hops/certainty.h"

namespace xtrace {

// Why something was accessed: a group for each chain of delegation that led to it, and how sure it
// is. Programs read these fields by name: none is ever renamed.

inline constexpr Column kHead[] = {
    {"question", "", CellKind::text, true},
    {"target", "", CellKind::text, true},
    {"target_type",
     "principal, agent, resource, hop, span or call; or the type of a step, such as TEST_RUN",
     CellKind::text, true},
};
inline constexpr Column kAccessors[] = {
    {"direct_accessors", "actors that called the target", CellKind::texts, true},
};

inline constexpr Column kAnswer[] = {
    {"delegation_order", "order of delegated_by", CellKind::text, true},
    {"answer", "all causes, as text for people", CellKind::text, true},
};
/// Of an agent that was asked for by its type, or a step by a name that others have too.
inline constexpr Column kInstances[] = {
    {"instances",
     "instances of the agent, or other steps with this name; to explain one, pass it to --node",
     CellKind::texts},
};
/// Of a step of a story alone.
inline constexpr Column kBeside[] = {
    {"before", "other steps of its task that began before it, one sentence each", CellKind::texts},
    {"after", "other steps of its task that began after it, one sentence each", CellKind::texts},
};
inline constexpr std::string_view kDelegationOrder =
    "closest-first (immediate caller first, principal last)";

inline constexpr Column kDelegated[] = {
    {"actor", "the actor that delegated", CellKind::text, true},
    {"hop_kind", "", CellKind::text, true},
    {"first_ts", "start of the call, in microseconds since 1970", CellKind::integer},
};

/// As `dag` has it of the edge: a chain is as sure as all its links together.
inline constexpr Column kDirectConfidence = {
    "direct_confidence", "confidence in the last link of the chain only", CellKind::number, true};

inline constexpr Column kCommonGroups[] = {
    {"accessor", "direct caller of the target", CellKind::text},
    {"hop_kind", "", CellKind::text},
    {"span_count",
     "number of accesses through exactly this chain; each access belongs to one group",
     CellKind::integer, true},
    {"span_ids", "span ids of these accesses", CellKind::texts, true},
    {"first_ts", "start of the first access, in microseconds since 1970", CellKind::integer},
    {"last_ts", "start of the last access, in microseconds since 1970", CellKind::integer},
    {"total_duration_us", "total duration of these accesses, in microseconds", CellKind::integer},
    {"errors", "failed accesses", CellKind::integer},
    {"full_path", "chain from the principal to the target", CellKind::texts, true},
    {"delegated_by", "closest first: the immediate caller first, the principal last",
     CellKind::rows, true, kDelegated},
    kChainConfidence,
    kChainMethod,
    kChainIncomplete,
    kChainAlternatives,
    {"at", "locations of these accesses", CellKind::texts, true},
    {"arguments", "arguments of the tool whose result led to it, as JSON, at level full",
     CellKind::text},
};

/// Of hops alone; a chain of model calls begins with one.
inline constexpr Column kMoreOfHops[] = {
    kChainTold,
    kRetries,
    {"cause_ids", "spans that led to the first access, closest first", CellKind::texts},
    {"also_caused_by", "further spans that these accesses record as causes", CellKind::texts}};

/// The columns that all groups have, then some more, then kDirectConfidence.
template <size_t N>
constexpr auto groups_with(const std::array<Column, N>& more) {
  std::array<Column, std::size(kCommonGroups) + N + 1> all{};
  auto next = std::copy(std::begin(kCommonGroups), std::end(kCommonGroups), all.begin());
  *std::copy(more.begin(), more.end(), next) = kDirectConfidence;
  return all;
}
inline constexpr auto kGroups = groups_with(std::array<Column, 0>{});
inline constexpr auto kHopGroups = groups_with(std::to_array(kMoreOfHops));

inline constexpr Column kEffects[] = {
    {"target", "the actor reached", CellKind::text},
    {"hop_kind", "", CellKind::text},
    {"span_count", "number of calls to it through exactly this chain", CellKind::integer, true},
    {"span_ids", "span ids of these calls", CellKind::texts, true},
    {"first_ts", "start of the first call, in microseconds since 1970", CellKind::integer},
    {"last_ts", "start of the last call, in microseconds since 1970", CellKind::integer},
    {"total_duration_us", "total duration of these calls, in microseconds", CellKind::integer},
    {"errors", "failed calls", CellKind::integer},
    {"path", "chain from the explained node to the one reached", CellKind::texts, true},
    {"confidence", "confidence that all links of this chain are right", CellKind::number, true},
    {"method", "for a model call: rule of the link that leads to it", CellKind::text},
    {"descendants", "for a model call: number of further calls that followed from it",
     CellKind::integer},
    {"at", "locations of these calls", CellKind::texts, true},
    {"direct_confidence", "confidence in the first link of the chain only", CellKind::number},
};

inline constexpr Column kParallel[] = {
    {"cause_indices", "positions in cause_groups, from 0; a cause may be in several groups",
     CellKind::integers, true},
    {"accessors", "", CellKind::texts, true},
    {"paths", "the distinct chains", CellKind::text_lists, true},
};
inline constexpr Column kParallelOmitted[] = {
    {"parallel_groups_omitted",
     "number of groups not listed; the list ends when its groups have 100,000 members in total",
     CellKind::integer},
};

}  // namespace xtrace
