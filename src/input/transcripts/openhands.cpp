#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/one_of.h"
#include "facts/made_id.h"
#include "input/calls/answer.h"
#include "input/calls/message_draft.h"
#include "input/common/json_path.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/openhands_events.h"
#include "input/transcripts/part.h"
#include "input/transcripts/record_shape.h"
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
// Some lists have pairs, [action, what it gave], in place of events. In 2024 what is in `args` and
// `extras` stood beside the rest, and nobody's name did: what an action gave is what is told right
// behind it. Several actions may be of one answer, which each of them and what they gave repeat. An
// action without such metadata is named by its number, which what it gave has as its cause.
// Numbered words without a cause are the program's: of an answer that asked for nothing it knows,
// mostly.
//
// A line also has {"metrics": {"accumulated_cost", …}, "error"} of the whole run; an event may have
// as `llm_metrics` what was used up so far.

namespace {

constexpr json::Path kCall = "tool_call_metadata/tool_call_id";

/// Actions by which the program does something for itself.
bool is_of_program(std::string_view action) {
  return is_one_of(action, {"change_agent_state", "recall", "system", "null"});
}

/// What its call is named by, or its number; empty: neither is told.
std::string_view call_of(json::element event, json::Path number, Draft& draft) {
  json::element value;
  if (json::follow(event, kCall, value) && !json::text(value).empty()) return json::text(value);
  const std::string nth = json::text_on(event, number);
  return nth.empty() ? std::string_view{} : draft.keep("action-" + nth);
}

bool is_numbered(json::element event) {
  json::element number;
  return json::find(event, "id", number) && json::is_number(number);
}

bool uses_tool(json::element event) {
  const std::string_view action = json::text_at(event, "action");
  return !action.empty() && action != "message" && !is_of_program(action) &&
         json::text_at(event, "source") != "user";
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
  use.id = call_of(event, "id", draft);
  use.has_body = json::follow(event, "args|.", use.body);
}

/// Its file tools report a failure in words only. An exit code of -1 is that of a command that
/// still runs.
bool has_exit_code(json::element event) {
  return json::count_on(event, "extras/metadata/exit_code|extras/exit_code|exit_code", 0) > 0;
}
constexpr Failure kOpenHandsFailure = {
    .word = "observation",
    .words = "error|user_rejected",
    .text = "content",
    .begins =
        "ERROR:\n|[Your proposed edit has introduced new syntax error(s)|"
        "[No exact match found in ",
    .stated = has_exit_code};

void read_openhands_said(json::element event, Draft& draft) {
  if (const std::string_view action = json::text_at(event, "action"); !action.empty())
    return read_action(event, action, draft);
  const std::string_view call = call_of(event, "cause", draft);
  if (call.empty() && is_numbered(event)) {
    draft.role = Message::Role::other;
    return add_text(json::text_at(event, "content"), draft);
  }
  draft.role = Message::Role::user;
  Block& told = add_block(Block::Kind::tool_result, event, "content", draft);
  told.is_error = kOpenHandsFailure.is_in(event);
  told.id = call;
}

class Event {
 public:
  /// `order`: names a tool's use and what it gave where the record does not.
  /// `begins`: a run, which is what the user does.
  Event(const Part& part, std::string_view order, bool begins, RecordContext& context)
      : part_(part), order_(order), begins_(begins), context_(context), shard_(context.shard) {
    said_.source = part.at;
  }

  void read(json::element event) {
    read_time_on(event, "timestamp", said_);
    const std::string_view action = json::text_at(event, "action");
    if (action == "condensation") return add(Utterance::Kind::compacted, event);
    const bool is_action = !action.empty();
    const bool is_noise = is_action ? is_of_program(action) : is_of_program_observation(event);
    if (is_noise) return shard_.add(said_);
    const std::string_view source = json::text_at(event, "source");
    begins_ &= source.empty() && action == "message";
    if (!is_action || source == "user" || begins_) return add(Utterance::Kind::asked, event);
    read_answer(event);
  }

 private:
  static bool is_of_program_observation(json::element event) {
    return is_one_of(json::text_at(event, "observation"),
                     {"agent_state_changed", "recall", "null"});
  }

  void add(Utterance::Kind kind, json::element event) {
    said_.kind = kind;
    if (kind == Utterance::Kind::compacted) return shard_.add(said_);
    Draft& draft = cleared(context_.draft);
    read_openhands_said(event, draft);
    if (begins_) draft.role = Message::Role::user;
    if (draft.blocks.empty()) return shard_.add(said_);
    name_by_order(draft);
    add_utterance(said_, draft, context_);
  }

