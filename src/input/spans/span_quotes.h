#pragma once

#include <vector>

#include "facts/payloads.h"
#include "input/common/json.h"

namespace xtrace {

class Parsers;

/// What the span of a model's call tells was said: what came in that the model did not say itself,
/// and its answer, the texts and the tools that it asks for. In the words of OpenTelemetry's GenAI
/// conventions (`gen_ai.output.messages`), OpenLLMetry (`gen_ai.completion.0.tool_calls.0.name`),
/// OpenInference (`llm.output_messages.0.message.tool_calls.0.tool_call.function.name`), or the
/// answer of a vendor as it came (`output.value`). Empty: it tells nothing, or in no such words.
std::vector<Quote> quote_span(json::element span, Parsers& parsers);

}  // namespace xtrace
