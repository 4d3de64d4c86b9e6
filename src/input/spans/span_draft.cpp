#include "input/spans/span_draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "facts/error_class.h"
#include "input/common/moments.h"
#include "input/spans/agent_events.h"
#include "input/spans/gen_ai.h"
#include "input/spans/join_agent_spans.h"
#include "input/spans/span_side.h"
#include "input/spans/span_values.h"
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
/// message begins with; the first that tells what kind of error it is. Anything that is no word is
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
  shard.complain(Complaint::Kind::damaged, at, fmt::format("a span without a {}", key));
}

void set_times(SpanDraft& draft, Time start, Duration duration, std::string_view key,
               Shard& shard) {
  draft.span.start = start;
  if (start == kNoTime)
    shard.complain(Complaint::Kind::field, draft.span.source,
                   fmt::format("a span without a usable {}", key));
  if (duration != kNoDuration && duration < Duration{0})
    shard.complain(Complaint::Kind::field, draft.span.source,
                   "a negative duration; read as unknown");
  else
    draft.span.duration = duration;
}

void note_exception(json::element attributes, SpanDraft& draft) {
  each_tag(attributes, [&](std::string_view key, json::element value) {
    if (key == "exception.type" || key == "exception.message") draft.tags.read_tag(key, value);
  });
}

void add_span(SpanDraft& draft, Shard& shard) {
  Span& span = draft.span;
  const SpanTags& tags = draft.tags;
  if (!tags.unread_shape().empty())
    shard.complain(Complaint::Kind::field, span.source,
                   fmt::format("a span whose attributes have values of a shape that is not read: {}",
                               tags.unread_shape()));
  std::string_view service = first_of({draft.service, tags.text(Tag::service)});
  // Jaeger's and OpenTelemetry's words for none:
  if (service != "OTLPResourceNoServiceName" && service != "unknown_service")
    span.service = shard.intern(service);
  span.operation = shard.intern(draft.operation);
  if (span.kind == SpanKind::unknown) span.kind = read_span_kind(tags.text(Tag::kind));
  if (span.duration == kNoDuration && tags.has(Tag::latency))
    span.duration = read_milliseconds(tags.value(Tag::latency));
  // OpenTelemetry's conventions of HTTP: 500 and above is an error of either side. Not every
  // library says so in the span's status as well.
  bool broke = tags.count(Tag::http_status) >= 500 && tags.text(Tag::status) != "OK";
  bool failed = draft.failed || broke || tags.is_true(Tag::error) || tags.is_false(Tag::success) ||
                tags.text(Tag::status) == "ERROR" || tags.text(Tag::tool_status) == "error";
  span.outcome = failed ? Outcome::error : Outcome::ok;
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
  if (failed) read_failure(draft, shard, told);
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
