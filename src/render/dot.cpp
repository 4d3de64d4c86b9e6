#include <fmt/format.h>
#include <graphviz/cgraph.h>

#include <algorithm>
#include <ostream>

#include "render/picture.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

/// cgraph writes to no text it is given, but was written before C had const.
char* c(const char* text) {
  return const_cast<char*>(text);
}
char* c(const std::string& text) {
  return const_cast<char*>(text.c_str());
}

/// cgraph 2.42 writes backslashes as they are, so one before a quote would end the string too late.
std::string doubled(std::string_view text) {
  std::string safe;
  for (char letter : text) safe.append(letter == '\\' ? 2 : 1, letter);
  return safe;
}

/// `text` such that Graphviz shows just that: a label may hold escapes (`\N`) and HTML entities.
std::string label_of(std::string_view text) {
  std::string label;
  for (char letter : doubled(text)) {
    label += letter;
    if (letter == '&') label += "amp;";
  }
  return label;
}

std::string label_of(const std::vector<std::string>& lines) {
  std::string label;
  for (const std::string& line : lines) label += (label.empty() ? "" : "\\n") + label_of(line);
  return label;
}

/// Of the lines that a pointer shows.
std::string tip_of(std::string_view lines) {
  std::string tip;
  for (char letter : label_of(lines))
    if (letter == '\n')
      tip += "\\n";
    else
      tip += letter;
  return tip;
}

const char* shape_name(NodeShape shape) {
  switch (shape) {
    case NodeShape::box:
    case NodeShape::rounded: return "box";
    case NodeShape::ellipse: return "ellipse";
    case NodeShape::cylinder: return "cylinder";
  }
  return "box";
}

/// Numbers by which cgraph knows things, and their names. Left to itself it takes addresses, which
/// change from run to run, and a name that starts with `%` it keeps in a table that leaks.
class Numbering : public Agiddisc_t {
 public:
  Numbering() : Agiddisc_t{open, map, take, release, print, close, enter} {}

  IDTYPE add(char* name) {
    names_.push_back(name ? agstrdup(graph_, name) : nullptr);
    return names_.size() - 1;
  }

 private:
  static void* open(Agraph_t* graph, Agdisc_t* ways) {
    Numbering* self = static_cast<Numbering*>(ways->id);
    self->graph_ = graph;
    return self;
  }
  /// For what we give no number ourselves: the whole graph, and edges, which have no names.
  static long map(void* self, int, char* name, IDTYPE* id, int create) {
    if (!create) return 0;
    *id = static_cast<Numbering*>(self)->add(name);
    return 1;
  }
  static long take(void*, int, IDTYPE) { return 1; }
  static void release(void*, int, IDTYPE) {}
  static char* print(void* self, int, IDTYPE id) {
    return static_cast<Numbering*>(self)->names_[id];
  }
  static void close(void*) {}
  static void enter(void*, int, void*) {}

  Agraph_t* graph_ = nullptr;
  std::vector<char*> names_;
};

int put(void* stream, const char* text) {
  std::ostream& out = *static_cast<std::ostream*>(stream);
  return (out << text) ? 0 : EOF;
}

int flush(void*) {
  return 0;
}

/// A graph of cgraph that becomes what a picture shows.
class DotGraph {
 public:
  DotGraph(const Picture& picture, Direction asked) {
    set_defaults(picture.styles[0]);
    if (direction_of(picture, asked) == Direction::right)
      agattr(graph_, AGRAPH, c("rankdir"), c("LR"));
    add_note(picture);
    add_nodes(picture);
    add_edges(picture);
  }
  ~DotGraph() { agclose(graph_); }
  DotGraph(const DotGraph&) = delete;
  DotGraph& operator=(const DotGraph&) = delete;

  void write(std::ostream& out) { agwrite(graph_, &out); }

 private:
  void set_defaults(const NodeStyle& style);
  void add_note(const Picture& picture);
  void add_nodes(const Picture& picture);
  void add_edges(const Picture& picture);

  Numbering numbers_;
  Agiodisc_t stream_{nullptr, put, flush};
  Agdisc_t ways_{nullptr, &numbers_, &stream_};
  Agraph_t* graph_ = agopen(c("xtrace"), Agdirected, &ways_);
  std::vector<Agnode_t*> nodes_;
};

