#pragma once

#include <span>

#include "doc/document.h"
#include "view/common/names.h"

namespace xtrace {

class Graph;

/// The table `statements`: every record that states usage and is no call that counts, and why it is
/// in no sum, or in sums only with what it states beyond its calls (link/ledger).
Table statements_table(const Graph& graph, const Names& names);
std::span<const Column> statements_columns();

}  // namespace xtrace
