#pragma once

#include <iosfwd>
#include <optional>
#include <string_view>

#include "render/renderer.h"

namespace xtrace {

void write_junit(const Document& document, const Paper& paper, std::ostream& out);
void write_sarif(const Document& document, const Paper& paper, std::ostream& out);

/// Verdicts in Markdown, for people: what did not pass comes with what decided it.
void write_verdict_report(const Document& document, std::ostream& out);
/// Is there anything to write in it?
bool has_verdicts(const Document& document);

/// Does it show verdicts, and nothing else? A document has some that has a table `scenarios`.
inline bool shows_verdicts(const Renderer& renderer) {
  return renderer.write == write_junit || renderer.write == write_sarif;
}

/// A row of a table, read by the keys of its columns.
class KeyedRow {
 public:
  KeyedRow(const Table& table, size_t at) : table_(&table), at_(at) {}

  /// Empty: there is none.
  std::string_view text(std::string_view key) const;
  std::optional<int64_t> number(std::string_view key) const;
  std::optional<double> real(std::string_view key) const;
  std::optional<Duration> duration(std::string_view key) const;
  /// Null: there are none.
  const Texts* texts(std::string_view key) const;
  const Table* rows(std::string_view key) const;

 private:
  const Cell* find(std::string_view key) const;

  const Table* table_;
  size_t at_;
};

/// The table or record of that name; nullptr: there is none.
const Table* find_table(const Document& document, std::string_view name);
/// A text that stands at the top of the answer.
std::string_view top_text(const Document& document, std::string_view key);

}  // namespace xtrace
