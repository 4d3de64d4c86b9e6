#pragma once

#include "input/calls/message_draft.h"

namespace xtrace {

/// Reads an item of OpenAI's Responses API, as it is in a request's `input`, in an answer's
/// `output` and in the transcripts of Codex: a message, or a tool's use or output. Its blocks come
/// behind those the draft has, and the draft gets its role. False if the item says nothing.
bool read_response_item(json::element item, Draft& draft);

}  // namespace xtrace
