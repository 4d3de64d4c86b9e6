#pragma once

#include "doc/document.h"

namespace xtrace {

/// Adds the side of an answer that is asked for. `add_tables()` adds sections to the document;
/// `draw()` and `lay_out()` return one. `convert` alone has the other faces.
template <class AddTables, class Draw, class LayOut>
void add_face(Face face, Document& document, AddTables add_tables, Draw draw, LayOut lay_out) {
  switch (face) {
    case Face::tables: add_tables(); break;
    case Face::drawing: document.add(draw()); break;
    case Face::outline: document.add(lay_out()); break;
    case Face::spans:
    case Face::trajectories:
    case Face::stacks: break;
  }
}

}  // namespace xtrace
