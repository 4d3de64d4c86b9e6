#pragma once

#include <utility>

#include "view/common/field.h"
#include "view/common/names.h"
#include "view/common/preface.h"

namespace xtrace {

struct Warning {
  Text code, message;
  Cell at{};
};
inline constexpr Field<Warning> kWarnings[] = {
    {{"code",
      "damaged, unfinished, unknown_record, repaired, field, file, clock, orphan, parent, missing, "
      "payload, unshown, twin, cost",
      CellKind::text, true},
     member<&Warning::code>},
    {{"message", "", CellKind::text, true}, member<&Warning::message>},
    {{"at", "location", CellKind::text}, member<&Warning::at>},
};

/// Collects warnings as rows of a table.
class Warnings {
 public:
  void add(const Warning& warning) { add_fields(kWarnings, warning, table_); }
  Table taken() { return std::move(table_); }

 private:
  Table table_ = table_of<kWarnings>("warnings");
};

/// Adds what is wrong with the input: what was damaged, is missing or contradicts itself; at most
/// 50 of each kind.
void add_warnings(const Graph& graph, const Names& names, bool asks_for_texts, Door& door,
                  Covers covers, Warnings& warnings);

/// How many tools that replies recorded by spans ask for have no span; empty: none. To count them,
/// these replies are read again. Calls count the tools of the spans that they cover.
Text tools_without_spans(const Question& question);

}  // namespace xtrace
