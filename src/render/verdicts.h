#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/renderer.h"

namespace xtrace {

void write_junit(const Document& document, const Paper& paper, std::ostream& out);
void write_sarif(const Document& document, const Paper& paper, std::ostream& out);

/// Verdicts in Markdown, for people: what did not pass comes with what decided it.
void write_verdict_report(const Document& document, std::ostream& out);
/// Is there anything to write in it?
bool has_verdicts(const Document& document);

/// Does it show verdicts, and nothing else?
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
/// Something that is to be said of what was judged.
struct Finding {
  std::string_view rule;
  std::string_view status;       ///< as that of the Subject
  std::string_view level;        ///< error, warning or note, as SARIF has them
  std::string message;           ///< what was found
  std::string_view expected_at;  ///< `suite.yaml:12`; empty: no file says so
  const Table* evidence;         ///< what led there, causes first; null: nothing did
};

/// What was judged: a scenario of a suite, or a run that was held against others.
struct Subject {
  std::string_view id;
  std::string_view status;   ///< passed, failed or insufficient_evidence
  std::string_view message;  ///< why nothing could be judged
  std::string_view at;       ///< where it stands itself
  std::optional<Duration> took;
  std::vector<Finding> findings{};  ///< what is not as it should be
};

/// Of a document with a table `scenarios`, whose rows have `verdicts`; or with a table `runs` and
/// others, `reasons` and `alignment`, that name them.
std::vector<Subject> subjects_of(const Document& document);

/// A text that stands at the top of the answer.
std::string_view top_text(const Document& document, std::string_view key);

}  // namespace xtrace
