#pragma once

#include <span>
#include <vector>

#include "doc/verdicts.h"
#include "view/common/field.h"
#include "view/common/names.h"

namespace xtrace {

/// A table of records that decided a verdict.
inline constexpr Field<Verdicts::Evidence> kEvidenceFields[] = {
    {{"at", "location of the record", CellKind::text, true}, member<&Verdicts::Evidence::at>},
    {{"path", "file of the record", CellKind::text, true}, member<&Verdicts::Evidence::path>},
    {{"line",
      "line in the file, even if the file is a single document and `at` states a byte offset",
      CellKind::integer},
     [](const Verdicts::Evidence& one) { return one.line ? Cell(*one.line) : Cell(); }},
    {{"id", "id of the tool use, call, span or hop", CellKind::text},
     [](const Verdicts::Evidence& one) { return known(one.id); }},
    {{"what", "", CellKind::text}, [](const Verdicts::Evidence& one) { return known(one.what); }},
};
/// Its columns, for those who have it in a cell.
inline constexpr std::span<const Column> kEvidence = columns_of<kEvidenceFields>();

/// A record that decided a verdict. `id` and `what` have passed the Door; either may be empty.
Verdicts::Evidence evidence_of(const Names& names, const Extent& at, Text id, Text what);
/// The same with the id of a tool use, or of the call where that has none.
Verdicts::Evidence evidence_of(const Names& names, const Trace& trace, const Extent& at,
                               ToolUseId use, CallId call, Text what);

/// A row of those columns for each.
Table evidence_table(const std::vector<Verdicts::Evidence>& evidence);

}  // namespace xtrace
