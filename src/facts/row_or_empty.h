#pragma once

#include <type_traits>

#include "facts/trace.h"

namespace xtrace {

/// The row of a table that an id names; if nothing was recorded and the id is nowhere, an empty row
/// without any values: `row_or_empty(trace, span.gen_ai).model`.
template <class Tag>
const auto& row_or_empty(const Trace& trace, Id<Tag> id) {
  static const std::remove_cvref_t<decltype(trace[id])> kEmpty;
  return id ? trace[id] : kEmpty;
}

}  // namespace xtrace