  /// A name that is its file's alone makes no message the same as one of another file.
  void name_by_order(Draft& draft) {
    Block& last = draft.blocks.back();
    const bool is_result = last.kind == Block::Kind::tool_result;
    if (last.kind != Block::Kind::tool_use && !is_result) return;
    if (last.id.empty()) last.id = order_;
    if (is_result && last.id.empty()) {  // of nothing: the program says it
      last.kind = Block::Kind::text;
      draft.role = Message::Role::other;
    }
    const bool is_ours = last.id.starts_with("action-") || last.id == order_;
    if (is_ours && !last.id.empty()) draft.ids_of = hash_of(part_.text);
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
    if (!said_.answer) said_.form = Utterance::Form::whole;
    add(Utterance::Kind::answered, event);
  }

  const Part& part_;
  std::string_view order_;
  bool begins_;
  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
};

/// The events of a line, in which those without a number go with the one right before.
void read_history(json::element record, const Part& whole, RecordContext& context) {
  std::vector<std::pair<json::element, Part>> events;
  each_item(record, whole, "history", [&](json::element event, const Part& part) {
    if (json::is_object(event)) return static_cast<void>(events.emplace_back(event, part));
    const std::vector<Part> pair = part.items();
    size_t nth = 0;
    json::items(event, [&](json::element one) {
      const Part& place = nth < pair.size() ? pair[nth] : part;
      if (++nth; json::is_object(one)) events.emplace_back(one, place);
    });
  });
  const auto gives = [](json::element event) {
    return !json::text_at(event, "observation").empty() && !is_numbered(event);
  };
  const uint64_t document = hash_of(whole.text);
  for (size_t i = 0; i < events.size(); ++i) {
    const json::element event = events[i].first;
    const bool is_result = i > 0 && gives(event) && uses_tool(events[i - 1].first);
    const bool is_use = i + 1 < events.size() && uses_tool(event) && gives(events[i + 1].first);
    std::string order;
    if (is_result || is_use)
      order = fmt::format("{}{:016x}-{}", kByOrder, document, is_result ? i : i + 1);
    Event(events[i].second, order, i == 0, context).read(event);
  }
}

/// What the run used up so far, or in all: `metrics` at `place`.
void read_metrics(json::element metrics, const Part& place, const Utterance& common, Shard& shard) {
  std::vector<Utterance> totals;
  read_openhands_metrics("agent", metrics, place, common, totals, shard);
  for (const Utterance& total : totals) shard.add(total);
}

/// How the whole run ended.
void read_run(const RecordMatcher& record, const Part& whole, StringId session, Shard& shard) {
  json::element value;
  Utterance common;
  common.source = whole.at;
  common.session = session;
  if (json::find(record, "metrics", value))
    read_metrics(value, whole.field("metrics"), common, shard);
  if (json::find(record, "error", value) && !json::text(value).empty())
    shard.complain(Complaint::Kind::field, whole.at,
                   "the run ended with an error that belongs to no recorded call");
}

void read_spent_so_far(json::element event, const Part& whole, Shard& shard) {
  json::element metrics;
  Utterance common;
  common.source = whole.at;
  read_time_on(event, "timestamp", common);
  if (json::find(event, "llm_metrics", metrics))
    read_metrics(metrics, whole.field("llm_metrics"), common, shard);
}

void read_numbered_event(const RecordMatcher& record, const Part& whole, Utterance&,
                         RecordContext& context) {
  Event(whole, {}, false, context).read(record);
  read_spent_so_far(record, whole, context.shard);
}

void read_openhands_trajectory(const RecordMatcher& record, const Part& whole, Utterance&,
                               RecordContext& context) {
  Utterance heading;
  heading.kind = Utterance::Kind::heading;
  heading.source = whole.at;
  heading.session = context.shard.intern(json::text_on(record, "instance_id|issue/number|id"));
  if (heading.session) context.shard.add(heading);
  read_history(record, whole, context);
  read_run(record, whole, heading.session, context.shard);
}

constexpr RecordShape kOpenHandsRecords[] = {
    {.when = "action:text args", .read = read_numbered_event, .say = read_openhands_said},
    {.when = "observation:text content extras",
     .read = read_numbered_event,
     .say = read_openhands_said},
    {.when = "kind=Condensation|CondensationSummaryEvent timestamp id:text "
             "source=agent|user|environment|hook",
     .adds = Utterance::Kind::compacted,
     .time = "timestamp",
     .say = say_openhands_event},
    {.when = "kind=*Event|CondensationRequest|UserRejectObservation timestamp id:text "
             "source=agent|user|environment|hook",
     .time = "timestamp",
     .read = read_openhands_event,
     .say = say_openhands_event},
    {.when = "stats/usage_to_metrics:object",
     .time = "timestamp",
     .read = read_openhands_state,
     .say = say_openhands_event},
    {.when = "history/0/action|history/0/observation|history/0/0/action",
     .read = read_openhands_trajectory},
    // An instance that failed before anything happened.
    {.when = "history:known metrics:known !history/0 instance_id:text test_result|git_patch",
     .read = read_openhands_trajectory},
};

}  // namespace

extern constinit const Format kOpenHands = format_of_shapes<kOpenHandsRecords>(
    "openhands", "conversations of OpenHands: events, base_state.json, trajectories, output.jsonl",
    "base_state");

}  // namespace xtrace
