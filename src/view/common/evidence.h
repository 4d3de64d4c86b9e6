#pragma once

#include <vector>

#include "doc/verdicts.h"
#include "view/common/names.h"

namespace xtrace {

/// The columns of a table of records that decided a verdict.
inline constexpr Column kEvidence[] = {
    {"at", "location of the record", CellKind::text, true},
    {"path", "file of the record", CellKind::text, true},
    {"line",
     "line in the file, even if the file is a single document and `at` states a byte offset",
     CellKind::integer},
    {"id", "id of the tool use, call, span or hop", CellKind::text},
    {"what", "", CellKind::text},
};

/// A record that decided a verdict. `id` and `what` have passed the Door; either may be empty.
Verdicts::Evidence evidence_of(const Names& names, const Extent& at, Text id, Text what);

/// A row of those columns for each.
Table evidence_table(const std::vector<Verdicts::Evidence>& evidence);

}  // namespace xtrace
