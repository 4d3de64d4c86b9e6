#pragma once

#include <functional>
#include <string_view>

#include "input/calls/message_draft.h"

namespace xtrace {

/// Does this key of a record of a thought hold what was thought? As a text, as a list of steps, or
/// as an object that holds one: `text`, `chainOfThought`, `thoughts`, `functionCall`, `payload`.
bool is_thought_text(std::string_view key, json::element value);

/// A piece of what was thought: a text, or a function call as a tool use. is_summary: it tells
/// others again, in short.
using EachThought = std::function<void(const Block& piece, bool is_summary)>;
/// Calls `each` for what the record says was thought, tokens apart: first what was asked, then the
/// thoughts in the order in which they are written, then the summaries.
void for_each_thought(json::element record, const EachThought& each);

}  // namespace xtrace
