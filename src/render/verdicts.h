#pragma once

#include <iosfwd>
#include <string_view>

#include "doc/verdicts.h"
#include "render/renderer.h"

namespace xtrace {

void write_junit(const Document& document, const Paper& paper, std::ostream& out);
void write_sarif(const Document& document, const Paper& paper, std::ostream& out);

/// Verdicts in Markdown, for people: what did not pass comes with what decided it. Of a suite,
/// whose scenarios have scores.
void write_verdict_report(const Verdicts& verdicts, std::ostream& out);
inline bool has_report(const Document& document) {
  return document.verdicts() != nullptr && !document.verdicts()->dimensions.empty();
}

/// Does it show verdicts, and nothing else?
inline bool shows_verdicts(const Renderer& renderer) {
  return renderer.write == write_junit || renderer.write == write_sarif;
}

/// Those of the answer, or none.
inline const Verdicts& verdicts_of(const Document& document) {
  static const Verdicts kNone;
  return document.verdicts() == nullptr ? kNone : *document.verdicts();
}

/// Build servers refuse what has no name.
inline std::string_view name_of(const Verdicts::Subject& subject) {
  return subject.id.empty() ? "unnamed" : subject.id.view();
}

}  // namespace xtrace
