#pragma once

#include "facts/server_tools.h"
#include "input/calls/message_draft.h"
#include "input/common/json.h"

namespace xtrace {

/// The tool that a vendor ran, by the type of an item of the Responses API (`web_search_call`), and
/// only where that is paid for: of a search's actions, `search` is.
ServerTool server_tool_of_item(json::element item);
/// By the name of a `server_tool_use` of the Messages API.
ServerTool server_tool_named(std::string_view name);
/// Takes in how often tools were used, as counts of tokens or the answer around them state it.
void read_server_tools(json::element counts, ServerToolUses& uses);
/// How often tools were used by what an answer holds.
ServerToolUses server_tools_in(const Draft& answer);

}  // namespace xtrace
