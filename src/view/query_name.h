#pragma once

#include "base/result.h"
#include "link/queries.h"
#include "view/view.h"

namespace xtrace {

/// How a user names a query: as the project calls it, with the project before it where two have one
/// of that id: `shop/Q1`.
std::string query_name(const Query& query);

/// The query that a user means: its id, the id of a call or span in it, where one of them stands
/// (`file:line`), or a unique part of its id, also as answers show it. Exit::no names the nearest
/// ones when there is none, and the candidates when there are several.
Result<const Query*> find_query(const Question& question, std::span<const Query> queries,
                                std::string_view name);

}  // namespace xtrace
