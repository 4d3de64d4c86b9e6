#include "view/common/evidence.h"

namespace xtrace {

Verdicts::Evidence evidence_of(const Names& names, const Extent& at, Text id, Text what) {
  const RecordPlace place = names.place(at);
  Verdicts::Evidence evidence{names.at(at), names.text(place.path), {}, id, what};
  if (place.line > 0) evidence.line = static_cast<int64_t>(place.line);
  return evidence;
}

Verdicts::Evidence evidence_of(const Names& names, const Trace& trace, const Extent& at,
                               ToolUseId use, CallId call, Text what) {
  const StringId id = use ? trace.tool_uses[use.index].id : StringId();
  return evidence_of(names, at, id ? names.text(id) : names.id(call), what);
}

Table evidence_table(const std::vector<Verdicts::Evidence>& evidence) {
  Table table = table_of<kEvidenceFields>({});
  for (const Verdicts::Evidence& one : evidence) add_fields(kEvidenceFields, one, table);
  return table;
}

}  // namespace xtrace
