#pragma once

#include "facts/record.h"
#include "input/calls/message_draft.h"
#include "input/common/record_context.h"

namespace xtrace {

// What Gemini CLI prints with `--output-format stream-json` or `json`, which is read as its chats.

bool fits_gemini_output(json::element record);
void read_gemini_output(json::element record, const Extent& at, RecordContext& context);
/// What a record says; nothing where it says nothing.
void say_gemini_output(json::element record, Draft& said);

}  // namespace xtrace
