#pragma once

#include <string_view>

#include "base/time.h"
#include "facts/call.h"
#include "input/calls/message_draft.h"
#include "input/transcripts/part.h"

/// What the parts of a saved conversation say, wherever in a message they stand.
namespace xtrace::conversation_parts {

/// The value at this key, or at that of `metadata`; what is null is not there.
bool find_of(json::element from, std::string_view key, json::element& value);
/// A string there; empty: none.
std::string_view text_of(json::element from, std::string_view key);
/// `id`, or what else a conversation is called by.
std::string_view name_of_session(json::element record);

bool is_role(std::string_view role);
bool is_system(std::string_view role);
/// The tool call that a message of role `tool` is the result of; empty: it names none.
std::string_view tool_of(json::element message);

/// kNoTime: it has none that is a time.
Time time_of(json::element from);
/// What a message used up. Inputs that are counted with what came from a cache lose that.
Tokens tokens_of(json::element message);
/// In billionths of a dollar; kNoCount: not told.
int64_t cost_of(json::element message);

/// What a message says and which tools it asks for; not what tools gave.
void read_said(json::element message, Draft& draft);
/// An object or a list without anything in it, an empty text, null.
bool says_nothing(json::element content);
/// Of a tool's result, or of a message that is one; `took` as its `execution_time` says.
Block result_of(json::element result);
/// Where the results stand that a message holds; the message itself, where that is not found.
Extent place_of_results(const Part& message);
/// A message, or a list of results.
void say_part(json::element part, Draft& said);
bool record_is_dated(json::element record);

}  // namespace xtrace::conversation_parts
