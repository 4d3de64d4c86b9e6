#pragma once

#include <optional>

#include "view/calls/spending.h"
#include "view/hops/certainty.h"

namespace xtrace {

// Why something was accessed: a group for each chain of delegation that led to it, and how sure it
// is. Programs read these fields by name: none is ever renamed.

/// What is asked.
struct ExplainHead {
  Text question, target, target_type;
};
inline constexpr Field<ExplainHead> kHead[] = {
    {{"question", "", CellKind::text, true}, member<&ExplainHead::question>},
    {{"target", "", Role::node, true}, member<&ExplainHead::target>},
    {{"target_type",
      "principal, agent, resource, hop, span or call; or the type of a step, such as TEST_RUN",
      CellKind::text, true},
     member<&ExplainHead::target_type>},
};
inline constexpr Field<const Texts*> kAccessors[] = {
    {{"direct_accessors", "actors that called the target", CellKind::texts, true},
     [](const Texts* const& names) { return Cell(names); }},
};

inline constexpr Field<Text> kAnswer[] = {
    {{"delegation_order", "order of delegated_by", CellKind::text, true},
     [](const Text&) {
       return Cell(Text("closest-first (immediate caller first, principal last)"));
     }},
    {{"answer", "all causes, as text for people", CellKind::text, true},
     [](const Text& answer) { return Cell(answer); }},
};
/// Of an agent that was asked for by its type, or a step by a name that others have too.
inline constexpr Field<Cell> kInstances[] = {
    {{"instances",
      "instances of the agent, or other steps with this name; to explain one, pass it to --node",
      CellKind::texts},
     [](const Cell& names) { return names; }},
};
/// Of a step of a story alone.
struct StepsBeside {
  Cell before, after;
};
inline constexpr Field<StepsBeside> kBeside[] = {
    {{"before", "other steps of its task that began before it, one sentence each", CellKind::texts},
     member<&StepsBeside::before>},
    {{"after", "other steps of its task that began after it, one sentence each", CellKind::texts},
     member<&StepsBeside::after>},
};

struct DelegationRow {
  Text actor, hop_kind;
  Time first;
};
inline constexpr Field<DelegationRow> kDelegated[] = {
    {{"actor", "the actor that delegated", CellKind::text, true}, member<&DelegationRow::actor>},
    {{"hop_kind", "", CellKind::text, true}, member<&DelegationRow::hop_kind>},
    {{"first_ts", "start of the call, in microseconds since 1970", CellKind::integer},
     [](const DelegationRow& row) { return microseconds(row.first); }},
};

/// The calls at the end of a chain: accesses to the target, or calls to what it led to.
struct ChainCalls {
  const Texts *ids, *places;
  Time first, last;
  Duration total;
  int64_t errors;
};
/// A group of causes, or of effects.
struct ChainRow {
  ChainCalls calls;
  Text actor;  ///< the direct caller of the target; of effects, the actor reached
  Text hop_kind;
  const Texts* path;
  Certainty certainty;
  std::optional<double> direct_confidence{};  ///< of the link next to the target
  // Of causes:
  const Table* delegated_by = nullptr;
  Cell alternatives{};
  Text arguments{};
  // Of causes of hops:
  int64_t retries = 0;
  Cell cause_ids{}, more_causes{};
  // Of effects:
  int64_t descendants = 0;
};

inline constexpr Field<ChainRow> kCommonGroups[] = {
    {{"accessor", "direct caller of the target", CellKind::text},
     [](const ChainRow& row) { return known(row.actor); }},
    {{"hop_kind", "", CellKind::text}, [](const ChainRow& row) { return known(row.hop_kind); }},
    {{"span_count",
      "number of accesses through exactly this chain; each access belongs to one group",
      CellKind::integer, true},
     [](const ChainRow& row) { return Cell(static_cast<int64_t>(row.calls.ids->size())); }},
    {{"span_ids", "span ids of these accesses", CellKind::texts, true},
     [](const ChainRow& row) { return Cell(row.calls.ids); }},
    {{"first_ts", "start of the first access, in microseconds since 1970", CellKind::integer},
     [](const ChainRow& row) { return microseconds(row.calls.first); }},
    {{"last_ts", "start of the last access, in microseconds since 1970", CellKind::integer},
     [](const ChainRow& row) { return microseconds(row.calls.last); }},
    {{"total_duration_us", "total duration of these accesses, in microseconds", CellKind::integer},
     [](const ChainRow& row) { return microseconds(row.calls.total); }},
    {{"errors", "failed accesses", Role::errors},
     [](const ChainRow& row) { return some(row.calls.errors); }},
    {{"full_path", "chain from the principal to the target", CellKind::texts, true, {}, Role::node},
     member<&ChainRow::path>},
    {{"delegated_by", "closest first: the immediate caller first, the principal last",
      CellKind::rows, true, columns_of<kDelegated>()},
     member<&ChainRow::delegated_by>},
    {kChainConfidence,
     [](const ChainRow& row) { return Cell(thousandths(row.certainty.confidence)); }},
    {kChainMethod, [](const ChainRow& row) { return method(row.certainty); }},
    {kChainIncomplete, [](const ChainRow& row) { return if_true(row.certainty.is_incomplete); }},
    {kChainAlternatives, member<&ChainRow::alternatives>},
    {{"at", "locations of these accesses", CellKind::texts, true},
     [](const ChainRow& row) { return Cell(row.calls.places); }},
    {{"arguments", "arguments of the tool whose result led to it, as JSON, at level full",
      CellKind::text},
     [](const ChainRow& row) { return known(row.arguments); }},
};
/// Of hops alone; a chain of model calls begins with one.
inline constexpr Field<ChainRow> kMoreOfHops[] = {
    {kChainTold, [](const ChainRow& row) { return if_true(row.certainty.is_told); }},
    {kRetries, [](const ChainRow& row) { return some(row.retries); }},
    {{"cause_ids", "spans that led to the first access, closest first", CellKind::texts},
     member<&ChainRow::cause_ids>},
    {{"also_caused_by", "further spans recorded as causes of these accesses", CellKind::texts},
     member<&ChainRow::more_causes>},
};
/// As `dag` has it of the edge: a chain is as sure as all its links together.
inline constexpr Field<ChainRow> kDirectConfidence[] = {
    {{"direct_confidence", "confidence in the last link of the chain only", CellKind::number, true},
     [](const ChainRow& row) { return Cell(thousandths(*row.direct_confidence)); }},
};
inline constexpr auto kGroups = joined_fields(kCommonGroups, kDirectConfidence);
inline constexpr auto kHopGroups = joined_fields(kCommonGroups, kMoreOfHops, kDirectConfidence);

inline constexpr Field<ChainRow> kEffects[] = {
    {{"target", "the actor reached", CellKind::text},
     [](const ChainRow& row) { return known(row.actor); }},
    {{"hop_kind", "", CellKind::text}, [](const ChainRow& row) { return known(row.hop_kind); }},
    {{"span_count", "number of calls to it through exactly this chain", CellKind::integer, true},
     [](const ChainRow& row) { return Cell(static_cast<int64_t>(row.calls.ids->size())); }},
    {{"span_ids", "span ids of these calls", CellKind::texts, true},
     [](const ChainRow& row) { return Cell(row.calls.ids); }},
    {{"first_ts", "start of the first call, in microseconds since 1970", CellKind::integer},
     [](const ChainRow& row) { return microseconds(row.calls.first); }},
    {{"last_ts", "start of the last call, in microseconds since 1970", CellKind::integer},
     [](const ChainRow& row) { return microseconds(row.calls.last); }},
    {{"total_duration_us", "total duration of these calls, in microseconds", CellKind::integer},
     [](const ChainRow& row) { return microseconds(row.calls.total); }},
    {{"errors", "failed calls", Role::errors},
     [](const ChainRow& row) { return some(row.calls.errors); }},
    {{"path", "chain from the explained node to the one reached", CellKind::texts, true},
     member<&ChainRow::path>},
    {{"confidence", "confidence that all links of this chain are right", CellKind::number, true},
     [](const ChainRow& row) { return Cell(thousandths(row.certainty.confidence)); }},
    {{"method", "for a model call: rule of the link that leads to it", CellKind::text},
     [](const ChainRow& row) { return method(row.certainty); }},
    {{"descendants", "for a model call: number of further calls that followed from it",
      CellKind::integer},
     [](const ChainRow& row) { return some(row.descendants); }},
    {{"at", "locations of these calls", CellKind::texts, true},
     [](const ChainRow& row) { return Cell(row.calls.places); }},
    {{"direct_confidence", "confidence in the first link of the chain only", CellKind::number},
     [](const ChainRow& row) {
       return row.direct_confidence ? Cell(thousandths(*row.direct_confidence)) : Cell();
     }},
};

struct ParallelRow {
  const Integers* causes;
  const Texts* accessors;
  const TextLists* paths;
};
inline constexpr Field<ParallelRow> kParallel[] = {
    {{"cause_indices", "positions in cause_groups, from 0; a cause may be in several groups",
      CellKind::integers, true},
     member<&ParallelRow::causes>},
    {{"accessors", "", CellKind::texts, true}, member<&ParallelRow::accessors>},
    {{"paths", "the distinct chains", CellKind::text_lists, true}, member<&ParallelRow::paths>},
};

struct OmittedChains {
  size_t causes, accesses, effects;
};
inline constexpr Field<OmittedChains> kOmitted[] = {
    {{"cause_groups_omitted",
      "number of further chains that led to the target; --all-paths lists them", CellKind::integer},
     [](const OmittedChains& row) { return some(static_cast<int64_t>(row.causes)); }},
    {{"accesses_omitted", "number of accesses through these omitted chains", CellKind::integer},
     [](const OmittedChains& row) { return some(static_cast<int64_t>(row.accesses)); }},
    {{"effects_omitted",
      "number of further chains that start at the target; --all-paths lists them",
      CellKind::integer},
     [](const OmittedChains& row) { return some(static_cast<int64_t>(row.effects)); }},
};

/// Of a call that a subagent began with, of its whole run.
struct AgentRun {
  Text name;
  size_t calls;
  Usage usage;
  Duration took;
};
inline constexpr Field<AgentRun> kAgentRun[] = {
    {{"agent.name", "", CellKind::text}, member<&AgentRun::name>},
    {{"agent.calls", "", CellKind::integer},
     [](const AgentRun& row) { return Cell(static_cast<int64_t>(row.calls)); }},
    {{"agent.cost_usd", "cost including everything it spawned; absent if unknown",
      CellKind::number},
     [](const AgentRun& row) { return dollars(row.usage.cost); }},
    {{"agent.unpriced_calls", "number of calls not included in the cost", CellKind::integer},
     [](const AgentRun& row) { return some(row.usage.unpriced); }},
    {{"agent.partly_priced_calls", "number of calls whose cost is only partly included",
      CellKind::integer},
     [](const AgentRun& row) { return some(row.usage.partly); }},
    {{"agent.duration_ms", "from its first call to its last", CellKind::milliseconds},
     [](const AgentRun& row) { return known(row.took); }},
};

}  // namespace xtrace
