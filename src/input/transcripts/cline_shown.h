#pragma once

#include "input/common/format.h"

namespace xtrace {

// What Cline and Roo Code show of a task (`ui_messages.json`), part of the formats of both, and
// what stands beside that.

/// The tool by which a task starts another one, as it is shown.
inline constexpr std::string_view kShownStart = "newTask";

bool fits_shown(json::element record);
/// The same, as Roo Code writes it.
bool fits_roo_code(json::element record);
void read_shown(json::element record, std::string_view text, const Extent& at,
                RecordContext& context);
void say_shown(json::element record, Draft& said);

}  // namespace xtrace
