#pragma once

#include <vector>

#include "doc/document.h"
#include "view/common/view.h"

namespace xtrace {

/// How much of an explanation is listed.
struct Listing {
  bool unfold = false;  ///< in text and pictures, every run of many and every call of a chain
  size_t most = 100;    ///< causes; and as many effects. Chains are as many as paths in a graph.
};

/// `100 of 4,096 chains are shown; --all-paths shows all`; nothing where all are.
void tell_omitted(Door& door, size_t shown, size_t omitted, std::vector<Text>& lines);

}  // namespace xtrace
