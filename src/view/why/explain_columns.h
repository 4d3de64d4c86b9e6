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
     "principal, agent, resource, hop, span or call; or the type of a step: TEST_RUN",
     CellKind::text, true},
};
inline constexpr Column kAccessors[] = {
    {"direct_accessors", "who called the target", CellKind::texts, true},
};

inline constexpr Column kAnswer[] = {
    {"delegation_order", "of delegated_by", CellKind::text, true},
    {"answer", "the causes in words", CellKind::text, true},
};
/// Of an agent that was asked for by its type, or a step by a name that others have too.
inline constexpr Column kInstances[] = {
    {"instances",
     "of the agent, or other steps of this name: --node with one of these explains that one",
     CellKind::texts},
};
/// Of a step of a story alone.
inline constexpr Column kBeside[] = {
    {"before", "other steps of its task that began before it, a sentence each", CellKind::texts},
    {"after", "other steps of its task that began after it", CellKind::texts},
};
inline constexpr std::string_view kDelegationOrder =
    "closest-first (immediate caller first, principal last)";

inline constexpr Column kDelegated[] = {
    {"actor", "who delegated", CellKind::text, true},
    {"hop_kind", "", CellKind::text, true},
    {"first_ts", "start of the call, in microseconds since 1970", CellKind::integer},
};

/// As `dag` has it of the edge: a chain is as sure as all its links together.
inline constexpr Column kDirectConfidence = {
    "direct_confidence", "that the last link of the chain alone is right", CellKind::number, true};

inline constexpr Column kCommonGroups[] = {
    {"accessor", "who called the target directly", CellKind::text},
    {"hop_kind", "", CellKind::text},
    {"span_count", "accesses through this very chain; each access is in one group",
     CellKind::integer, true},
    {"span_ids", "of these accesses", CellKind::texts, true},
    {"first_ts", "in microseconds since 1970", CellKind::integer},
    {"last_ts", "in microseconds since 1970", CellKind::integer},
    {"total_duration_us", "sum over these accesses", CellKind::integer},
    {"errors", "accesses that failed", CellKind::integer},
    {"full_path", "the chain from the principal to the target", CellKind::texts, true},
    {"delegated_by", "closest first: the immediate caller first, the principal last",
     CellKind::rows, true, kDelegated},
    kChainConfidence,
    kChainMethod,
    kChainIncomplete,
    kChainAlternatives,
    {"at", "where the accesses stand", CellKind::texts, true},
    {"arguments", "what the tool was given whose result led to it, as JSON, at level full",
     CellKind::text},
};

/// Of hops alone; a chain of model calls begins with one.
inline constexpr Column kMoreOfHops[] = {
    kChainTold,
    kRetries,
    {"cause_ids", "the spans that led to the first access, closest first", CellKind::texts},
    {"also_caused_by", "further spans that these accesses record as what led to them",
     CellKind::texts}};

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
    {"target", "what was reached", CellKind::text},
    {"hop_kind", "", CellKind::text},
    {"span_count", "calls to it through this very chain", CellKind::integer, true},
    {"span_ids", "of these calls", CellKind::texts, true},
    {"first_ts", "in microseconds since 1970", CellKind::integer},
    {"last_ts", "in microseconds since 1970", CellKind::integer},
    {"total_duration_us", "sum over these calls", CellKind::integer},
    {"errors", "calls that failed", CellKind::integer},
    {"path", "the chain from what is explained to what was reached", CellKind::texts, true},
    {"confidence", "that all links of this chain are right", CellKind::number, true},
    {"method", "of a model call: the rule of the link that leads to it", CellKind::text},
    {"descendants", "of a model call: further calls that followed from it", CellKind::integer},
    {"at", "where these calls stand", CellKind::texts, true},
    {"direct_confidence", "that the first link of the chain alone is right", CellKind::number},
};

inline constexpr Column kParallel[] = {
    {"cause_indices", "places in cause_groups, from 0; a cause may be in several groups",
     CellKind::integers, true},
    {"accessors", "", CellKind::texts, true},
    {"paths", "the distinct chains", CellKind::text_lists, true},
};
inline constexpr Column kParallelOmitted[] = {
    {"parallel_groups_omitted", "further groups, where those told have 100,000 members in all",
     CellKind::integer},
};

}  // namespace xtrace
