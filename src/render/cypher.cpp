#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "doc/document.h"
#include "render/cypher_text.h"
#include "render/picture.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// Labels and types of Neo4j cannot be given as values, they are words of the script itself. So one
// of an input is written only if it can be nothing else than a name, and then in backticks, as some
// names are words of the language.

inline constexpr std::string_view kUnnamedType = "RELATED";

/// Names nodes such that one database can hold many answers, and running a script again, or that of
/// the same log when it has grown, finds the nodes that are there:
///
///   dag|Call|2026-01-10T12:00:00Z|req_1
///
/// is the view, because a node of `explain` means something else; the label; the scope that the
/// view gives, or else the title of the drawing, for ids as short as `r1` or `agent:main` come
/// again in other logs and runs; and the id. As literals, for texts that differ only in what no
/// literal can hold are one name to the database.
class CypherKeys {
 public:
  explicit CypherKeys(std::string_view view) : view_(view) {}

  /// Equal names are several nodes, which get numbers, unless the log records one thing.
  std::string key(const Drawing& drawing, const Drawing::Node& node, std::string_view label);

 private:
  std::string unused(const std::string& name);

  std::string_view view_;
  std::unordered_map<std::string, size_t> taken_;      ///< and the number the next copy gets
  std::unordered_map<std::string, std::string> told_;  ///< keys by name
};

// An index takes about eight thousand bytes.
constexpr size_t kKeyBytes = 1000;

// Of what was recorded; no node of a log's own graph may pass for one of these.
constexpr std::string_view kRecorded[] = {"Call",  "Agent", "Principal", "Resource", "Span",
                                          "Query", "Step",  "Evidence",  "Citation", "XtraceNode"};
// Of graphs that logs record.
constexpr std::string_view kTold[] = {"Entity",    "Relation", "Claim", "TextUnit",
                                      "Community", "Document", "Other"};
constexpr std::string_view kOther = "Other";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string letters(std::string_view text) {
  std::string small;
  for (char c : text)
    if (c != '_') small += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

/// `TextUnit` of `text_unit`; empty: it is not one of them.
template <class List>
std::string_view one_of(const List& list, std::string_view word) {
  std::string wanted = letters(word);
  auto found = std::find_if(std::begin(list), std::end(list),
                            [&](std::string_view known) { return letters(known) == wanted; });
  return found == std::end(list) ? std::string_view() : *found;
}

std::string literal(std::string_view name) {
  std::string text;
  append_cypher(text, name);
  return text;
}

/// A letter, then up to 63 letters, digits and `_`.
bool is_cypher_name(std::string_view word) {
  constexpr size_t kLongest = 64;
  return !word.empty() && word.size() <= kLongest && is_letter(word.front()) &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return is_letter(c) || c == '_' || (c >= '0' && c <= '9'); });
}

/// The label of a node: a word of a list, or what a node of a log's own graph is called there if
/// that is a name; else Other.
std::string cypher_label(const Drawing::Node& node) {
  std::string_view word = node.type.empty() ? node.kind.view() : node.type.view();
  if (std::string_view known = one_of(kTold, word); !known.empty()) return std::string(known);
  std::string_view recorded = one_of(kRecorded, word);
  if (!node.told) return std::string(recorded.empty() ? kOther : recorded);
  if (!recorded.empty() || !is_cypher_name(word)) return std::string(kOther);
  return fmt::format("`{}`", word);
}

/// The type of a relation; where its own is no name, which is then a property, kUnnamedType.
std::string cypher_type(const Drawing::Edge& edge) {
  std::string_view word = edge.relation.view();
  // Its own RELATED would be one of those with a type.
  if (!is_cypher_name(word) || word == kUnnamedType) return std::string(kUnnamedType);
  return edge.told ? fmt::format("`{}`", word) : std::string(word);
}

std::string CypherKeys::key(const Drawing& drawing, const Drawing::Node& node,
                            std::string_view label) {
  Text scope = node.scope.empty() ? drawing.title : node.scope;
  std::string name = fmt::format("{}|{}|", view_, label);
  std::erase(name, '`');
  for (char c : scope.view())
    name += c == '|' || c == '%' ? fmt::format("%{:02X}", c) : std::string(1, c);
  (name += '|') += node.id.view();
  if (name.size() > kKeyBytes)
    name = fmt::format("{}…{:016x}", head(name, kKeyBytes), hash_of(name));
  if (!node.told) return unused(name);
  auto [known, is_new] = told_.try_emplace(name);
  if (is_new) known->second = unused(name);
  return known->second;
}

std::string CypherKeys::unused(const std::string& name) {
  std::string base = literal(name), key = base;
  for (size_t copy = 2; !taken_.emplace(key, 2).second;
       key = literal(fmt::format("{}~{}", name, copy)))
    copy = taken_[base]++;
  return key;
}

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

/// The groups around a node, outermost first. What other drawings contain as well is in none.
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
