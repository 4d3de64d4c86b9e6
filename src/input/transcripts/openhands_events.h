#pragma once

#include "input/common/format.h"

namespace xtrace {

// The conversations of OpenHands since its version 1; part of the format `openhands`.

bool fits_openhands_events(json::element record);
void read_openhands_events(json::element record, std::string_view text, const Extent& at,
                           RecordContext& context);
void say_openhands_event(json::element record, Draft& said);

}  // namespace xtrace
