#include <ostream>

#include "render/elements.h"
#include "render/graph_json.h"
#include "render/property_name.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// What cytoscape({...}) takes: groups are compound nodes, and classes are for style sheets, which
// want words. Names of fields have no dots, for a selector such as [tokens.input > 0] has to escape
// them.

constexpr std::string_view kStrokes[] = {"", "dashed", "dotted", "faint"};

void add_class(std::string& classes, std::string_view word) {
  if (!word.empty()) (classes += classes.empty() ? "" : " ") += word;
}

/// A kind that is called like a class of ours gives none: an agent cannot look like an error by its
/// name.
std::string class_of(const Drawing::Node& node) {
  std::string word = node.kind.empty() ? "" : property_name(node.kind.view());
  bool is_ours = word == "error" || word == "critical" || word == "group";
  return is_ours ? "" : word;
}

class ElementsWriter {
 public:
  explicit ElementsWriter(const Elements& elements, std::ostream& out)
      : elements_(elements), graph_(out) {}

  void write() {
    json_.open_object(JsonLayout::lines(2));
    if (!elements_.title.empty()) {
      json_.open_object("data");
      json_.field("title", elements_.title);
      json_.close();
    }
    json_.open_object("elements", JsonLayout::lines(4));
    json_.open_list("nodes", JsonLayout::lines(6));
    for (const Elements::Group& group : elements_.groups) write(group);
    for (const Elements::Node& node : elements_.nodes) write(node);
    json_.close();
    json_.open_list("edges", JsonLayout::lines(6));
    for (const Elements::Edge& edge : elements_.edges) write(edge);
    json_.close();
    json_.close();
    json_.close();
    graph_.end_line();
  }

 private:
  void write(const Elements::Group& group) {
    begin(group.id);
    if (group.parent != Elements::kNone) json_.field("parent", elements_.groups[group.parent].id);
    json_.field("label", group.label.view());
    end("group");
  }

  void write(const Elements::Node& node) {
    begin(node.id);
    if (node.group != Elements::kNone) json_.field("parent", elements_.groups[node.group].id);
    add_fields(node, names_, fields_);
    std::string classes;
    if (node.drawn.error) add_class(classes, "error");
    if (node.drawn.critical) add_class(classes, "critical");
    add_class(classes, class_of(node.drawn));
    end(classes);
  }

  void write(const Elements::Edge& edge) {
    begin(edge.id);
    json_.field("source", elements_.nodes[edge.from].id);
    json_.field("target", elements_.nodes[edge.to].id);
    add_fields(edge, names_, fields_);
    std::string classes;
    if (edge.drawn.error) add_class(classes, "error");
    add_class(classes, kStrokes[static_cast<size_t>(edge.drawn.stroke)]);
    end(classes);
  }

  void begin(const std::string& id) {
    graph_.open_element();
    json_.open_object("data");
    json_.field("id", id);
  }
  void end(std::string_view classes) {
    json_.close();
    if (!classes.empty()) json_.field("classes", classes);
    graph_.close_element();
  }

  const Elements& elements_;
  GraphJson graph_;
  JsonWriter& json_ = graph_.json();
  JsonFields fields_{json_};
  PropertyNames names_;
};

}  // namespace

void write_cytoscape(const Document& document, const Paper&, std::ostream& out) {
  Elements elements = elements_of(document);
  ElementsWriter(elements, out).write();
}

extern constinit const Renderer kCytoscapeRenderer = {
    .name = "cytoscape",
    .summary = "graph for Cytoscape.js",
    .face = Face::drawing,
    .write = write_cytoscape,
    .keeps_properties = true,
};

}  // namespace xtrace
