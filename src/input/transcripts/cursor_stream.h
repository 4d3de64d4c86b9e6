#pragma once

#include "facts/record.h"
#include "input/calls/message_draft.h"
#include "input/common/record_context.h"

namespace xtrace {

// What Cursor's CLI prints with `--output-format stream-json` or `json`, which is read as its
// transcripts.

bool fits_cursor_stream(json::element record);
void read_cursor_stream(json::element record, const Extent& at, RecordContext& context);
/// What a record says; nothing where it says nothing.
void say_cursor_stream(json::element record, Draft& said);

}  // namespace xtrace
