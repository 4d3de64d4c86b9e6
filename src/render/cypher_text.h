#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "doc/document.h"

namespace xtrace {

/// Appends `text` as a string literal that nothing in it can end, whichever Neo4j reads it.
void append_cypher(std::string& out, std::string_view text);

/// A map literal that is put together property by property. Only what a node can keep gets in:
/// numbers, truths, texts and flat lists; other lists and objects become text, in JSON.
class CypherMap {
 public:
  void add(std::string_view name, std::string_view text);
  void add(std::string_view name, const Cell& cell);
  /// What has no value is left out. Names need not be ours: they become snake_case, and one that is
  /// taken gets a number.
  void add(const Entries& entries);

  /// `{id: "req_1", tokens: 12}`
  std::string text() const { return '{' + fields_ + '}'; }

 private:
  void add_literal(std::string_view wish, std::string_view literal);

  std::string fields_;
  std::unordered_map<std::string, size_t> names_;  ///< and the number the next of each gets
};

}  // namespace xtrace