void DotGraph::set_defaults(const NodeStyle& style) {
  auto set = [this](int kind, const char* key, std::string_view value) {
    agattr(graph_, kind, c(key), c(std::string(value)));
  };
  set(AGNODE, "label", "\\N");
  set(AGNODE, "shape", "box");
  set(AGNODE, "style", "rounded,filled");
  set(AGNODE, "fillcolor", style.fill);
  set(AGNODE, "color", style.border);
  set(AGNODE, "penwidth", "1");
  set(AGNODE, "fontname", "Helvetica");
  set(AGNODE, "fontsize", "11");
  set(AGNODE, "fontcolor", kInk);
  set(AGNODE, "margin", "0.12,0.06");
  set(AGNODE, "height", "0.3");
  set(AGNODE, "tooltip", "");
  set(AGEDGE, "label", "");
  set(AGEDGE, "style", "solid");
  set(AGEDGE, "color", kLineColour);
  set(AGEDGE, "fontname", "Helvetica");
  set(AGEDGE, "fontsize", "9");
  set(AGEDGE, "fontcolor", kLineColour);
  set(AGEDGE, "arrowsize", "0.7");
}

/// Below the picture, where it counts as no node and widens nothing.
void DotGraph::add_note(const Picture& picture) {
  if (picture.note.empty()) return;
  agattr(graph_, AGRAPH, c("label"), c(label_of(picture.note)));
  agattr(graph_, AGRAPH, c("fontname"), c("Helvetica"));
  agattr(graph_, AGRAPH, c("fontsize"), c("9"));
  agattr(graph_, AGRAPH, c("fontcolor"), c(std::string(kInk)));
}

/// Frames around groups would need attributes of the graph, and dot lays framed graphs out badly:
/// effects end up above their causes. So the first node of a group bears the group's name, and the
/// colours show the rest. The one group that holds all others needs no name.
class GroupNames {
 public:
  explicit GroupNames(const Picture& picture) : picture_(picture), told_(picture.groups.size()) {
    if (uint32_t whole = whole_group(picture); whole != Picture::kNone) told_[whole] = true;
  }

  std::vector<std::string> lines_of(const Picture::Node& node) {
    std::vector<std::string> lines = node.lines;
    for (uint32_t at = node.group; at != Picture::kNone && !told_[at];
         at = picture_.groups[at].parent) {
      lines.insert(lines.begin(), picture_.groups[at].label);
      told_[at] = true;
    }
    return lines;
  }

 private:
  const Picture& picture_;
  std::vector<bool> told_;
};

void DotGraph::add_nodes(const Picture& picture) {
  GroupNames names(picture);
  for (const Picture::Node& node : picture.nodes) {
    Agnode_t* drawn = nodes_.emplace_back(agidnode(graph_, numbers_.add(c(doubled(node.id))), 1));
    const NodeStyle& style = picture.styles[node.style];
    agset(drawn, c("label"), c(label_of(names.lines_of(node))));
    agset(drawn, c("tooltip"), c(tip_of(node.tip)));
    agset(drawn, c("fillcolor"), c(style.fill));
    agset(drawn, c("color"),
          c(node.error && node.tone == Tone::plain ? std::string(kErrorColour) : style.border));
    agset(drawn, c("shape"), c(shape_name(style.shape)));
    if (style.shape != NodeShape::rounded) agset(drawn, c("style"), c("filled"));
    if (node.tone == Tone::removed)
      agset(drawn, c("style"),
            c(style.shape == NodeShape::rounded ? "rounded,filled,dashed" : "filled,dashed"));
    if (node.thick || node.error) agset(drawn, c("penwidth"), c(node.thick ? "3" : "1.5"));
  }
}

void DotGraph::add_edges(const Picture& picture) {
  for (const Picture::Edge& edge : picture.edges) {
    Agedge_t* drawn = agedge(graph_, nodes_[edge.from], nodes_[edge.to], nullptr, 1);
    // Graphviz sets a label right beside its line: a blank keeps its first letter off it.
    std::string caption = label_of(edge.caption());
    agset(drawn, c("label"), c(caption.empty() ? caption : ' ' + caption));
    if (!edge.detail.empty()) agsafeset(drawn, c("tooltip"), c(label_of(edge.detail)), c(""));
    if (std::string line(line_colour(edge.tone)); !line.empty()) {
      agset(drawn, c("color"), c(line));
      agset(drawn, c("fontcolor"), c(line));
    } else if (edge.error) {
      agset(drawn, c("color"), c(std::string(kErrorColour)));
      agset(drawn, c("fontcolor"), c(std::string(kErrorColour)));
    }
    if (edge.stroke == Drawing::Stroke::dotted)
      agset(drawn, c("style"), c("dotted"));
    else if (edge.error || edge.stroke == Drawing::Stroke::dashed)
      agset(drawn, c("style"), c("dashed"));
    else if (edge.stroke == Drawing::Stroke::faint && edge.tone == Tone::plain)
      agset(drawn, c("color"), c(std::string(kFaintColour)));
  }
}

}  // namespace

void write_dot(const Document& document, const Paper& paper, std::ostream& out) {
  DotGraph(caption_signs(picture_of(document)), paper.direction).write(out);
}

extern constinit const Renderer kDotRenderer = {
    .name = "dot",
    .summary = "diagram source for Graphviz",
    .face = Face::drawing,
    .write = write_dot,
};

}  // namespace xtrace
