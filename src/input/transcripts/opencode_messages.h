#pragma once

#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

// The messages of OpenCode 2, each of which is an object of its own:
//
//   {"id": "msg_…", "type": "user", "text", "time": {"created"}}
//   {"type": "assistant", "agent", "model": {"id", "providerID"}, "finish", "error", "cost",
//    "tokens", "time": {"created", "streamed", "completed"},
//    "content": [{"type": "text"|"reasoning"|"tool", "id", "name",
//                 "state": {"status", "input", "content", "error", "metadata"}, "time"}]}
//   {"type": "compaction", "status", "summary", "model", "tokens", "cost"}
//
// and further types that no model says. A message of the assistant is one call.

bool is_opencode_message(json::element message);
/// `common`: what is known of its session, which is named `session`.
void read_opencode_message(json::element message, const Part& part, const Utterance& common,
                           std::string_view session, RecordContext& context);

/// False: it is no part of such a message.
bool say_opencode_message(json::element part, Draft& said);

}  // namespace xtrace
