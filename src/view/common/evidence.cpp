#include "view/common/evidence.h"

#include "view/common/field.h"

namespace xtrace {

Verdicts::Evidence evidence_of(const Names& names, const Extent& at, Text id, Text what) {
  const RecordPlace place = names.place(at);
  Verdicts::Evidence evidence{names.at(at), names.text(place.path), {}, id, what};
  if (place.line > 0) evidence.line = static_cast<int64_t>(place.line);
  return evidence;
}

Table evidence_table(const std::vector<Verdicts::Evidence>& evidence) {
  Table table{{}, kEvidence};
  for (const Verdicts::Evidence& one : evidence)
    table.add(
        {one.at, one.path, one.line ? Cell(*one.line) : Cell(), known(one.id), known(one.what)});
  return table;
}

}  // namespace xtrace
