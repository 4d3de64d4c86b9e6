#pragma once

#include <vector>

#include "view/common/add_face.h"
#include "view/common/view.h"

namespace xtrace {

/// How much of an explanation is listed.
struct Listing {
  bool unfold = false;  ///< in text and pictures, every run of many and every call of a chain
  size_t most = 100;    ///< causes; and as many effects. Chains are as many as paths in a graph.
};

/// Adds `100 of 4,096 chains shown; --all-paths shows all`, or nothing if all are shown.
void add_omitted(Door& door, size_t shown, size_t omitted, std::vector<Text>& lines);

/// Adds the side of an answer that is shown; `why` has add_tables(), draw() and outline().
template <class Why>
void add_answer(const Why& why, Face face, Document& document) {
  add_face(
      face, document, [&] { why.add_tables(document); }, [&] { return why.draw(); },
      [&] { return why.outline(); });
}

}  // namespace xtrace
