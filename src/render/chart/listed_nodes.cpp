#include "render/chart/listed_nodes.h"

namespace xtrace {

namespace {

void add_ids(const Cell& cell, ListedNodes& listed) {
  if (const Texts* const* ids = std::get_if<const Texts*>(&cell))
    for (const Text& id : **ids) listed.emplace(id.view());
  else if (const std::string_view id = text_of(cell); !id.empty())
    listed.emplace(id);
}

void add_rows(const Table& table, ListedNodes& listed) {
  const RoleColumns columns(table.columns);
  for (size_t i = 0; i < table.rows(); ++i) add_ids(columns.in(table.row(i), Role::node), listed);
}

void add_rows(const Stream& stream, ListedNodes& listed) {
  const RoleColumns columns(stream.columns);
  if (!columns.has(Role::node)) return;  // rows are made anew each time
  stream.rows([&](std::span<const Cell> row) { add_ids(columns.in(row, Role::node), listed); });
}

}  // namespace

ListedNodes find_listed_nodes(const Document& document) {
  ListedNodes listed;
  for (const Section& section : document.sections()) {
    // A record with a name, as context_call of stats, is about one node of many.
    if (const Record* record = std::get_if<Record>(&section);
        record != nullptr && record->table.name.empty())
      add_rows(record->table, listed);
    if (const Table* table = std::get_if<Table>(&section)) add_rows(*table, listed);
    if (const Stream* stream = std::get_if<Stream>(&section)) add_rows(*stream, listed);
  }
  return listed;
}

}  // namespace xtrace
