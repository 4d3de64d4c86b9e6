#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "doc/document.h"

namespace xtrace {

// Labels and types of Neo4j cannot be given as values, they are words of the script itself. So one
// of an input is written only if it can be nothing else than a name, and then in backticks, as some
// names are words of the language.

inline constexpr std::string_view kUnnamedType = "RELATED";
/// A letter, then up to 63 letters, digits and `_`.
bool is_cypher_name(std::string_view word);
/// The label of a node: a word of a list, or what a node of a log's own graph is called there if
/// that is a name; else Other.
std::string cypher_label(const Drawing::Node& node);
/// The type of a relation; where its own is no name, which is then a property, kUnnamedType.
std::string cypher_type(const Drawing::Edge& edge);

/// Names nodes such that one database can hold many answers, and running a script again, or that of
/// the same log when it has grown, finds the nodes that are there:
///
///   dag|Call|2026-01-10T12:00:00Z|req_1
///
/// is the view, for a node of `explain` stands for something else; the label; the scope that the
/// view gives, or else the title of the drawing, for ids as short as `r1` or `agent:main` come
/// again in other logs and runs; and the id. As literals, for texts that differ only in what no
/// literal can hold are one name to the database.
class CypherKeys {
 public:
  explicit CypherKeys(std::string_view view) : view_(view) {}

  /// Equal names are several nodes, which get numbers, unless the log tells of one thing.
  std::string key(const Drawing& drawing, const Drawing::Node& node, std::string_view label);

 private:
  std::string unused(const std::string& name);

  std::string_view view_;
  std::unordered_map<std::string, size_t> taken_;      ///< and the number the next copy gets
  std::unordered_map<std::string, std::string> told_;  ///< keys by name
};

}  // namespace xtrace
