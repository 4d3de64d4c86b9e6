#pragma once

#include "facts/payloads.h"
#include "input/common/json.h"

namespace xtrace {

/// The system prompt and the tools of a request of Anthropic's API, or OpenAI's two.
Instructions read_instructions(json::element request);

}  // namespace xtrace
