#pragma once

#include <functional>

#include "input/calls/message_draft.h"

namespace xtrace {

class Parsers;

/// One of a message's `parts`, as below; false: it is of no kind that is known.
bool read_message_part(json::element part, Draft& said);

/// Calls `each` with the messages that a span bears as `gen_ai.input.messages` and then as
/// `gen_ai.output.messages` (OpenTelemetry's semantic conventions for generative AI, 1.37):
/// `[{"role", "parts": [{"type": "text", "content"}, {"type": "tool_call", "id", "name",
/// "arguments"}, {"type": "tool_call_response", "id", "response"}]}]`, a list or its text.
void read_span_messages(json::element span, Parsers& parsers,
                        const std::function<void(const Draft&)>& each);

}  // namespace xtrace
