#include "render/verdicts.h"

namespace xtrace {

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
