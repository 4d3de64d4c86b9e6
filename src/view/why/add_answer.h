#pragma once

#include "doc/document.h"

namespace xtrace {

/// Adds the side of an answer that is shown; `why` has add_tables(), draw() and outline().
template <class Why>
void add_answer(const Why& why, Face face, Document& document) {
  switch (face) {
    case Face::tables: why.add_tables(document); break;
    case Face::drawing: document.add(why.draw()); break;
    case Face::outline: document.add(why.outline()); break;
    case Face::spans:
    case Face::trajectories:
    case Face::stacks: break;  // those of `convert`
  }
}

}  // namespace xtrace
