#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <unordered_map>
#include <vector>

#include "base/overloaded.h"
#include "render/attributes.h"
#include "render/elements.h"
#include "render/renderer.h"
#include "render/xml_text.h"

namespace xtrace {

namespace {

// GraphML 1.0 as networkx, Gephi and yEd read it. Groups are a path in each node: of nodes inside
// nodes networkx reads nothing.

enum class Type : uint8_t { boolean, integer, number, text };
constexpr std::string_view kTypes[] = {"boolean", "long", "double", "string"};

Type type_of(const Cell& cell) {
  return std::visit(
      Overloaded{[](bool) { return Type::boolean; }, [](int64_t) { return Type::integer; },
                 [](double) { return Type::number; }, [](Dollars) { return Type::number; },
                 [](Duration) { return Type::number; }, [](const auto&) { return Type::text; }},
      cell);
}

/// What holds values of both.
Type both(Type one, Type other) {
  if (one == other) return one;
  bool numbers = one != Type::boolean && other != Type::boolean;
  return numbers ? std::max(one, other) : Type::text;
}

template <class List, class Each>
std::string joined(const List& list, Each each) {
  std::string text;
  for (const auto& item : list) (text += text.empty() ? "" : ", ") += each(item);
  return text;
}

std::string value_text(const Cell& cell) {
  return std::visit(
      Overloaded{
          [](int64_t number) { return fmt::format("{}", number); },
          [](Moment moment) { return format_time(moment); },
          [](Text text) { return std::string(text.view()); },
          [](const Texts* texts) { return joined(*texts, [](Text text) { return text.view(); }); },
          [](const Integers* numbers) {
            return joined(*numbers, [](int64_t number) { return fmt::format("{}", number); });
          },
          [&](const auto&) { return as_json_text(cell); }},
      cell);
}

/// The keys of all nodes, or of all edges, which must be declared before the first.
class Keys {
 public:
  explicit Keys(std::string_view of) : of_(of) {}

  void add(std::string_view name, std::string_view) { add(name, Type::text); }
  void add(std::string_view name, const Cell& cell) { add(name, type_of(cell)); }

  void declare(std::ostream& out) const {
    for (const Key& key : keys_)  // names are ours or made so, and need no escapes
      out << fmt::format("  <key id=\"{}_{}\" for=\"{}\" attr.name=\"{}\" attr.type=\"{}\"/>\n",
                         of_, key.name, of_, key.name, kTypes[static_cast<size_t>(key.type)]);
  }

 private:
  struct Key {
    std::string name;
    Type type;
  };

  void add(std::string_view name, Type type) {
    auto [known, is_new] = places_.try_emplace(std::string(name), keys_.size());
    if (is_new)
      keys_.push_back({known->first, type});
    else
      keys_[known->second].type = both(keys_[known->second].type, type);
  }

  std::string_view of_;
  std::vector<Key> keys_;
  std::unordered_map<std::string, size_t> places_;
};

/// What is known of one node or edge.
class Values {
 public:
  explicit Values(std::string_view of) : of_(of) {}

  void add(std::string_view name, std::string_view text) {
    if (text.empty()) return;
    text_ += fmt::format("<data key=\"{}_{}\">", of_, name);
    append_xml(text_, text);
    text_ += "</data>";
  }
  void add(std::string_view name, const Cell& cell) { add(name, value_text(cell)); }

  const std::string& text() const { return text_; }

 private:
  std::string_view of_;
  std::string text_;
};

/// The fields of an element, for Keys and for Values alike.
template <class Fields>
void add_all(const Elements& elements, const Elements::Node& node, PropertyNames& names,
             Fields& fields) {
  if (node.group != Elements::kNone)
    fields.add("group", std::string_view(elements.groups[node.group].path));
  add_fields(node, names, fields);
}

void append_attribute(std::string& out, std::string_view name, std::string_view value) {
  out += fmt::format(" {}=\"", name);
  append_xml(out, value);
  out += '"';
}

void declare(const Elements& elements, PropertyNames& names, std::ostream& out) {
  Keys graph("graph"), nodes("node"), edges("edge");
  if (!elements.title.empty()) graph.add("title", elements.title);
  for (const Elements::Node& node : elements.nodes) add_all(elements, node, names, nodes);
  for (const Elements::Edge& edge : elements.edges) add_fields(edge, names, edges);
  graph.declare(out);
  nodes.declare(out);
  edges.declare(out);
}

}  // namespace

void write_graphml(const Document& document, const Paper&, std::ostream& out) {
  Elements elements = elements_of(document);
  PropertyNames names;
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  declare(elements, names, out);
  out << "  <graph edgedefault=\"directed\">\n";
  if (!elements.title.empty()) {
    Values values("graph");
    values.add("title", elements.title);
    out << "    " << values.text() << '\n';
  }
  for (const Elements::Node& node : elements.nodes) {
    std::string line = "    <node";
    append_attribute(line, "id", node.id);
    Values values("node");
    add_all(elements, node, names, values);
    out << line << '>' << values.text() << "</node>\n";
  }
  for (const Elements::Edge& edge : elements.edges) {
    std::string line = "    <edge";
    append_attribute(line, "id", edge.id);
    append_attribute(line, "source", elements.nodes[edge.from].id);
    append_attribute(line, "target", elements.nodes[edge.to].id);
    Values values("edge");
    add_fields(edge, names, values);
    out << line << '>' << values.text() << "</edge>\n";
  }
  out << "  </graph>\n</graphml>\n";
}

extern constinit const Renderer kGraphmlRenderer = {
    .name = "graphml",
    .summary = "graph for Gephi, yEd and networkx",
    .face = Face::drawing,
    .write = write_graphml,
    .keeps_properties = true,
};

}  // namespace xtrace
