#pragma once

#include <functional>
#include <vector>

#include "facts/payloads.h"
#include "input/calls/message_draft.h"
#include "input/common/json.h"

namespace xtrace {

class Parsers;

/// What the span of a model's call tells was said: what came in that the model did not say itself,
/// and its answer, the texts and the tools that it asks for. In the words of OpenTelemetry's GenAI
/// conventions (`gen_ai.output.messages`), OpenLLMetry (`gen_ai.completion.0.tool_calls.0.name`),
/// OpenInference (`llm.output_messages.0.message.tool_calls.0.tool_call.function.name`), or the
/// answer of a vendor as it came (`output.value`). Empty: it shows nothing, or in no such words.
std::vector<Quote> quote_span(json::element span, Parsers& parsers);

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
