#include "run/table_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/nearest.h"
#include "base/one_of.h"
#include "base/overloaded.h"
#include "base/text.h"
#include "render/flat.h"

namespace xtrace {

namespace {

/// The tables in a group are of another shape of the same view.
void add_name(const Section& section, std::set<std::string_view>& names) {
  std::visit(
      Overloaded{[&](const Record& record) { names.insert(record.table.name); },
                 [&](const Table& table) { names.insert(table.name); },
                 [&](const Stream& stream) { names.insert(stream.name); }, [](const auto&) {}},
      section);
}

}  // namespace

Status check_table(std::string_view table, std::string_view format, const ViewEntry& entry) {
  if (table.empty()) return {};
  bool takes = false;
  for (const Renderer& renderer : renderers())
    takes |= renderer.takes_table && renderer.name == format;
  if (!takes) return fail(Exit::usage, "--table requires --format csv or markdown");
  std::set<std::string_view> names;
  for (const Shape& shape : entry.shapes())
    for (const Section& section : shape) add_name(section, names);
  names.erase("");
  if (names.contains(table)) return {};
  std::vector<std::string_view> known(names.begin(), names.end());
  return fail(Exit::usage,
              fmt::format("--table: {} has no table '{}'{}; tables: {}", entry.name,
                          printable(table), did_you_mean(table, known), fmt::join(known, ", ")));
}

Status check_has_table(const Document& document, const Request& request) {
  if (request.paper.table.empty()) return {};
  std::vector<std::string_view> names;
  flat_tables(document, [&](const FlatTable& table) {
    if (!table.name.empty()) names.push_back(table.name);
  });
  if (is_one_of(request.paper.table, names)) return {};
  return fail(Exit::no, fmt::format("--table: this output has no table '{}'; tables: {}",
                                    request.paper.table, fmt::join(names, ", ")));
}

}  // namespace xtrace
