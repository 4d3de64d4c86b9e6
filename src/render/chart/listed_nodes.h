#pragma once

#include <set>
#include <string>

#include "doc/document.h"

namespace xtrace {

/// The ids of the nodes of the graph behind an answer that the answer lists: the steps of a query,
/// or a target and its causes. Empty: it is about all nodes.
using ListedNodes = std::set<std::string, std::less<>>;
ListedNodes find_listed_nodes(const Document& document);

}  // namespace xtrace
