#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "render/cypher_text.h"
#include "render/picture.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// Neo4j plans each statement as a whole; this many rows are quick, and few enough for its memory.
constexpr size_t kRows = 500;
// An index takes about eight thousand bytes.
constexpr size_t kKeyBytes = 1000;

// Labels and types cannot be given as values, so they are words of these lists, never of an input.
// What is none of them is the last.
constexpr std::string_view kLabels[] = {"Call",  "Agent",    "Principal", "Resource", "Span",
                                        "Query", "Step",     "Evidence",  "Entity",   "Relation",
                                        "Claim", "TextUnit", "Community", "Document", "Other"};
constexpr std::string_view kTypes[] = {
    "TOOL_RESULT", "SUBAGENT_SPAWN", "CONTINUATION", "RETRY",    "CONTENT_REUSE", "SEQUENTIAL",
    "PARENT",      "CAUSAL",         "CALLS",        "HAS_STEP", "NEXT",          "USED",
    "CITES",       "VISITED",        "MENTIONED_IN", "SUPPORTS", "PART_OF",       "RELATED_TO"};
constexpr size_t kOther = std::size(kLabels) - 1, kRelated = std::size(kTypes) - 1;

/// `TextUnit` of `text_unit`.
size_t label_of(std::string_view word) {
  auto letters = [](std::string_view text) {
    std::string small;
    for (char c : text)
      if (c != '_') small += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return small;
  };
  std::string wanted = letters(word);
  size_t at = 0;
  while (at < kOther && letters(kLabels[at]) != wanted) ++at;
  return at;
}

/// The labels of nodes; their words are few and come again.
class Labels {
 public:
  size_t of(const Drawing::Node& node) {
    std::string_view word = node.type.empty() ? node.kind.view() : node.type.view();
    auto [known, is_new] = known_.emplace(word, kOther);
    if (is_new) known->second = label_of(word);
    return known->second;
  }

 private:
  std::unordered_map<std::string_view, size_t> known_;
};

size_t type_of(const Drawing::Edge& edge) {
  const std::string_view* found =
      std::find(std::begin(kTypes), std::end(kTypes) - 1, edge.relation.view());
  return static_cast<size_t>(found - std::begin(kTypes));
}

/// Names nodes such that one database can hold many answers, and running a script again, or that of
/// the same log when it has grown, finds the nodes that are there:
///
///   dag|Call|2026-01-10T12:00:00Z|req_1
///
/// is the view, for a node of `explain` stands for something else; the label; the scope that the
/// view gives, or else the title of the drawing, for ids as short as `r1` or `agent:main` come
/// again in other logs and runs; and the id. As literals, for texts that differ only in what no
/// literal can hold are one name to the database.
class Keys {
 public:
  explicit Keys(std::string_view view) : view_(view) {}

  std::string key(const Drawing& drawing, const Drawing::Node& node, size_t label) {
    Text scope = node.scope.empty() ? drawing.title : node.scope;
    std::string name = fmt::format("{}|{}|", view_, kLabels[label]);
    for (char c : scope.view())
      name += c == '|' || c == '%' ? fmt::format("%{:02X}", c) : std::string(1, c);
    (name += '|') += node.id.view();
    if (name.size() > kKeyBytes)
      name = fmt::format("{}…{:016x}", head(name, kKeyBytes), hash_of(name));
    std::string base = literal(name), key = base;
    for (size_t copy = 2; !taken_.emplace(key, 2).second;
         key = literal(fmt::format("{}~{}", name, copy)))
      copy = taken_[base]++;
    return key;
  }

 private:
  static std::string literal(std::string_view name) {
    std::string text;
    append_cypher(text, name);
    return text;
  }

  std::string_view view_;
  std::unordered_map<std::string, size_t> taken_;  ///< and the number the next copy gets
};

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

