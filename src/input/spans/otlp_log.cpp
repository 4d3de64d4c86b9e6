#include "input/spans/otlp_log.h"

#include "base/hash.h"
#include "input/calls/message_draft.h"
#include "input/common/record_context.h"
#include "input/spans/agent_events.h"
#include "input/spans/gen_ai.h"
#include "input/spans/plain_value.h"
#include "input/spans/task_step_draft.h"

namespace xtrace {

OtlpLog::OtlpLog(json::element record, const SpanTags* resource, std::string_view scope,
                 Shard& shard) {
  if (resource != nullptr) tags = *resource;
  std::string_view event;
  json::fields(record, [&](std::string_view name, json::element value) {
    const std::string_view key = otlp_key(name);
    Duration at = kNoDuration;
    if (key == "spanId")
      span = intern_span_id(value, shard);
    else if (key == "traceId")
      trace = intern_span_id(value, shard);
    else if (key == "eventName")
      word = json::text(value);
    else if (key == "body")
      text = json::text(plain_value(value));
    else if (key.ends_with("imeUnixNano") && read_units(value, 1, at) && at > Duration{0} &&
             (time == kNoTime || key == "timeUnixNano"))
      time = Time(at);
    else if (key == "attributes")
      agent.attributes = value, agent.has_attributes = true, tags.read(value),
      each_tag(value, [&](std::string_view attribute, json::element tag) {
        if (attribute == "event.name") event = json::text(tag);
      });
  });
  agent.names[0] = word, agent.names[1] = event, agent.names[2] = text;
  agent.scope = scope;
  agent.resource = resource;
  agent.time = time, agent.span = span, agent.trace = trace;
  if (word.empty()) word = event;
  if (word.empty() && is_event_word(text)) word = text;
}

bool OtlpLog::may_be_thought() const {
  return !tags.text(Tag::request).empty() && !text.empty();
}

bool OtlpLog::is_of_model() const {
  return tags.has(Tag::model) || tags.has(Tag::tokens_out) ||
         tags.text(Tag::component) == "model-adapter";
}

void add_thought(const OtlpLog& log, const Extent& place, RecordContext& context) {
  Shard& shard = context.shard;
  TaskStepDraft said;
  said.read(log.tags, {}, shard);
  said.task_step.type = TaskStep::Type::llm_call;
  said.task_step.is_adapter = false;
  said.task_step.span = log.span;
  said.task_step.trace = log.trace;
  Thought thought;
  thought.source = place;
  thought.is_unsure = !log.is_of_model();
  thought.time = log.time;
  thought.decimals = 6;
  thought.request = said.task_step.request;
  thought.model = shard.intern(log.tags.text(Tag::model));
  thought.agent = shard.intern(log.tags.text(Tag::agent));
  thought.tokens = count_tokens(log.tags).tokens;
  thought.cost = read_cost(log.tags);
  thought.outcome = Outcome::ok;
  thought.digest =
      chain(hash_of(log.text), static_cast<uint64_t>(log.time.time_since_epoch().count()));
  thought.task_step = said.add(shard);
  shard.add(thought);
}

void read_otlp_thought(json::element record, Draft& said) {
  json::element body;
  said.role = Message::Role::assistant;
  if (!json::find(record, "body", body) || !json::is_string(plain_value(body))) return;
  Block& block = said.blocks.emplace_back();
  block.kind = Block::Kind::text;
  block.text = json::text(plain_value(body));
}

namespace {

constexpr std::string_view kKeys[] = {"resourceSpans",
                                      "scopeSpans",
                                      "instrumentationLibrarySpans",
                                      "resourceLogs",
                                      "scopeLogs",
                                      "instrumentationLibraryLogs",
                                      "resourceMetrics",
                                      "scopeMetrics",
                                      "instrumentationLibraryMetrics",
                                      "instrumentationLibrary",
                                      "logRecords",
                                      "dataPoints",
                                      "spanId",
                                      "traceId",
                                      "parentSpanId",
                                      "startTimeUnixNano",
                                      "endTimeUnixNano",
                                      "timeUnixNano",
                                      "observedTimeUnixNano",
                                      "eventName"};

/// `resource_spans` of `resourceSpans`
bool is_spelled_out(std::string_view key, std::string_view camel) {
  size_t at = 0;
  for (char c : camel) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_capital && (at == key.size() || key[at++] != '_')) return false;
    if (at == key.size() || key[at++] != (is_capital ? c - 'A' + 'a' : c)) return false;
  }
  return at == key.size();
}

}  // namespace

std::string_view otlp_key(std::string_view key) {
  if (key.find('_') == std::string_view::npos) return key;
  for (std::string_view known : kKeys)
    if (is_spelled_out(key, known)) return known;
  return key;
}

}  // namespace xtrace
