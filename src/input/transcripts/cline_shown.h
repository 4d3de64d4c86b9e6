#pragma once

#include "input/common/record_pattern.h"
#include "input/transcripts/record_shape.h"

namespace xtrace {

// What Cline and Roo Code show of a task (`ui_messages.json`), part of the formats of both, and
// what is beside that.

/// The tool by which a task starts another one, as it is shown.
inline constexpr std::string_view kShownStart = "newTask";

void read_shown(const RecordMatcher& record, const Part& whole, Utterance&, RecordContext& context);
void say_shown(json::element record, Draft& said);

}  // namespace xtrace
