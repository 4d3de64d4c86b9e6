#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

/// What a call did in a few words: the tools it asked for (`Read src/a.cpp`, `Grep, Read ×2`), what
/// went wrong, or that it answered.
Text what_it_did(const CallScene& scene, CallId id);
/// The tools of some calls with their counts, most used first: `Read ×9, Grep ×4, Bash`.
std::string count_tools(const CallScene& scene, std::span<const CallId> calls);
/// The model without the vendor's prefix and date: `opus-4-5` of `claude-opus-4-5-20251101`,
/// `gpt-5` of `gpt-5-2025-08-07`.
Text short_model(const CallScene& scene, CallId id);
/// `tool error`, `3 tool errors`; of none, nothing.
std::string tool_error_words(int64_t errors);
/// What is remarkable about a call, in few words: `attempt 2, tool error`.
std::string remarks(const CallScene& scene, CallId id);
/// For databases: TOOL_RESULT.
Text relation(LinkKind kind);

}  // namespace xtrace
