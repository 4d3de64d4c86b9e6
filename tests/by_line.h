#pragma once

#include <fmt/format.h>

#include <string>

#include "link/graph/graph.h"

namespace xtrace {

/// The links of a graph, a line each, in the order it has them: calls that no log gave a name are
/// told by the line on which their answer begins.
inline std::string links_by_line(const Graph& graph) {
  std::string text;
  for (const Link& link : graph.links()) {
    const Trace& trace = graph.trace();
    text += fmt::format("{}{}->{} {}{}", text.empty() ? "" : "\n", trace[link.from].source.line,
                        trace[link.to].source.line, word(link.rule), link.is_error ? " error" : "");
  }
  return text;
}

}  // namespace xtrace
