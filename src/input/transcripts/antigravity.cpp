#include <set>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "input/calls/message_draft.h"
#include "input/common/record_context.h"
#include "input/transcripts/agent_pass.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/repeats.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The transcripts of Google's Antigravity and of its CLI, a line for each step of a conversation:
//
//   {"step_index", "source": "USER_EXPLICIT"|"MODEL"|"SYSTEM", "type", "status": "DONE"|"RUNNING"|
//    "ERROR", "created_at", "content", "thinking", "tool_calls": [{"name", "args"}],
//    "input_tokens": what the model was sent, in newer versions}
//
// A step of the type PLANNER_RESPONSE is an answer; other steps of the model are what its tools
// gave, in the order in which it asked for them, as no tool use has an id. The model is only named
// when the user selects it. The conversation is called as the folder, `brain/ID`, and so are those
// of subagents, which the result of INVOKE_SUBAGENT names.

namespace {

// Keys identify what a step is, and each of its tool uses.
constexpr PieceShape kAntigravityPieces[] = {
    {.type = "args", .says = PieceShape::Says::tool_use, .name = "name", .arguments = "args"},
    {.type = "content",
     .says = PieceShape::Says::text,
     .text = "content",
     .within = "USER_REQUEST"},
    {.says = PieceShape::Says::nothing},
};
constexpr PieceShape kAntigravityResult[] = {
    {.type = "status", .says = PieceShape::Says::tool_result, .output = "content"},
};

constexpr MessageShape antigravity_step(Message::Role role, std::span<const PieceShape> pieces) {
  return {.time = "created_at",
          .role = "",
          .spoken_by = role,
          .content = ".",
          .calls = "tool_calls",
          .type = "",
          .pieces = pieces,
          .usage = ".",
          .counts = {.input = "input_tokens", .output = "output_tokens"}};
}
constexpr MessageShape kAntigravityPrompt =
    antigravity_step(Message::Role::user, kAntigravityPieces);
constexpr MessageShape kAntigravityAnswer =
    antigravity_step(Message::Role::assistant, kAntigravityPieces);
constexpr MessageShape kAntigravityGave = antigravity_step(Message::Role::user, kAntigravityResult);

/// Finds the text between `begin` and the next `end`; empty: there is none.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const size_t at = text.find(begin);
  if (at == text.npos) return {};
  text.remove_prefix(at + begin.size());
  return text.substr(0, text.find(end));
}

/// The user selects another model.
void read_selection(const RecordMatcher& step, const Part& whole, Utterance&,
                    RecordContext& context) {
  const std::string_view change =
      between(json::text_at(step, "content"), "`Model Selection` from ", "\n");
  std::string_view model = between(change, " to ", ". ");
  if (model.ends_with('.')) model.remove_suffix(1);
  if (model.empty()) return;
  Utterance heading;
  heading.kind = Utterance::Kind::heading;
  heading.source = whole.at;
  heading.model = context.shard.intern(model);
  context.shard.add(heading);
}

void read_subagents(const RecordMatcher& step, const Part&, Utterance& said,
                    RecordContext& context) {
  constexpr std::string_view kKey = "\"conversationId\"";
  std::string_view text = json::text_at(step, "content");
  for (size_t at = text.find(kKey); at != text.npos; at = text.find(kKey)) {
    text.remove_prefix(at + kKey.size());
    const StringId agent = context.shard.intern(between(text, "\"", "\""));
    if (agent) context.shard.add(relation_of(said, AgentRelation::Kind::started, agent));
  }
}

constexpr RecordShape kAntigravityRecords[] = {
    {.when = "step_index:number created_at:text type=USER_INPUT source status",
     .message = &kAntigravityPrompt,
     .read = read_selection},
    {.when = "step_index:number created_at:text type=PLANNER_RESPONSE source=MODEL status",
     .message = &kAntigravityAnswer},
    {.when = "step_index:number created_at:text type=INVOKE_SUBAGENT source=MODEL status",
     .message = &kAntigravityGave,
     .read = read_subagents},
    {.when = "step_index:number created_at:text type=ERROR_MESSAGE source status",
     .adds = Utterance::Kind::failed,
     .time = "created_at",
     .error_is = "error",
     .is_owed = true},
    {.when = "step_index:number created_at:text type=CHECKPOINT source status",
     .adds = Utterance::Kind::compacted,
     .time = "created_at"},
    {.when = "step_index:number created_at:text type source=MODEL status",
     .message = &kAntigravityGave},
    {.when = "step_index:number created_at:text type source status"},
    {.when = "conversationId:text workspace:text display timestamp",
     .session = {.id = "conversationId", .project = "workspace"}},
};

/// Drops files next to which the same conversation is in full, under another name.
void drop_shortened(RawTrace& trace) {
  constexpr std::string_view kShort = "transcript.jsonl", kFull = "transcript_full.jsonl";
  std::set<std::string_view> in_full;  // folders
  for (const Source& source : trace.sources)
    if (std::string_view path = source.path; cut_last(path) == kFull) in_full.insert(path);
  if (in_full.empty()) return;
  std::vector<bool> is_short;
  for (const Source& source : trace.sources) {
    std::string_view path = source.path;
    is_short.push_back(cut_last(path) == kShort && in_full.contains(path));
  }
  CopyDropper dropper(trace);
  for (Utterance& said : trace.utterances)
    if (is_short[said.source.file]) dropper.drop(said);
  dropper.drop_relations();
}

}  // namespace

extern constinit const AgentPass kAntigravityShort = {AgentPass::When::before_owners,
                                                      drop_shortened};

extern constinit const Format kAntigravity = format_of_shapes<kAntigravityRecords>(
    "antigravity", "transcripts of Google's Antigravity and its CLI", "transcript|transcript_full");

}  // namespace xtrace
