#include "render/verdicts.h"

#include <map>

namespace xtrace {

namespace {

Subject subject_of(const KeyedRow& row, std::string_view id, std::string_view at) {
  // Build servers refuse what has no name.
  std::string_view name = row.text(id);
  return {name.empty() ? "unnamed" : name, row.text("status"), row.text("message"), row.text(at),
          row.duration("duration_ms")};
}

std::vector<Subject> scenarios_of(const Table& scenarios) {
  std::vector<Subject> subjects;
  for (size_t i = 0; i < scenarios.rows(); ++i) {
    KeyedRow scenario(scenarios, i);
    Subject& subject = subjects.emplace_back(subject_of(scenario, "id", "written_at"));
    const Table* verdicts = scenario.rows("verdicts");
    for (size_t k = 0; verdicts != nullptr && k < verdicts->rows(); ++k) {
      KeyedRow verdict(*verdicts, k);
      std::string_view status = verdict.text("status");
      if (status == "passed") continue;
      subject.findings.push_back({verdict.text("rule"), status,
                                  status == "failed" ? "error" : "warning",
                                  std::string(verdict.text("message")), verdict.text("expected_at"),
                                  verdict.rows("evidence")});
    }
  }
  return subjects;
}

std::vector<Subject> runs_of(const Table& runs, const Document& document) {
  std::vector<Subject> subjects;
  std::map<std::string_view, size_t> by_id;
  std::vector<std::string_view> levels;
  for (size_t i = 0; i < runs.rows(); ++i) {
    KeyedRow run(runs, i);
    by_id.emplace(run.text("run"), i);
    levels.push_back(run.text("level"));
    subjects.push_back(subject_of(run, "run", "at"));
  }
  auto add = [&](std::string_view table, std::string_view rule, auto level) {
    const Table* rows = find_table(document, table);
    for (size_t i = 0; rows != nullptr && i < rows->rows(); ++i) {
      KeyedRow row(*rows, i);
      auto of = by_id.find(row.text("run"));
      if (of == by_id.end() || row.rows("evidence") == nullptr) continue;
      Subject& subject = subjects[of->second];
      subject.findings.push_back({row.text(rule), subject.status, level(of->second),
                                  std::string(row.text("detail")), row.text("expected_at"),
                                  row.rows("evidence")});
    }
  };
  // Reasons weigh by what the run comes to with all of them.
  add("reasons", "rule", [&](size_t run) -> std::string_view {
    if (subjects[run].status != "failed") return "note";
    return levels[run] == "high" || levels[run] == "overreach" ? "error" : "warning";
  });
  add("alignment", "alignment", [](size_t) -> std::string_view { return "error"; });
  return subjects;
}

}  // namespace

std::vector<Subject> subjects_of(const Document& document) {
  if (const Table* scenarios = find_table(document, "scenarios")) return scenarios_of(*scenarios);
  if (const Table* runs = find_table(document, "runs")) return runs_of(*runs, document);
  return {};
}

const Cell* KeyedRow::find(std::string_view key) const {
  for (size_t i = 0; i < table_->columns.size(); ++i)
    if (table_->columns[i].key == key) return &table_->row(at_)[i];
  return nullptr;
}

std::string_view KeyedRow::text(std::string_view key) const {
  const Cell* cell = find(key);
  const Text* text = cell == nullptr ? nullptr : std::get_if<Text>(cell);
  return text == nullptr ? std::string_view() : text->view();
}

std::optional<int64_t> KeyedRow::number(std::string_view key) const {
  const Cell* cell = find(key);
  const int64_t* number = cell == nullptr ? nullptr : std::get_if<int64_t>(cell);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::optional<double> KeyedRow::real(std::string_view key) const {
  const Cell* cell = find(key);
  if (cell == nullptr) return {};
  if (const int64_t* whole = std::get_if<int64_t>(cell)) return static_cast<double>(*whole);
  const double* number = std::get_if<double>(cell);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

const Texts* KeyedRow::texts(std::string_view key) const {
  const Cell* cell = find(key);
  const Texts* const* texts = cell == nullptr ? nullptr : std::get_if<const Texts*>(cell);
  return texts == nullptr ? nullptr : *texts;
}

std::optional<Duration> KeyedRow::duration(std::string_view key) const {
  const Cell* cell = find(key);
  const Duration* length = cell == nullptr ? nullptr : std::get_if<Duration>(cell);
  return length == nullptr ? std::nullopt : std::optional(*length);
}

const Table* KeyedRow::rows(std::string_view key) const {
  const Cell* cell = find(key);
  const Table* const* rows = cell == nullptr ? nullptr : std::get_if<const Table*>(cell);
  return rows == nullptr ? nullptr : *rows;
}

const Table* find_table(const Document& document, std::string_view name) {
  for (const Section& section : document.sections()) {
    if (const Table* table = std::get_if<Table>(&section); table != nullptr && table->name == name)
      return table;
    if (const Record* record = std::get_if<Record>(&section);
        record != nullptr && record->table.name == name)
      return &record->table;
  }
  return nullptr;
}

std::string_view top_text(const Document& document, std::string_view key) {
  for (const Section& section : document.sections())
    if (const Record* record = std::get_if<Record>(&section);
        record != nullptr && record->table.name.empty() && record->table.rows() > 0)
      if (std::string_view text = KeyedRow(record->table, 0).text(key); !text.empty()) return text;
  return {};
}

}  // namespace xtrace
