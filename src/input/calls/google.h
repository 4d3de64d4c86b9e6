#pragma once

#include "input/calls/answer.h"
#include "input/calls/request.h"

namespace xtrace {

struct RecordContext;

/// What a request to Google's API says, its `contents`, behind what `asked` knows already.
void read_contents(json::element contents, RecordContext& context, Asked& asked);

/// An answer of Google's API, or one piece of a streamed one.
void read_google_answer(json::element body, Answer& answer);
bool is_google_answer(json::element body);

/// Gives tool uses of the answer to this request, which have no ids, those that the next request
/// would give them.
void name_tool_uses(json::element request, Draft& answer);

}  // namespace xtrace
