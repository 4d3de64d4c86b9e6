#include "input/spans/agent_events.h"

#include <optional>
#include <string>

#include "base/hash.h"
#include "base/hex.h"
#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/spans/plain_value.h"
#include "input/spans/span_step.h"
#include "input/spans/span_tags.h"
#include "input/spans/task_step_draft.h"

namespace xtrace {

// What state machines around agents tell of themselves: that a model was switched, a fix applied, a
// task tried again. An event a record; what it is about is beside its name or below `payload`:
//
//   {"type": "ModelSwitched", "timestamp", "taskId", "oldModel", "newModel", "reason",
//    "triggeredBy": the span, request or event that led to it, "id", "agent"}
//   {"event": "CodeFixApplied", "timestamp", "payload": {"taskId", "diffSummary", "spanId"}}
//   {"eventType": "code_fix_applied", "timestamp", "taskID"}

namespace {

constexpr bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_small_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// A name of an event in one spelling, a `_` between its words: `model_switched` for
/// `ModelSwitched`, `MODEL_SWITCHED`, `model-switched` and `Model Switched`. Empty: it is no name.
std::string fold_name(std::string_view name) {
  constexpr size_t kLongest = 80;
  std::string folded;
  if (name.size() > kLongest) return folded;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i], before = i > 0 ? name[i - 1] : ' ';
    const char next = i + 1 < name.size() ? name[i + 1] : ' ';
    // `taskId` and `HTTPError` have a word at each place where capitals begin, or end.
    const bool begins_word = is_capital(c) && (is_small_or_digit(before) ||
                                               (is_capital(before) && is_small_or_digit(next)));
    const bool is_between = std::string_view(" _-.:/").find(c) != std::string_view::npos;
    if (!is_between && !is_capital(c) && !is_small_or_digit(c)) return {};
    if ((begins_word || is_between) && !folded.empty() && folded.back() != '_') folded += '_';
    if (!is_between) folded += is_capital(c) ? static_cast<char>(c | 0x20) : c;
  }
  if (folded.ends_with('_')) folded.pop_back();
  return folded;
}

/// A key that names an event, and which names are believed there.
enum class NameKey : uint8_t {
  none,
  of_anything,  ///< `type`: as programs name events, and nothing else
  of_messages,  ///< `event`: libraries that log put a sentence there
  of_events,    ///< `eventType`: any
};

NameKey name_key(std::string_view key) {
  if (is_key(key, "eventtype") || is_key(key, "eventname")) return NameKey::of_events;
  if (is_key(key, "event")) return NameKey::of_messages;
  return is_key(key, "type") ? NameKey::of_anything : NameKey::none;
}

/// Is it the name of an event that says by itself that it is one?
bool is_word_there(std::string_view key, json::element value) {
  return name_key(key) != NameKey::none && is_event_word(json::text(value));
}

/// Is it one by its key, in whatever spelling its name comes?
bool is_name_there(std::string_view key, json::element value) {
  const NameKey place = name_key(key);
  if (place < NameKey::of_messages) return false;
  const std::string_view name = json::text(value);
  const std::string folded = fold_name(name);
  if (place == NameKey::of_events) return !folded.empty();
  return folded.find('_') != folded.npos && name.find(' ') == name.npos;
}

bool holds_fields(std::string_view key) {
  return is_key(key, "payload") || is_key(key, "data") || is_key(key, "metadata") ||
         is_key(key, "attributes");
}
bool is_time(std::string_view key) {
  return is_key(key, "timestamp") || is_key(key, "time") || is_key(key, "ts") ||
         is_key(key, "occurredat");
}
bool is_trigger(std::string_view key) {
  return is_key(key, "triggeredby") || is_key(key, "triggerid") || is_key(key, "causationid") ||
         is_key(key, "causedby") || is_key(key, "nodeid") || is_key(key, "parenteventid");
}

/// An event while its record is read.
struct EventDraft {
  TaskStepDraft said;
  Span span;
  std::string id;
  std::string_view word, agent;
  bool is_word = false;         ///< one that names an event by itself
  std::string trigger, around;  ///< what it says led to it; else the span or request it is in
};

void read_field(std::string_view key, json::element value, Shard& shard, EventDraft& draft) {
  TaskStep& task_step = draft.said.task_step;
  if (name_key(key) != NameKey::none) {
    // What names an event by itself is better than what does by its key alone.
    if (is_word_there(key, value) && !draft.is_word)
      draft.word = json::text(value), draft.is_word = true;
    if (is_name_there(key, value) && draft.word.empty()) draft.word = json::text(value);
  } else if (is_key(key, "taskid")) {
    task_step.task = shard.intern(name_of(value));
  } else if (is_trigger(key)) {
    draft.trigger = name_of(value);
  } else if (is_key(key, "spanid") || is_key(key, "requestid")) {
    if (draft.around.empty() || is_key(key, "spanid")) draft.around = name_of(value);
  } else if (is_key(key, "traceid")) {
    draft.span.trace = intern_span_id(name_of(value), shard);
  } else if (key == "id" || is_key(key, "eventid")) {
    draft.id = name_of(value);
  } else if (key == "agent" || key == "source" || key == "component") {
    draft.agent = json::text(value);
  } else if (key == "status") {
    task_step.status = shard.intern(json::text(value));
  } else if (is_time(key)) {
    if (std::optional<Moment> moment = read_moment(value)) draft.span.start = moment->time;
  } else if (holds_fields(key) && json::is_object(value)) {
    json::fields(value, [&](std::string_view inner, json::element of) {
      if (!holds_fields(inner)) read_field(inner, of, shard, draft);
    });
  } else {
    draft.said.read_remark(key, value, shard);
  }
}

}  // namespace

