#pragma once

#include <string>

#include "doc/document.h"
#include "render/chart/chart.h"

namespace xtrace {

/// What a page shows before anybody has chosen anything.
struct Opening {
  std::string pane;    ///< its name; empty: the first of them
  std::string select;  ///< id of the mark that the answer is about; empty: nothing in particular
};

/// Of the answer that a page is about, and the chart of it.
Opening opening_of(const Document& document, const Chart& chart);

}  // namespace xtrace
