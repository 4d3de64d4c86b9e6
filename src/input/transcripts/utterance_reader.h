#pragma once

#include "facts/asks_leave.h"
#include "input/calls/message_draft.h"
#include "input/common/agent_relation.h"
#include "input/common/json_path.h"
#include "input/common/utterance.h"

namespace xtrace {

struct RecordContext;
class Shard;

/// When it was said; anything but a moment changes nothing.
void read_time(json::element value, Utterance& said);
void read_time_on(json::element from, json::Path path, Utterance& said);

/// What the formats of transcripts call the parts of a tool use.
struct ToolUseKeys {
  std::string_view id, name, arguments;
};
void read_tool_use(json::element use, const ToolUseKeys& keys, Draft& draft);
/// A block whose body, and text, is what is at this path.
Block& add_block(Block::Kind kind, json::element from, json::Path body, Draft& draft);
/// A text block, if there is a text.
void add_text(std::string_view text, Draft& draft);

/// Notes before what the client asks the person for leave from then on.
void note_leave(const Utterance& said, AsksLeave asks, Shard& shard);

/// A relation that a record states, in the place, time and session of `common`.
AgentRelation relation_of(const Utterance& common, AgentRelation::Kind kind, StringId agent = {});

/// A statement of usage on these terms, in the place, time and names of `common`.
Utterance usage_of(const Utterance& common, const UsageTerms& terms);
/// Does it count anything?
inline bool states_usage(const Utterance& said) {
  return said.tokens != Tokens{} || said.cost > 0 || said.usage.calls > 0;
}

/// Adds the utterance, and that it says what the draft does.
void add_utterance(Utterance& said, const Draft& draft, RecordContext& context);
/// The same of what `read` finds in `value`. Where it finds nothing, nobody was asked anything; an
/// answer is one all the same.
void add_utterance(Utterance& said, json::element value, void (*read)(json::element, Draft&),
                   RecordContext& context);

}  // namespace xtrace
