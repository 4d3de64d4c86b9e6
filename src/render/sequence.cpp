#include <fmt/format.h>

#include <iterator>
#include <ostream>

#include "render/mermaid_text.h"
#include "render/picture.h"
#include "render/renderer.h"

namespace xtrace {

/// A Mermaid sequence diagram: who called whom, in the order of the edges.
void write_sequence(const Document& document, const Paper&, std::ostream& out) {
  constexpr size_t kMostMessages = 500;  // more is drawn, and read by nobody
  Picture picture = picture_of(document);
  std::string text = "sequenceDiagram\n";
  for (size_t i = 0; i < picture.nodes.size(); ++i) {
    const Picture::Node& node = picture.nodes[i];
    fmt::format_to(std::back_inserter(text), "  participant p{} as {}\n", i + 1,
                   mermaid_text(node.lines.empty() ? node.id : node.lines.front()));
  }
  size_t shown = std::min(picture.edges.size(), kMostMessages);
  for (size_t i = 0; i < shown; ++i) {
    const Picture::Edge& edge = picture.edges[i];
    fmt::format_to(std::back_inserter(text), "  p{}{}p{}: {}\n", edge.from + 1,
                   edge.error ? "-x" : "->>", edge.to + 1, mermaid_text(edge.caption()));
  }
  if (shown < picture.edges.size() && !picture.nodes.empty())
    fmt::format_to(std::back_inserter(text), "  Note over p1: {}\n",
                   mermaid_text(fmt::format("{} more calls are left out: a diagram of more than {} "
                                            "is read by nobody",
                                            picture.edges.size() - shown, kMostMessages)));
  out << text;
}

}  // namespace xtrace