/// The groups around a node, outermost first.
Texts groups_of(const Drawing& drawing, const Drawing::Node& node) {
  Texts groups;
  for (uint32_t at = node.group; at != Drawing::kNone && groups.size() < kDeepest;
       at = drawing.groups[at].parent)
    groups.push_back(drawing.groups[at].label);
  if (!drawing.title.empty()) groups.push_back(drawing.title);
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
  if (type_of(edge) == kRelated && edge.relation.view() != kTypes[kRelated])
    map.add("relation", edge.relation.view());
  map.add(edge.properties);
  return map.text();
}

/// The script of the drawings of a document.
class Script {
 public:
  Script(const Document& document, std::ostream& out) : out_(out) {
    Keys keys(document.view());
    Labels labels;
    for (const Section& section : document.sections()) {
      const Drawing* drawing = std::get_if<Drawing>(&section);
      if (drawing == nullptr) continue;
      uint32_t part = static_cast<uint32_t>(parts_.size());
      parts_.push_back({*drawing, {}});
      for (uint32_t i = 0; i < drawing->nodes.size(); ++i) {
        size_t label = labels.of(drawing->nodes[i]);
        nodes_[label].push_back({part, i});
        parts_[part].keys.push_back(keys.key(*drawing, drawing->nodes[i], label));
      }
      for (uint32_t i = 0; i < drawing->edges.size(); ++i)
        edges_[type_of(drawing->edges[i])].push_back({part, i});
    }
  }

  void write() {
    out_ << "CREATE CONSTRAINT xtrace_node_key IF NOT EXISTS "
            "FOR (n:XtraceNode) REQUIRE n.key IS UNIQUE;\n";
    for (size_t label = 0; label < nodes_.size(); ++label) write_nodes(label);
    for (size_t type = 0; type < edges_.size(); ++type) write_edges(type);
  }

 private:
  struct Part {
    const Drawing& drawing;
    std::vector<std::string> keys;  ///< of its nodes
  };
  struct Place {
    uint32_t part, at;
  };

  void write_nodes(size_t label) {
    Batches batches(out_, fmt::format("MERGE (n:XtraceNode {{key: row.key}})\n"
                                      "SET n:{}, n += row.properties",
                                      kLabels[label]));
    for (Place place : nodes_[label]) {
      const Part& part = parts_[place.part];
      batches.add(fmt::format("{{key: {}, properties: {}}}", part.keys[place.at],
                              properties_of(part.drawing, part.drawing.nodes[place.at])));
    }
    batches.finish();
  }

  /// Two nodes may have several edges of one type; their numbers keep MERGE from making one of
  /// them.
  void write_edges(size_t type) {
    Batches batches(out_, fmt::format("MATCH (a:XtraceNode {{key: row.from}})\n"
                                      "MATCH (b:XtraceNode {{key: row.to}})\n"
                                      "MERGE (a)-[r:{} {{number: row.number}}]->(b)\n"
                                      "SET r += row.properties",
                                      kTypes[type]));
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, int64_t> numbers;
    for (Place place : edges_[type]) {
      const Part& part = parts_[place.part];
      const Drawing::Edge& edge = part.drawing.edges[place.at];
      int64_t number = ++numbers[std::tuple(place.part, edge.from, edge.to)];
      batches.add(fmt::format("{{from: {}, to: {}, number: {}, properties: {}}}",
                              part.keys[edge.from], part.keys[edge.to], number,
                              properties_of(edge)));
    }
    batches.finish();
  }

  std::ostream& out_;
  std::vector<Part> parts_;
  std::array<std::vector<Place>, std::size(kLabels)> nodes_;
  std::array<std::vector<Place>, std::size(kTypes)> edges_;
};

}  // namespace

void write_cypher(const Document& document, const Paper&, std::ostream& out) {
  Script(document, out).write();
}

extern constinit const Renderer kCypherRenderer = {
    .name = "cypher",
    .summary = "a script that puts the graph into Neo4j",
    .face = Face::drawing,
    .write = write_cypher,
    .keeps_properties = true,
};

}  // namespace xtrace
