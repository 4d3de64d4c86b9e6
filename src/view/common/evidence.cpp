#include "view/common/evidence.h"

#include "view/common/field.h"

namespace xtrace {

void add_evidence(const Names& names, const Extent& at, Text id, Text what, Table& table) {
  const RecordPlace place = names.place(at);
  bool has_line = !place.is_document && place.line > 0;
  table.add({names.at(at), names.text(place.path),
             has_line ? Cell(static_cast<int64_t>(place.line)) : Cell(), known(id), known(what)});
}

}  // namespace xtrace
