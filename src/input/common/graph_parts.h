#pragma once

#include "facts/step.h"
#include "input/common/json.h"
#include "input/common/labels.h"

namespace xtrace {

// The parts of a query trace (facts/step.h) that step events carry, and spans in their tags. Names
// are taken as the trace spells them (`evidenceRefs`, `doc_id`) and in the other spelling
// (`evidence_refs`, `docId`).

/// A string, or a number in digits; empty for anything else.
std::string name_of(json::element value);
/// Members of an object; of a nested one with a dot between the names.
void read_params(json::element object, std::vector<Parameter>& params);
/// A list of references, or of bare ids.
void read_evidence(json::element list, std::vector<EvidenceRef>& evidence);
/// A field of one reference; false: none that is known.
bool read_evidence_field(std::string_view key, json::element value, EvidenceRef& evidence);
/// `{"nodes", "edges"}`, or lists by kind: entities, relations, claims, textUnits, communities,
/// documents.
void read_subgraph(json::element subgraph, StepRecord& step);
/// One of these lists; false: none.
bool read_graph_list(std::string_view key, json::element list, StepRecord& step);
/// A step that costs more is no step, and sums of what is left fit into 64 bits.
inline constexpr double kMostDollars = 1e6;
/// Dollars, or what makes so many of one, as billionths of a dollar; -1 if it is no amount.
int64_t read_dollars(json::element value, double per_dollar = 1);

}  // namespace xtrace
