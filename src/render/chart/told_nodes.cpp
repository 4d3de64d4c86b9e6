#include "render/chart/told_nodes.h"

namespace xtrace {

namespace {

void add_ids(const Cell& cell, ToldNodes& told) {
  if (const Texts* const* ids = std::get_if<const Texts*>(&cell))
    for (const Text& id : **ids) told.emplace(id.view());
  else if (const std::string_view id = text_of(cell); !id.empty())
    told.emplace(id);
}

void add_rows(const Table& table, ToldNodes& told) {
  const RoleColumns columns(table.columns);
  for (size_t i = 0; i < table.rows(); ++i) add_ids(columns.in(table.row(i), Role::node), told);
}

}  // namespace

ToldNodes told_nodes(const Document& document) {
  ToldNodes told;
  for (const Section& section : document.sections()) {
    if (const Record* record = std::get_if<Record>(&section)) add_rows(record->table, told);
    if (const Table* table = std::get_if<Table>(&section)) add_rows(*table, told);
  }
  return told;
}

}  // namespace xtrace
