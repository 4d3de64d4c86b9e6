#include "render/chart/told_nodes.h"

#include "render/chart/chart_cells.h"

namespace xtrace {

namespace {

void add_ids(const Cell& cell, ToldNodes& told) {
  if (const Texts* const* ids = std::get_if<const Texts*>(&cell))
    for (const Text& id : **ids) told.emplace(id.view());
  else if (const std::string_view id = text_of(cell); !id.empty())
    told.emplace(id);
}

void add_rows(const Table& table, std::initializer_list<std::string_view> keys, ToldNodes& told) {
  const CellKey id(table.columns, keys);
  for (size_t i = 0; i < table.rows(); ++i) add_ids(id.in(table.row(i)), told);
}

}  // namespace

ToldNodes told_nodes(const Document& document) {
  ToldNodes told;
  for (const Section& section : document.sections()) {
    if (const Record* record = std::get_if<Record>(&section);
        record != nullptr && record->table.name.empty())
      add_rows(record->table, {"target"}, told);
    const Table* table = std::get_if<Table>(&section);
    if (table == nullptr) continue;
    if (table->name == "steps") add_rows(*table, {"call", "id"}, told);
    if (table->name == "cause_groups") add_rows(*table, {"full_path"}, told);
  }
  return told;
}

}  // namespace xtrace
