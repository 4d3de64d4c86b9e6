#pragma once

#include <string>

#include "view/common/selection.h"
#include "view/common/view.h"

namespace xtrace {

/// Hides the sessions that do not contain `word`, in letters of any case: in the title, in a
/// prompt, in the name of a file or address that a tool worked on, and at Level::full in anything
/// that was said.
///
/// Exit::no: no session contains it.
Status keep_sessions_with(const std::string& word, const Question& question, Selection& selection);

}  // namespace xtrace
