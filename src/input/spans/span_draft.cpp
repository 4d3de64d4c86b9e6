#include "input/spans/span_draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "base/one_of.h"
#include "facts/error_class.h"
#include "input/common/moments.h"
#include "input/spans/agent_events.h"
#include "input/spans/gen_ai.h"
#include "input/spans/join_spans.h"
#include "input/spans/plain_value.h"
#include "input/spans/span_side.h"
#include "input/spans/task_step_draft.h"

namespace xtrace {

namespace {

std::string_view unless_unknown(std::string_view name) {
  return name == "unknown" ? std::string_view{} : name;
}

std::string_view first_of(std::initializer_list<std::string_view> texts) {
  for (std::string_view text : texts)
    if (!text.empty()) return text;
  return {};
}

/// `openai.RateLimitError` of `openai.RateLimitError: Rate limit reached`; empty: it begins with
/// no such name.
std::string_view name_of_thrown(std::string_view text) {
  std::string_view name = text.substr(0, std::min(text.find(':'), text.size()));
  bool is_name = name.find_first_of(" \t\n\"'`") == std::string_view::npos &&
                 (name.ends_with("Error") || name.ends_with("Exception"));
  return is_name ? name : std::string_view();
}

/// The class of the error: the span's own word for it, the status of HTTP, the name that the
/// message begins with; the first that shows what kind of error it is. Anything that is no word is
/// a message too, and payload.
void read_failure(const SpanDraft& draft, Shard& shard, GenAi& told) {
  const SpanTags& tags = draft.tags;
  std::string_view said = first_of({draft.failure, tags.text(Tag::failure)});
  std::string error(tags.text(Tag::error_type));
  if (error.find_first_of(" \t\n") != std::string::npos) error.clear();
  if (error == "_OTHER") error.clear();  // OpenTelemetry's word for none
  int64_t status = tags.count(Tag::http_status);
  const std::string http = status >= 400 ? fmt::format("http_{}", status) : std::string();
  error = error_with_status(error, status);
  error = std::string(telling_error({error, http, name_of_thrown(said)}));
  told.error = shard.intern(error);
  const bool may_be_any = draft.span.part >= SpanPart::more && told.role == GenAi::Role::other;
  if (told.role != GenAi::Role::tool && !may_be_any && !is_tool_execution(draft.operation)) return;
  told.tool_error = tool_error_named(error);
  if (told.tool_error == ToolError::other) told.tool_error = tool_error_in(said);
}

}  // namespace

void complain_of_id(const Extent& at, std::string_view key, Shard& shard) {
  shard.complain(Complaint::Kind::damaged, at, fmt::format("a span without {}", key));
}

void complain_of_unread(const SpanTags& tags, const Extent& at, std::string_view what,
                        Shard& shard) {
  if (!tags.unread_shape().empty())
    shard.complain(Complaint::Kind::field, at,
                   fmt::format("a {} with attribute values of an unsupported shape: {}", what,
                               tags.unread_shape()));
}

void set_times(SpanDraft& draft, Time start, Duration duration, std::string_view key,
               Shard& shard) {
  draft.span.start = start;
  if (start == kNoTime)
    shard.complain(Complaint::Kind::field, draft.span.source,
                   fmt::format("a span without a usable {}", key));
  draft.ending.has_end |= duration != kNoDuration;
  if (duration != kNoDuration && duration < Duration{0})
    shard.complain(Complaint::Kind::field, draft.span.source,
                   "negative duration; treated as unknown");
  else
    draft.span.duration = duration;
}

void note_exception(json::element attributes, SpanDraft& draft) {
  bool is_exception = false, escaped = true;
  each_tag(attributes, [&](std::string_view key, json::element value) {
    const bool is_why = key == "exception.type" || key == "exception.message";
    if (is_why) draft.tags.read_tag(key, value);
    is_exception |= is_why;
    if (key == "exception.escaped") escaped = is_truth(value, true);
  });
  draft.threw |= is_exception && escaped;
}

namespace {

/// Is there an error among its tags? Some name it there, others only state that there is one.
bool names_an_error(const SpanTags& tags) {
  const std::string_view named = tags.text(Tag::error);
  return tags.is_true(Tag::error) || !(named.empty() || is_one_of(named, {"false", "0", "null"}));
}

/// Did the model's answer break off with an error? OpenTelemetry and the AI SDK have that word.
bool finished_with_error(const SpanTags& tags) {
  return tags.has(Tag::finish) &&
         simdjson::minify(tags.value(Tag::finish)).find("\"error\"") != std::string::npos;
}

/// Did an exception end it? Without a status nothing else may show: OpenTelemetry advises against
/// recording exceptions that a span handles, though older libraries do, and go on to a result.
/// https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-spans/ (read 2026-11)
bool ended_by_exception(const SpanDraft& draft) {
  constexpr int64_t kSucceeded = 200;
  return draft.threw && draft.ending.stated == Outcome::unknown &&
         draft.tags.count(Tag::tokens_out) <= 0 && !draft.tags.has(Tag::finish) &&
         draft.tags.count(Tag::http_status) < kSucceeded;
}

/// What the tags state of how it ended is added to what the record itself states.
void read_ending(const SpanTags& tags, SpanKind kind, Ending& ending) {
  if (names_an_error(tags) || tags.is_false(Tag::success)) ending.state(Outcome::error);
  // What is called `status` may as well be that of an order: that one is open, or that a word is
  // unknown, states nothing of the span.
  for (Tag tag : {Tag::status, Tag::tool_status})
    if (const Outcome told = outcome_named(tags.text(tag)); is_known(told)) ending.state(told);
  if (tags.has(Tag::grpc_status) && ending.stated == Outcome::unknown)
    ending.state(outcome_of_grpc(tags.value(Tag::grpc_status), kind == SpanKind::server));
  // OpenTelemetry's conventions: 500 and above is an error of either side, 400 and above one of the
  // client, and `error.type` is absent where all went well. Not every library sets the status too.
  // https://opentelemetry.io/docs/specs/semconv/http/http-spans/#status (read 2026-11)
  const int64_t least = kind == SpanKind::client ? 400 : 500;
  if (ending.stated != Outcome::ok &&
      (tags.count(Tag::http_status) >= least || !tags.text(Tag::ended_by).empty() ||
       finished_with_error(tags)))
    ending.state(Outcome::error);
}

/// How long it took, by a tag: libraries that know that only at the end write spans of no length.
void read_latency(SpanDraft& draft) {
  Duration& length = draft.span.duration;
  if (!draft.tags.has(Tag::latency) || length > Duration{0}) return;
  const Duration told = read_milliseconds(draft.tags.value(Tag::latency));
  if (told == kNoDuration) return;
  length = told;
  draft.ending.has_end = true;
}

}  // namespace

void add_span(SpanDraft& draft, Shard& shard) {
  Span& span = draft.span;
  const SpanTags& tags = draft.tags;
  complain_of_unread(tags, span.source, "span", shard);
  std::string_view service = first_of({draft.service, tags.text(Tag::service)});
  // Jaeger's and OpenTelemetry's words for none:
  if (service != "OTLPResourceNoServiceName" && service != "unknown_service")
    span.service = shard.intern(service);
  span.operation = shard.intern(draft.operation);
  if (span.kind == SpanKind::unknown) span.kind = read_span_kind(tags.text(Tag::kind));
  read_latency(draft);
  read_ending(tags, span.kind, draft.ending);
  if (ended_by_exception(draft)) draft.ending.state(Outcome::error);
  span.outcome = draft.ending.outcome();
  // What has no time at all is not known to have begun.
  if (span.outcome == Outcome::unfinished && span.start == kNoTime &&
      draft.ending.stated == Outcome::unknown)
    span.outcome = Outcome::unknown;
  std::string_view from = first_of(
      {unless_unknown(tags.text(Tag::trust_source)), unless_unknown(tags.text(Tag::trust_actor))});
  std::string_view to = unless_unknown(tags.text(Tag::trust_target));
  span.from = shard.intern(from);
  span.to = shard.intern(to);
  span.inbound = is_seen_by_callee({.operation = draft.operation,
                                    .direction = tags.text(Tag::direction),
                                    .cluster = tags.text(Tag::upstream_cluster),
                                    .peer = tags.text(Tag::peer),
                                    .service = service,
                                    .workload = tags.text(Tag::workload),
                                    .from = from,
                                    .to = to,
                                    .kind = span.kind});
  span.hop_kind = shard.intern(unless_unknown(tags.text(Tag::trust_hop_kind)));
  span.run = shard.intern(tags.text(Tag::trust_run));
  span.session = shard.intern(tags.text(Tag::session));
  span.principal = shard.intern(
      first_of({unless_unknown(tags.text(Tag::trust_principal)), tags.text(Tag::user)}));
  std::string_view route = tags.text(Tag::route);
  span.route = shard.intern(route.substr(0, route.find('?')));
  span.peer = shard.intern(first_of({draft.peer, tags.text(Tag::peer), tags.text(Tag::database),
                                     tags.text(Tag::host), host_of(tags.text(Tag::url))}));
  span.query = shard.intern(first_of({tags.text(Tag::query), tags.text(Tag::query_trace)}));
  span.project = shard.intern(tags.text(Tag::project));
  if (draft.parents.empty())
    if (StringId parent = intern_span_id(tags.text(Tag::virtual_parent), shard))
      draft.parents.push_back({parent, span.trace, false});
  GenAi told;
  bool tells = read_gen_ai(tags, draft.operation, shard, told);
  if (told.role == GenAi::Role::other && draft.role != GenAi::Role::other)
    told.role = draft.role, tells = true;
  if (draft.ending.failed()) read_failure(draft, shard, told);
  if (tells || told.error || told.tool_error != ToolError::none) span.gen_ai = shard.add(told);
  TaskStepDraft step_draft;
  step_draft.read(tags, draft.operation, shard);
  if (is_event_word(draft.operation) &&
      (step_draft.task_step.task || step_draft.task_step.trigger)) {
    step_draft.task_step.type = type_of_event(draft.operation);
    step_draft.task_step.is_event = true;
  }
  if (step_draft.any()) span.task_step = step_draft.add(shard);
  shard.add(span, draft.parents);
  for (const SpanDraft::Event& event : draft.events)
    add_event(event.word, event.tags, {span.source, event.time, span.id, span.trace}, shard);
}

}  // namespace xtrace
