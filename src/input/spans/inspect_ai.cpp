#include <fmt/format.h>

#include <map>

#include "base/one_of.h"
#include "input/common/ending.h"
#include "input/common/format.h"
#include "input/common/moments.h"
#include "input/spans/span_shape.h"

namespace xtrace {

// Logs of inspect_ai, a document each, and single samples of them:
//
//   {"version", "status", "eval": {"run_id", "task", …}, "samples": [{"id", "epoch", "uuid",
//    "events": [{"event", "timestamp", "span_id", …}]}]}
//
//   span_begin  {"id", "parent_id", "type", "name"}, span_end {"id"}
//   model       {"model", "output": {"usage"}, "error", "retries": how often it was tried again,
//                "cache": "read" where the answer was kept from an earlier one, "completed"}
//   tool        {"id": the id of the call, "function", "error": {"message"}, "failed": with an
//                error that ended the sample, "completed"}
//   subtask     {"name"}
//   compaction  {"tokens_before", "tokens_after"}: what is asked next goes on with less, and no
//                span tells that
//   error, sample_limit  {"error": {"message"}}, {"type": "token"|…}: ended the sample, in the span
//                it names
//
// In logs before May 2025 tools and subtasks hold the events that belong to them, in `events`.
// An `.eval` archive comes as such documents, with a sample each (bytes/eval_log.h). Logs of 2024
// have the events in a `transcript`. A sample is a run by itself. Counts of tokens include the
// cache or do not, as their total tells; sums over samples stand elsewhere and are not read.
// Of each attempt at a sample that failed before the last one (`error_retries`) newer logs have the
// events from the last model call on, in `events`; the spans around these are not on record.

namespace {

constexpr OperationShape kInspectAiOperations[] = {{"model", "chat"}, {"tool", "execute_tool"}};

constexpr TagShape kInspectAiTags[] = {
    {"chat", "output/model|model", "gen_ai.request.model"},
    {"chat", "retries", "xtrace.retries"},
    {"execute_tool", "function", "gen_ai.tool.name"},
    {"execute_tool", "id", "gen_ai.tool.call.id"},
};

constexpr json::Path kInspectAiUsages[] = {"output/usage"};

constexpr TagShape kKeptAnswerTags[] = {
    {"chat", "output/model|model", "gen_ai.request.model"},
};

/// An error that the model was told, or one that the tool itself gave.
bool event_failed(json::element event) {
  Ending ending;
  json::fields(event,
               [&](std::string_view key, json::element value) { read_ending(key, value, ending); });
  return ending.failed();
}

constexpr SpanShape kEvent = {
    .id = "uuid",
    .parent = "span_id",
    .name = "function|model",
    .began = "timestamp",
    .ended = "completed",
    .kind = "event",
    .operations = kInspectAiOperations,
    .tags = kInspectAiTags,
    .usages = kInspectAiUsages,
    .emitter = "inspect_ai",
    .failure = "error/message|error",
    .result = "result|output/choices/0|output/completion",
};

bool is_call(json::element event) {
  return is_one_of(json::text_at(event, "event"), {"model", "tool"});
}

constexpr OperationShape kInspectAiAgents[] = {{"agent", "invoke_agent"}};
constexpr TagShape kAgentTags[] = {{"invoke_agent", "name", "gen_ai.agent.name"}};

constexpr SpanShape kInspectAiSpan = {
    .id = "id",
    .parent = "parent_id",
    .name = "name",
    .began = "timestamp",
    .kind = "type",
    .operations = kInspectAiAgents,
    .tags = kAgentTags,
};

/// A sample that failed before anything happened.
bool has_failed_before(json::element sample) {
  json::element event, error, events;
  return json::follow(sample, "error/message", error) && json::find(sample, "events", events) &&
         !json::follow(events, "0", event);
}

bool is_sample(json::element record) {
  json::element epoch, event;
  if (!json::find(record, "epoch", epoch)) return false;
  return json::follow(record, "events/0/event|transcript/events/0/event", event) ||
         has_failed_before(record);
}

bool fits_inspect_ai(json::element record) {
  json::element found;
  return is_sample(record) || (json::follow(record, "eval/run_id|eval/task", found) &&
                               json::find(record, "status", found));
}

constexpr SpanShape kLostEvent = [] {
  SpanShape shape = kEvent;
  shape.parent = {};
  return shape;
}();

/// What an answer that was kept from an earlier one would have used up nobody was billed for.
constexpr SpanShape kept(SpanShape shape) {
  shape.tags = kKeptAnswerTags;
  shape.usages = {};
  return shape;
}
constexpr SpanShape kKeptEvent = kept(kEvent), kKeptLostEvent = kept(kLostEvent);

/// Why a sample ended in an event, in words that tell the kind of error; empty: it did not.
std::string end_told_by(json::element event) {
  const std::string_view kind = json::text_at(event, "event");
  if (kind == "sample_limit") return json::text_on(event, "type") + "_limit";
  if (kind != "error") return {};
  const std::string message = json::text_on(event, "error/message");
  return message.empty() ? "error" : message;
}

/// Reads lists of events, with those that are in them.
class Events {
 public:
  Events(bool are_lost, const std::string& name, RecordContext& context)
      : spans_(kInspectAiSpan, context),
        calls_(are_lost ? kLostEvent : kEvent, context),
        kept_(are_lost ? kKeptLostEvent : kKeptEvent, context),
        has_spans_(!are_lost) {
    spans_.run = calls_.run = kept_.run = name;
    kept_.counts.cost = 0;
  }

