#include "base/one_of.h"
#include "input/calls/answer.h"
#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/json_path.h"
#include "input/common/record_context.h"
#include "input/transcripts/openhands_events.h"
#include "input/transcripts/part.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// What OpenHands keeps of a run until its version 1: a list of events, a file for each event, or a
// line that has the list as its `history`:
//
//   {"id", "timestamp", "source": "agent"|"user"|"environment", "message",
//    "action": "run"|"edit"|"message"|…, "args": {…, "thought", "content"}, or
//    "observation": "run"|"error"|…, "content", "extras": {"metadata": {"exit_code"}}, "cause": id,
//    "tool_call_metadata": {"function_name", "tool_call_id", "model_response": {"id", "model",
//                           "usage"}}}
//
// In 2024 what stands in `args` and `extras` stood beside the rest, and nobody's name did.
// Several actions may be of one answer, which each of them and what they gave repeat. An action
// without such metadata is named by its number, which what it gave has as its cause.

namespace {

constexpr json::Path kCall = "tool_call_metadata/tool_call_id";

/// Actions by which the program does something for itself.
bool is_of_program(std::string_view action) {
  return is_one_of(action, {"change_agent_state", "recall", "system", "null"});
}

void read_action(json::element event, std::string_view action, Draft& draft) {
  const bool is_agent = json::text_at(event, "source") != "user";
  draft.role = is_agent ? Message::Role::assistant : Message::Role::user;
  json::element value;
  if (json::follow(event, "args/thought|thought", value)) add_text(json::text(value), draft);
  if (action == "message" || !is_agent) {
    if (json::follow(event, "args/content|content", value)) add_text(json::text(value), draft);
    return;
  }
  Block& use = draft.blocks.emplace_back();
  use.kind = Block::Kind::tool_use;
  use.name = action;
  if (json::follow(event, "tool_call_metadata/function_name", value)) use.name = json::text(value);
  if (json::follow(event, kCall, value)) use.id = json::text(value);
  use.has_body = json::follow(event, "args|.", use.body);
}

bool openhands_tool_failed(json::element event) {
  return json::text_at(event, "observation") == "error" ||
         json::count_on(event, "extras/metadata/exit_code|extras/exit_code|exit_code", 0) > 0;
}

void read_openhands_said(json::element event, Draft& draft) {
  if (const std::string_view action = json::text_at(event, "action"); !action.empty())
    return read_action(event, action, draft);
  draft.role = Message::Role::user;
  Block& told = draft.blocks.emplace_back();
  told.kind = Block::Kind::tool_result;
  told.is_error = openhands_tool_failed(event);
  json::element value;
  if (json::follow(event, kCall, value)) told.id = json::text(value);
  told.has_body = json::find(event, "content", told.body);
  if (told.has_body) told.text = json::text(told.body);
}

class Event {
 public:
  Event(const Extent& at, RecordContext& context) : context_(context), shard_(context.shard) {
    said_.source = at;
  }

  void read(json::element event) {
    json::element time;
    if (json::find(event, "timestamp", time)) read_time(time, said_);
    const std::string_view action = json::text_at(event, "action");
    if (action == "condensation") return add(Utterance::Kind::compacted, event);
    const bool is_action = !action.empty();
    const bool is_noise = is_action ? is_of_program(action) : is_of_program_observation(event);
    if (is_noise) return shard_.add(said_);
    if (!is_action || json::text_at(event, "source") == "user")
      return add(Utterance::Kind::asked, event);
    read_answer(event);
  }

 private:
  static bool is_of_program_observation(json::element event) {
    return is_one_of(json::text_at(event, "observation"),
                     {"agent_state_changed", "recall", "null", "user_rejected"});
  }

  void add(Utterance::Kind kind, json::element event) {
    said_.kind = kind;
    if (kind == Utterance::Kind::compacted) return shard_.add(said_);
    Draft& draft = cleared(context_.draft);
    read_openhands_said(event, draft);
    if (draft.blocks.empty()) return shard_.add(said_);
    add_utterance(said_, draft, context_);
  }

  void read_answer(json::element event) {
    json::element value;
    const json::Path response = "tool_call_metadata/model_response";
    said_.outcome = Outcome::ok;
    if (json::follow(event, response, value)) {
      said_.answer = shard_.intern(json::text_at(value, "id"));
      said_.model = shard_.intern(json::text_at(value, "model"));
      said_.stop_reason = shard_.intern(json::text_on(value, "choices/0/finish_reason"));
      json::element usage;
      if (json::find(value, "usage", usage)) read_openai_usage(usage, said_.tokens);
    }
    said_.is_whole = !said_.answer;
    add(Utterance::Kind::answered, event);
  }

  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
};

bool is_openhands_event(json::element record) {
  json::element args, content, extras;
  if (!json::text_at(record, "action").empty()) return json::find(record, "args", args);
  return !json::text_at(record, "observation").empty() && json::find(record, "content", content) &&
         json::find(record, "extras", extras);
}

bool has_history(json::element record) {
  return !json::text_on(record, "history/0/action|history/0/observation").empty();
}

bool fits_openhands(json::element record) {
  return is_openhands_event(record) || has_history(record) || fits_openhands_events(record);
}

void read_openhands(json::element record, std::string_view text, const Extent& at,
                    RecordContext& context) {
  context.shard.count_record();
  if (fits_openhands_events(record)) return read_openhands_events(record, text, at, context);
  if (is_openhands_event(record)) return Event(at, context).read(record);
  Utterance heading;
  heading.kind = Utterance::Kind::heading;
  heading.source = at;
  heading.session = context.shard.intern(json::text_on(record, "instance_id|issue/number|id"));
  if (heading.session) context.shard.add(heading);
  each_item(record, {text, at}, "history", [&](json::element event, const Part& part) {
    if (json::is_object(event)) Event(part.at, context).read(event);
  });
}

void say_openhands(json::element event, Draft& said) {
  if (fits_openhands_events(event)) return say_openhands_event(event, said);
  read_openhands_said(event, said);
}

}  // namespace

extern constinit const Format kOpenHands = {
    .name = "openhands",
    .summary = "conversations of OpenHands: events, base_state.json, trajectories, output.jsonl",
    .fits = fits_openhands,
    .needs = "action|observation|history|kind|stats",
    .read = read_openhands,
    .say = say_openhands,
};

}  // namespace xtrace
