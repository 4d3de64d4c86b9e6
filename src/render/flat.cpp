#include "render/flat.h"

#include <utility>
#include <vector>

#include "base/one_of.h"
#include "base/text.h"
#include "render/json_cells.h"

namespace xtrace {

namespace {

bool can_be_flat(const Section& section) {
  return std::holds_alternative<Record>(section) || std::holds_alternative<Table>(section) ||
         std::holds_alternative<Stream>(section);
}

/// Where it has as many, for the answers of a group are of one shape.
const Section* nth_flat(const Document& document, size_t nth) {
  for (const Section& section : document.sections())
    if (can_be_flat(section) && nth-- == 0) return &section;
  return nullptr;
}

void write_rows(const Section& section, size_t nth, const FlatTable::Write& write) {
  auto write_table = [&](const Table& table) {
    for (size_t i = 0; i < table.rows(); ++i) write(nth, table.row(i));
  };
  if (const Record* record = std::get_if<Record>(&section)) write_table(record->table);
  if (const Table* table = std::get_if<Table>(&section)) write_table(*table);
  if (const Stream* stream = std::get_if<Stream>(&section))
    stream->rows([&](std::span<const Cell> row) { write(nth, row); });
}

FlatTable described(const Section& section) {
  FlatTable flat;
  if (const Record* record = std::get_if<Record>(&section))
    flat = {record->table.name, {}, record->table.columns, true, {}};
  if (const Table* table = std::get_if<Table>(&section))
    flat = {table->name, {}, table->columns, false, {}};
  if (const Stream* stream = std::get_if<Stream>(&section))
    flat = {stream->name, {}, stream->columns, false, {}};
  return flat;
}

/// The answers are made anew for each of their tables, for none of them is kept.
void flat_tables_of(const Group& group, const std::function<void(const FlatTable&)>& each) {
  std::vector<FlatTable> tables;
  group.members([&](const Document& member) {
    for (const Section& section : member.sections())
      if (can_be_flat(section)) tables.push_back(described(section));
    return false;
  });
  for (size_t i = 0; i < tables.size(); ++i) {
    tables[i].group = group.name;
    tables[i].rows = [&group, i](const FlatTable::Write& write) {
      size_t nth = 0;
      group.members([&](const Document& member) {
        ++nth;
        if (const Section* section = nth_flat(member, i)) write_rows(*section, nth, write);
        return true;
      });
    };
    each(tables[i]);
  }
}

}  // namespace

void flat_tables(const Document& document, const std::function<void(const FlatTable&)>& each) {
  for (const Section& section : document.sections()) {
    if (const Group* group = std::get_if<Group>(&section)) flat_tables_of(*group, each);
    if (!can_be_flat(section)) continue;
    FlatTable flat = described(section);
    flat.rows = [&section](const FlatTable::Write& write) { write_rows(section, 1, write); };
    each(flat);
  }
}

bool is_preface(std::string_view table) {
  return is_one_of(table, {"", "inputs", "warnings", "filtered"});
}

bool is_text(const Cell& cell) {
  return std::holds_alternative<Text>(cell);
}

std::string flat_text(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell) || std::holds_alternative<std::nullptr_t>(cell))
    return {};
  if (const Text* text = std::get_if<Text>(&cell)) return printable(text->view());
  if (const Moment* moment = std::get_if<Moment>(&cell)) return format_time(*moment);
  if (const int64_t* number = std::get_if<int64_t>(&cell)) return std::to_string(*number);
  std::string json;
  append_json(json, cell);
  return json;
}

}  // namespace xtrace
