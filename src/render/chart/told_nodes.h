#pragma once

#include <set>
#include <string>

#include "doc/document.h"

namespace xtrace {

/// By id, the nodes of the graph behind an answer that the answer itself tells of one by one: the
/// steps of a query, or a target and what led to it. Empty: it is about all of them.
using ToldNodes = std::set<std::string, std::less<>>;
ToldNodes told_nodes(const Document& document);

}  // namespace xtrace
