#pragma once

#include <string_view>

#include "facts/record.h"
#include "input/common/json.h"

namespace xtrace {

struct RecordContext;

/// Reads a span as an SDK writes it to a console, or an object with a list of them, in any of the
/// spellings of span_fields.h.
void read_sdk_spans(json::element record, std::string_view text, const Extent& at,
                    RecordContext& context);

}  // namespace xtrace