  bool has_end = false;       ///< of the sample: an event shows it
  bool shows_end = false;     ///< and a span does, or the last call failed
  bool is_compacted = false;  ///< which spans do not tell

  /// Ids are made of `name` and the place of an event; `parent`: in which event they stand.
  void read(json::element events, const std::string& name, const std::string& parent,
            const Extent& at) {
    std::map<std::string_view, Time> ends;
    std::map<std::string_view, std::string> failures;  // by span
    json::items(events, [&](json::element event) {
      json::element when;
      if (json::text_at(event, "event") == "span_end" && json::find(event, "timestamp", when))
        ends[json::text_at(event, "id")] = instant_of(when);
      std::string end = end_told_by(event);
      has_end |= !end.empty();
      if (!end.empty()) failures.emplace(json::text_at(event, "span_id"), std::move(end));
    });
    size_t nth = 0;
    json::items(events, [&](json::element event) {
      const std::string_view kind = json::text_at(event, "event");
      const std::string made_id = fmt::format("{}-event-{}", name, ++nth);
      if (kind == "span_begin" && has_spans_) {
        const auto end = ends.find(json::text_at(event, "id"));
        spans_.end = end == ends.end() ? kNoTime : end->second;
        spans_.made_parent = parent;
        const auto failure = failures.find(json::text_at(event, "id"));
        spans_.failure = failure == failures.end() ? std::string() : failure->second;
        shows_end |= failure != failures.end();
        spans_.read(event, at);
      }
      is_compacted |= kind == "compaction";
      if (is_call(event)) {
        ShapedSpans& calls = json::text_at(event, "cache") == "read" ? kept_ : calls_;
        calls.made_id = made_id;
        calls.made_parent = parent;
        calls.read(event, at);
        last_failed_ = event_failed(event);
      }
      json::element below;
      if (!is_one_of(kind, {"tool", "subtask"}) || !json::find(event, "events", below)) return;
      const std::string id = json::text_on(event, "uuid");
      const std::string& own = id.empty() ? made_id : id;
      read(below, made_id, kind == "tool" ? own : parent, at);
    });
  }

  /// Whether the call or tool before the end of all failed.
  bool last_failed() const { return last_failed_; }

 private:
  bool last_failed_ = false;
  ShapedSpans spans_, calls_, kept_;
  bool has_spans_;
};

/// Of how a sample ended, and what was cut before that, what no call or span can bear.
void complain_of_end(json::element sample, const Events& events, const Extent& at, Shard& shard) {
  const auto say = [&](std::string what) {
    shard.complain(Complaint::Kind::field, at, std::move(what));
  };
  json::element told;
  const bool is_shown = events.shows_end || events.last_failed();
  if (json::follow(sample, "error/message", told) && !is_shown)
    say("a sample ended with an error that belongs to none of its calls or spans");
  else if (json::follow(sample, "limit/type", told) && !is_shown)
    say("a limit ended the sample, but none of its calls or spans records it");
  else if (events.has_end && !is_shown)
    say("an error or limit ended the sample, but none of its calls or spans records it");
  if (events.is_compacted)
    say("the conversation of a sample was compacted, but no call records it");
}

/// Reads what is told of the attempts at a sample that failed before.
void read_failed_attempts(json::element sample, const std::string& name, const Extent& at,
                          RecordContext& context) {
  json::element attempts, events;
  if (!json::find(sample, "error_retries", attempts)) return;
  Events lost(true, name, context);
  size_t nth = 0;
  json::items(attempts, [&](json::element attempt) {
    ++nth;
    if (json::find(attempt, "events", events))
      lost.read(events, fmt::format("{}-attempt-{}", name, nth), {}, at);
  });
  if (nth > 0)
    context.shard.complain(Complaint::Kind::field, at,
                           fmt::format("a sample with {} attempts; the log contains the last one "
                                       "and at most the end of the others",
                                       nth + 1));
}

void read_sample(json::element sample, std::string_view run, const Extent& at,
                 RecordContext& context) {
  json::element events;
  if (!json::follow(sample, "events|transcript/events", events))
    return context.shard.complain(Complaint::Kind::field, at,
                                  "a sample without events, so it has no calls");
  if (has_failed_before(sample))
    context.shard.complain(Complaint::Kind::field, at,
                           "a sample that failed before its first event, so it has no calls");
  const std::string name = fmt::format("{}{}{}-{}", run, run.empty() ? "" : "-",
                                       json::text_on(sample, "id"), json::text_on(sample, "epoch"));
  Events told(false, name, context);
  told.read(events, name, {}, at);
  if (!has_failed_before(sample)) complain_of_end(sample, told, at, context.shard);
  read_failed_attempts(sample, name, at, context);
}

void read_inspect_ai(json::element record, std::string_view, const Extent& at,
                     RecordContext& context) {
  json::element samples;
  context.shard.count_records(1);
  if (is_sample(record)) return read_sample(record, {}, at, context);
  const std::string run = json::text_on(record, "eval/run_id|eval/task_id|eval/task");
  if (!json::find(record, "samples", samples)) return;
  json::items(samples, [&](json::element sample) { read_sample(sample, run, at, context); });
}

}  // namespace

extern constinit const Format kInspectAi = {
    .name = "inspect_ai",
    .summary = "logs of inspect_ai: .eval archives, JSON, and single samples",
    .fits = fits_inspect_ai,
    .needs = "epoch|eval events|transcript|status",
    .read = read_inspect_ai,
};

}  // namespace xtrace