bool is_event_word(std::string_view word) {
  constexpr size_t kLongest = 80;
  if (word.empty() || word.size() > kLongest || word[0] < 'A' || word[0] > 'Z') return false;
  size_t capitals = 0, small = 0;
  for (char c : word) {
    capitals += c >= 'A' && c <= 'Z';
    small += c >= 'a' && c <= 'z';
    if (!(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) return false;
  }
  return capitals >= 2 && small >= capitals;
}

TaskStep::Type type_of_event(std::string_view word) {
  const std::string folded = fold_name(word) + '_';
  if (folded.starts_with("model_switch")) return TaskStep::Type::model_switch;
  if (folded.starts_with("user_")) return TaskStep::Type::user_query;
  return TaskStep::Type::reflexion_action;
}

namespace {

bool fits_agent_event(json::element record) {
  bool has_word = false, has_name = false, has_time = false, has_task = false, is_about = false;
  auto look = [&](std::string_view key, json::element value) {
    has_task |= is_key(key, "taskid");
    is_about |= is_trigger(key) || is_key(key, "spanid") || is_key(key, "requestid");
    has_word |= is_word_there(key, value);
    has_name |= is_name_there(key, value);
    has_time |= is_time(key);
  };
  json::fields(record, [&](std::string_view key, json::element value) {
    look(key, value);
    if (holds_fields(key)) json::fields(value, look);
  });
  return has_time && ((has_word && (has_task || is_about)) || (has_name && has_task));
}

void read_agent_event(json::element record, std::string_view, const Extent& at,
                      RecordContext& context) {
  Shard& shard = context.shard;
  EventDraft draft;
  json::fields(record, [&](std::string_view key, json::element value) {
    read_field(key, value, shard, draft);
  });
  Span& span = draft.span;
  TaskStep& task_step = draft.said.task_step;
  span.source = at;
  span.kind = SpanKind::internal;
  span.operation = shard.intern(draft.word);
  span.service = shard.intern(draft.agent);
  span.outcome = Outcome::ok;
  if (draft.id.empty()) draft.id = "event-" + hex(context.digest).substr(0, 12);
  span.id = shard.intern(draft.id);
  if (!span.trace) span.trace = task_step.task;
  if (span.start == kNoTime)
    shard.complain(Complaint::Kind::field, at, "an event without a usable timestamp");
  task_step.type = type_of_event(draft.word);
  task_step.is_event = true;
  task_step.component = span.service;
  task_step.trigger = shard.intern(draft.trigger.empty() ? draft.around : draft.trigger);
  span.task_step = draft.said.add(shard);
  shard.add(span, {});
}

}  // namespace

extern constinit const Format kAgentEvents = {
    .name = "agent-events",
    .summary =
        "events of agents: ModelSwitched, CodeFixApplied, TaskRetryInitiated, each with its task",
    .fits = fits_agent_event,
    .needs =
        "timestamp|time|ts|occurredAt|payload|data|metadata|attributes "
        "type|event|eventType|eventName|payload|data|metadata|attributes",
    .read = read_agent_event,
    .step = read_span_step,
};

void add_event(std::string_view word, const SpanTags& tags, const EventPlace& place, Shard& shard) {
  TaskStepDraft said;
  said.read(tags, word, shard);
  TaskStep& task_step = said.task_step;
  task_step.type = type_of_event(word);
  task_step.is_event = true;
  task_step.is_adapter = false;
  if (!task_step.trigger) task_step.trigger = place.span ? place.span : task_step.request;
  task_step.request = {};
  Span span;
  span.source = place.at;
  span.start = place.time;
  span.kind = SpanKind::internal;
  span.outcome = Outcome::ok;
  span.operation = shard.intern(word);
  span.service = shard.intern(tags.text(Tag::service));
  span.trace = place.trace ? place.trace : task_step.task;
  uint64_t time = static_cast<uint64_t>(place.time.time_since_epoch().count());
  uint64_t name = chain(hash_of(word), chain(time, hash_of(shard[place.span])));
  span.id = shard.intern("event-" + hex(name).substr(0, 12));
  span.task_step = said.add(shard);
  SpanParent around{place.span, place.trace, false};
  shard.add(span, std::span(&around, place.span ? 1 : 0));
}

}  // namespace xtrace
