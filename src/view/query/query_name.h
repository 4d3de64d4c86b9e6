#pragma once

#include "base/result.h"
#include "link/graph/queries.h"
#include "view/common/view.h"

namespace xtrace {

inline constexpr Column kQueryFromColumn{
    "query_from",
    "log: named by its records; trace: a trace or run; turn: a message of the user and everything "
    "that follows",
    CellKind::text, true};

/// How a user names a query: by its id, with the project before it where several have one of that
/// id: `shop/Q1`.
std::string query_name(const Query& query);

/// Lets all names pass the door in their order, so that replacements bear the same numbers whatever
/// is asked. Returns those that it does not show as they are.
std::vector<std::string> name_all(std::span<const Query> queries, Door& door);

/// Which query a user means: its id, the id or place (`file:line`) of a call or span in it, or a
/// unique part of its id, also as answers show it. Exit::no names the nearest ones when there is
/// none, and the candidates when there are several.
Result<size_t> find_query(const Question& question, std::span<const Query> queries,
                          std::string_view name);

}  // namespace xtrace
