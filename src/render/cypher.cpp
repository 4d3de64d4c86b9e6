#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "render/cypher_names.h"
#include "render/cypher_text.h"
#include "render/picture.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// Neo4j plans each statement as a whole; this many rows are quick, and few enough for its memory.
constexpr size_t kRows = 500;
/// Statements that do the same with at most kRows rows each.
class Batches {
 public:
  Batches(std::ostream& out, std::string what) : out_(out), what_(std::move(what)) {}

  void add(std::string_view row) {
    out_ << (rows_ == 0 ? "UNWIND [\n  " : ",\n  ") << row;
    if (++rows_ == kRows) finish();
  }
  void finish() {
    if (std::exchange(rows_, 0) > 0) out_ << "\n] AS row\n" << what_ << ";\n";
  }

 private:
  std::ostream& out_;
  std::string what_;
  size_t rows_ = 0;
};

/// The groups around a node, outermost first. What other drawings tell of as well is in none.
Texts groups_of(const Drawing& drawing, const Drawing::Node& node) {
  Texts groups;
  for (uint32_t at = node.group; at != Drawing::kNone && groups.size() < kDeepest;
       at = drawing.groups[at].parent)
    groups.push_back(drawing.groups[at].label);
  if (!drawing.title.empty() && !node.told) groups.push_back(drawing.title);
  std::reverse(groups.begin(), groups.end());
  return groups;
}

std::string properties_of(const Drawing& drawing, const Drawing::Node& node) {
  CypherMap map;
  map.add("id", node.id.view());
  map.add("kind", node.kind.view());
  std::string detail;
  for (size_t i = 1; i < node.lines.size(); ++i)
    (detail += detail.empty() ? "" : "\n") += node.lines[i].view();
  map.add("label", node.lines.empty() ? node.id.view() : node.lines.front().view());
  map.add("detail", detail);
  if (Texts groups = groups_of(drawing, node); !groups.empty()) map.add("group", Cell(&groups));
  if (node.error) map.add("is_error", true);
  if (node.critical) map.add("on_critical_path", true);
  map.add(node.properties);
  return map.text();
}

std::string properties_of(const Drawing::Edge& edge) {
  CypherMap map;
  map.add("label", edge.label.view());
  map.add("detail", edge.detail.view());
  if (edge.times > 1) map.add("times", edge.times);
  if (edge.error) map.add("is_error", true);
  map.add(edge.properties);
  return map.text();
}

/// What is written in one go: each label and each type has statements of its own, for neither can
/// be given as a value.
struct Place {
  uint32_t part, at;
};
struct Words {
  struct Word {
    std::string written;
    std::vector<Place> places;
  };
  std::vector<Word> all{};  ///< as they first occur
  std::unordered_map<std::string, size_t> known{};

  void add(const std::string& written, Place place) {
    auto [at, is_new] = known.emplace(written, all.size());
    if (is_new) all.push_back({written, {}});
    all[at->second].places.push_back(place);
  }
};

/// The script of the drawings of a document.
class Script {
 public:
  Script(const Document& document, std::ostream& out) : out_(out) {
    CypherKeys keys(document.view());
    for (const Section& section : document.sections()) {
      const Drawing* drawing = std::get_if<Drawing>(&section);
      if (drawing == nullptr) continue;
      uint32_t part = static_cast<uint32_t>(parts_.size());
      parts_.push_back({*drawing, {}});
      for (uint32_t i = 0; i < drawing->nodes.size(); ++i) {
        std::string label = cypher_label(drawing->nodes[i]);
        parts_[part].keys.push_back(keys.key(*drawing, drawing->nodes[i], label));
        nodes_.add(label, {part, i});
      }
      for (uint32_t i = 0; i < drawing->edges.size(); ++i)
        edges_.add(cypher_type(drawing->edges[i]), {part, i});
    }
  }

  void write() {
    out_ << "CREATE CONSTRAINT xtrace_node_key IF NOT EXISTS "
            "FOR (n:XtraceNode) REQUIRE n.key IS UNIQUE;\n";
    for (const Words::Word& label : nodes_.all) write_nodes(label);
    for (const Words::Word& type : edges_.all) write_edges(type);
  }

 private:
  struct Part {
    const Drawing& drawing;
    std::vector<std::string> keys;  ///< of its nodes
  };

  void write_nodes(const Words::Word& label) {
    Batches batches(out_, fmt::format("MERGE (n:XtraceNode {{key: row.key}})\n"
                                      "SET n:{}, n += row.properties",
                                      label.written));
    for (Place place : label.places) {
      const Part& part = parts_[place.part];
      batches.add(fmt::format("{{key: {}, properties: {}}}", part.keys[place.at],
                              properties_of(part.drawing, part.drawing.nodes[place.at])));
    }
    batches.finish();
  }

  /// Two nodes may have several edges of one type; their numbers keep MERGE from making one of
  /// them, and so does the type that is no name.
  void write_edges(const Words::Word& type) {
    bool has_name = type.written != kUnnamedType;
    Batches batches(out_, fmt::format("MATCH (a:XtraceNode {{key: row.from}})\n"
                                      "MATCH (b:XtraceNode {{key: row.to}})\n"
                                      "MERGE (a)-[r:{} {{{}number: row.number}}]->(b)\n"
                                      "SET r += row.properties",
                                      type.written, has_name ? "" : "type: row.type, "));
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, std::string_view>, int64_t> numbers;
    for (Place place : type.places) {
      const Part& part = parts_[place.part];
      const Drawing::Edge& edge = part.drawing.edges[place.at];
      std::string_view relation = edge.relation.view();
      int64_t number = ++numbers[{place.part, edge.from, edge.to, relation}];
      std::string told;
      if (!has_name) {
        told = "type: ";
        append_cypher(told, relation);
        told += ", ";
      }
      batches.add(fmt::format("{{from: {}, to: {}, {}number: {}, properties: {}}}",
                              part.keys[edge.from], part.keys[edge.to], told, number,
                              properties_of(edge)));
    }
    batches.finish();
  }

  std::ostream& out_;
  std::vector<Part> parts_;
  Words nodes_, edges_;
};

}  // namespace

void write_cypher(const Document& document, const Paper&, std::ostream& out) {
  Script(document, out).write();
}

extern constinit const Renderer kCypherRenderer = {
    .name = "cypher",
    .summary = "script for Neo4j",
    .face = Face::drawing,
    .write = write_cypher,
    .keeps_properties = true,
};

}  // namespace xtrace
