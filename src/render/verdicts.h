#pragma once

#include <iosfwd>
#include <string_view>
#include <vector>

#include "doc/verdicts.h"
#include "render/renderer.h"

namespace xtrace {

/// Verdicts in Markdown, for people: what did not pass comes with what decided it. Of a suite,
/// whose scenarios have scores.
void write_verdict_report(const Verdicts& verdicts, std::ostream& out);
inline bool has_report(const Document& document) {
  return document.verdicts() != nullptr && !document.verdicts()->dimensions.empty();
}

/// Those of the answer, or none.
inline const Verdicts& verdicts_of(const Document& document) {
  static const Verdicts kNone;
  return document.verdicts() == nullptr ? kNone : *document.verdicts();
}

/// Figures beyond what the suite or the command line allows, since a baseline.
std::vector<Verdicts::Change> broken_bounds(const Verdicts& verdicts);

/// Build servers refuse what has no name.
inline std::string_view name_of(const Verdicts::Subject& subject) {
  return subject.id.empty() ? "unnamed" : subject.id.view();
}

}  // namespace xtrace
