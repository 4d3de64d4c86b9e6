#include "input/spans/span_tags.h"

#include <algorithm>
#include <charconv>

#include "base/number.h"
#include "base/one_of.h"
#include "facts/call.h"
#include "input/spans/remark_names.h"

namespace xtrace {

namespace {

struct Name {
  std::string_view name;
  Tag tag;
  uint8_t rank = 0;  ///< 0: the most particular
};

/// By name, so that they can be searched.
constexpr auto kNames = [] {
  std::array names = {
      Name{"trust.source", Tag::trust_source},
      Name{"trust.actor", Tag::trust_actor},
      Name{"trust.target", Tag::trust_target},
      Name{"trust.hop_kind", Tag::trust_hop_kind},
      Name{"trust.run_id", Tag::trust_run},
      Name{"trust.principal_id", Tag::trust_principal},
      Name{"baggage.trust.principal_id", Tag::trust_principal, 1},
      Name{"from_agent", Tag::handed_from},
      Name{"to_agent", Tag::handed_to},
      Name{"user.id", Tag::user},
      Name{"enduser.id", Tag::user, 1},
      Name{"gen_ai.user.id", Tag::user, 1},
      Name{"kagent.user_id", Tag::user, 2},
      Name{"baggage.user.id", Tag::user, 3},
      Name{"gen_ai.conversation.id", Tag::session},
      Name{"session.id", Tag::session, 1},
      Name{"service.name", Tag::service},
      Name{"span.kind", Tag::kind},
      Name{"direction", Tag::direction},
      Name{"upstream_cluster", Tag::upstream_cluster},
      Name{"upstream_cluster.name", Tag::upstream_cluster, 1},
      Name{"istio.canonical_service", Tag::workload},
      Name{"http.target", Tag::route},
      Name{"http.route", Tag::route},
      Name{"url.path", Tag::route},
      Name{"rpc.method", Tag::route},
      Name{"peer.service", Tag::peer},
      Name{"db.system", Tag::database},
      Name{"db.system.name", Tag::database},
      Name{"server.address", Tag::host},
      Name{"net.peer.name", Tag::host},
      Name{"http.url", Tag::url},
      Name{"url.full", Tag::url},
      Name{"error", Tag::error},
      Name{"success", Tag::success},
      Name{"otel.status_code", Tag::status},
      Name{"status", Tag::status, 1},
      Name{"langfuse.observation.level", Tag::status, 2},
      Name{"virtual_parent.genai", Tag::virtual_parent},
      Name{"queryId", Tag::query},
      Name{"query_id", Tag::query},
      Name{"query.id", Tag::query},
      Name{"traceId", Tag::query_trace},
      Name{"trace_id", Tag::query_trace},
      Name{"projectId", Tag::project},
      Name{"project_id", Tag::project},
      Name{"project.id", Tag::project},
      Name{"openinference.project.name", Tag::project},
      Name{"gen_ai.operation.name", Tag::operation},
      Name{"openinference.span.kind", Tag::operation, 1},
      Name{"traceloop.span.kind", Tag::operation, 2},
      Name{"span.type", Tag::operation, 3},
      Name{"llm.request.type", Tag::operation, 4},
      Name{"ai.operationId", Tag::operation, 5},
      Name{"mlflow.spanType/.", Tag::operation, 6},
      Name{"langfuse.observation.type", Tag::operation, 7},
      Name{"gen_ai.agent.name", Tag::agent},
      Name{"agent.name", Tag::agent, 1},
      Name{"graph.node.id", Tag::agent, 2},
      Name{"gen_ai.tool.name", Tag::tool},
      Name{"tool.name", Tag::tool, 1},
      Name{"ai.toolCall.name", Tag::tool, 2},
      Name{"spring.ai.tool.definition.name", Tag::tool, 3},
      Name{"tool_name", Tag::plain_tool},
      Name{"gen_ai.tool.status", Tag::tool_status},
      Name{"tool.status", Tag::tool_status, 1},
      Name{"gen_ai.tool.call.id", Tag::tool_call},
      Name{"tool_call.id", Tag::tool_call, 1},
      Name{"tool.id", Tag::tool_call, 2},
      Name{"ai.toolCall.id", Tag::tool_call, 3},
      Name{"traceloop.entity.name", Tag::entity},
      Name{"gen_ai.provider.name", Tag::provider},
      Name{"gen_ai.system", Tag::provider, 1},
      Name{"llm.provider", Tag::provider, 2},
      Name{"llm.system", Tag::provider, 3},
      Name{"metrics.provider", Tag::provider, 4},
      Name{"llm.vendor", Tag::provider, 5},
      Name{"gen_ai.response.model", Tag::model},
      Name{"gen_ai.request.model", Tag::model, 1},
      Name{"llm.model_name", Tag::model, 2},
      Name{"embedding.model_name", Tag::model, 3},
      Name{"reranker.model_name", Tag::model, 4},
      Name{"metrics.model", Tag::model, 5},
      Name{"model.name", Tag::model, 6},
      Name{"llm.response.model", Tag::model, 7},
      Name{"llm.request.model", Tag::model, 8},
      Name{"llm.model", Tag::model, 9},
      Name{"mlflow.llm.model/.", Tag::model, 10},
      Name{"langfuse.observation.model.name", Tag::model, 11},
      Name{"model", Tag::plain_model},
      Name{"provider", Tag::plain_provider},
      Name{"ai.model.id", Tag::model_below},
      Name{"ai.model.provider", Tag::provider_below},
      Name{"ai.usage.tokens", Tag::tokens_below},
      Name{"ai.usage.promptTokens", Tag::tokens_below, 1},
      Name{"ai.usage.completionTokens", Tag::tokens_out_below},
      Name{"gen_ai.request.model", Tag::asked_model},
      Name{"llm.request.model", Tag::asked_model, 1},
      Name{"gen_ai.data_source.id", Tag::searched},
      Name{"gen_ai.usage.input_tokens", Tag::tokens_in},
      Name{"gen_ai.usage.prompt_tokens", Tag::tokens_in, 1},
      Name{"llm.token_count.prompt", Tag::tokens_in, 2},
      Name{"metrics.tokens_in", Tag::tokens_in, 3},
      Name{"tokens_in", Tag::tokens_in, 4},
      Name{"tokens.in", Tag::tokens_in, 5},
      Name{"prompt_tokens", Tag::tokens_in, 6},
      Name{"cost.tokens_in", Tag::tokens_in, 7},
      Name{"tokens.input", Tag::tokens_in, 8},
      Name{"input_tokens", Tag::tokens_in, 9},
      Name{"llm.usage.prompt_tokens", Tag::tokens_in, 10},
      Name{"llm.usage.input_tokens", Tag::tokens_in, 11},
      Name{"mlflow.chat.tokenUsage/input_tokens", Tag::tokens_in, 12},
      Name{"langfuse.observation.usage_details/input", Tag::tokens_in, 13},
      Name{"langfuse.observation.usage_details/input_tokens", Tag::tokens_in, 14},
      Name{"langfuse.observation.usage_details/prompt_tokens", Tag::tokens_in, 15},
      Name{"gen_ai.response.prompt_tokens", Tag::tokens_in, 16},
      Name{"gen_ai.usage.output_tokens", Tag::tokens_out},
      Name{"gen_ai.usage.completion_tokens", Tag::tokens_out, 1},
      Name{"llm.token_count.completion", Tag::tokens_out, 2},
      Name{"metrics.tokens_out", Tag::tokens_out, 3},
      Name{"tokens_out", Tag::tokens_out, 4},
      Name{"tokens.out", Tag::tokens_out, 5},
      Name{"completion_tokens", Tag::tokens_out, 6},
      Name{"cost.tokens_out", Tag::tokens_out, 7},
      Name{"tokens.output", Tag::tokens_out, 8},
      Name{"output_tokens", Tag::tokens_out, 9},
      Name{"llm.usage.completion_tokens", Tag::tokens_out, 10},
      Name{"llm.usage.output_tokens", Tag::tokens_out, 11},
      Name{"mlflow.chat.tokenUsage/output_tokens", Tag::tokens_out, 12},
      Name{"langfuse.observation.usage_details/output", Tag::tokens_out, 13},
      Name{"langfuse.observation.usage_details/output_tokens", Tag::tokens_out, 14},
      Name{"langfuse.observation.usage_details/completion_tokens", Tag::tokens_out, 15},
      Name{"gen_ai.response.completion_tokens", Tag::tokens_out, 16},
      Name{"gen_ai.usage.total_tokens", Tag::tokens_total},
      Name{"llm.usage.total_tokens", Tag::tokens_total, 1},
      Name{"llm.token_count.total", Tag::tokens_total, 2},
      Name{"tokens.total", Tag::tokens_total, 3},
      Name{"total_tokens", Tag::tokens_total, 4},
      Name{"ai.usage.totalTokens", Tag::tokens_total, 5},
      Name{"mlflow.chat.tokenUsage/total_tokens", Tag::tokens_total, 6},
      Name{"langfuse.observation.usage_details/total", Tag::tokens_total, 7},
      Name{"langfuse.observation.usage_details/total_tokens", Tag::tokens_total, 8},
      Name{"gcp.vertex.agent.llm_response/usage_metadata/total_token_count", Tag::tokens_total, 9},
      Name{"gen_ai.usage.details.input_tokens", Tag::tokens_uncached},
      Name{"ai.usage.inputTokenDetails.noCacheTokens", Tag::tokens_uncached, 1},
      Name{"gen_ai.usage.reasoning.output_tokens", Tag::tokens_thought},
      Name{"gen_ai.usage.reasoning_tokens", Tag::tokens_thought, 1},
      Name{"gen_ai.usage.details.reasoning_tokens", Tag::tokens_thought, 2},
      Name{"llm.token_count.completion_details.reasoning", Tag::tokens_thought, 3},
      Name{"ai.usage.reasoningTokens", Tag::tokens_thought, 4},
      Name{"llm.usage.reasoning_tokens", Tag::tokens_thought, 5},
      Name{"langfuse.observation.usage_details/output_reasoning_tokens", Tag::tokens_thought, 6},
      Name{"langfuse.observation.usage_details/output_reasoning", Tag::tokens_thought, 7},
      Name{"gcp.vertex.agent.llm_response/usage_metadata/thoughts_token_count", Tag::tokens_thought,
           8},
      Name{"tool_token_count", Tag::tokens_of_tools},
      Name{"gen_ai.usage.cache_read_input_tokens", Tag::cache_read},
      Name{"gen_ai.usage.cache_read.input_tokens", Tag::cache_read, 1},
      Name{"llm.token_count.prompt_details.cache_read", Tag::cache_read, 2},
      Name{"gen_ai.usage.details.cache_read_tokens", Tag::cache_read, 3},
      Name{"gen_ai.usage.details.cache_read_input_tokens", Tag::cache_read, 4},
      Name{"gen_ai.usage.input_tokens.cached", Tag::cache_read, 5},
      Name{"ai.usage.inputTokenDetails.cacheReadTokens", Tag::cache_read, 6},
      Name{"ai.usage.cachedInputTokens", Tag::cache_read, 7},
      Name{"cache_read_tokens", Tag::cache_read, 8},
      Name{"llm.usage.cache_read_input_tokens", Tag::cache_read, 9},
      Name{"llm.usage.cached_tokens", Tag::cache_read, 10},
      Name{"mlflow.chat.tokenUsage/cache_read_input_tokens", Tag::cache_read, 11},
      Name{"langfuse.observation.usage_details/input_cached_tokens", Tag::cache_read, 12},
      Name{"langfuse.observation.usage_details/input_cache_read", Tag::cache_read, 13},
      Name{"langfuse.observation.usage_details/cache_read_input_tokens", Tag::cache_read, 14},
      Name{"langfuse.observation.usage_details/prompt_tokens_details/cached_tokens",
           Tag::cache_read, 15},
      Name{"langfuse.observation.usage_details/input_tokens_details/cached_tokens", Tag::cache_read,
           16},
      Name{"gcp.vertex.agent.llm_response/usage_metadata/cached_content_token_count",
           Tag::cache_read, 17},
      Name{"gen_ai.usage.details.cached_tokens", Tag::cache_read, 18},
      Name{"gen_ai.usage.cache_creation_input_tokens", Tag::cache_creation},
      Name{"gen_ai.usage.cache_creation.input_tokens", Tag::cache_creation, 1},
      Name{"gen_ai.usage.cache_write_input_tokens", Tag::cache_creation, 2},
      Name{"gen_ai.usage.cache_write.input_tokens", Tag::cache_creation, 3},
      Name{"llm.token_count.prompt_details.cache_write", Tag::cache_creation, 4},
      Name{"gen_ai.usage.details.cache_write_tokens", Tag::cache_creation, 5},
      Name{"gen_ai.usage.details.cache_creation_input_tokens", Tag::cache_creation, 6},
      Name{"gen_ai.usage.input_tokens.cache_write", Tag::cache_creation, 7},
      Name{"ai.usage.inputTokenDetails.cacheWriteTokens", Tag::cache_creation, 8},
      Name{"cache_creation_tokens", Tag::cache_creation, 9},
      Name{"llm.usage.cache_creation_input_tokens", Tag::cache_creation, 10},
      Name{"mlflow.chat.tokenUsage/cache_creation_input_tokens", Tag::cache_creation, 11},
      Name{"langfuse.observation.usage_details/input_cache_creation", Tag::cache_creation, 12},
      Name{"langfuse.observation.usage_details/cache_creation_input_tokens", Tag::cache_creation,
           13},
      Name{"openai.response.service_tier", Tag::service_tier},
      Name{"gen_ai.openai.response.service_tier", Tag::service_tier, 1},
      Name{"xtrace.service_tier", Tag::service_tier, 2},
      Name{"openai.request.service_tier", Tag::asked_service_tier},
      Name{"gen_ai.openai.request.service_tier", Tag::asked_service_tier, 1},
      Name{"xtrace.residency", Tag::residency},
      Name{"xtrace.server_tools.web_search", Tag::uses_web_search},
      Name{"xtrace.server_tools.web_fetch", Tag::uses_web_fetch},
      Name{"xtrace.server_tools.x_search", Tag::uses_x_search},
      Name{"xtrace.server_tools.maps", Tag::uses_maps},
      Name{"xtrace.server_tools.file_search", Tag::uses_file_search},
      Name{"xtrace.server_tools.code_execution", Tag::uses_code_execution},
      Name{"xtrace.server_tools.image_generation", Tag::uses_image_generation},
      Name{"gen_ai.usage.cost", Tag::cost},
      Name{"llm.cost.total", Tag::cost, 1},
      Name{"cost.usd", Tag::cost, 2},
      Name{"cost_usd", Tag::cost, 3},
      Name{"metrics.cost_usd", Tag::cost, 4},
      Name{"operation.cost", Tag::cost, 5},
      Name{"gen_ai.usage.total_cost", Tag::cost, 6},
      Name{"gen_ai.usage.cost_usd", Tag::cost, 7},
      Name{"gen_ai.cost.total_cost", Tag::cost, 8},
      Name{"llm.usage.total_cost", Tag::cost, 9},
      Name{"llm.usage.cost_usd", Tag::cost, 10},
      Name{"llm.cost_usd", Tag::cost, 11},
      Name{"mlflow.llm.cost/total_cost", Tag::cost, 12},
      Name{"langfuse.observation.cost_details/total", Tag::cost, 13},
      Name{"context.tokens_used", Tag::context_used},
      Name{"context.used_tokens", Tag::context_used, 1},
      Name{"context.tokens_available", Tag::context_available},
      Name{"context.available_tokens", Tag::context_available, 1},
      Name{"context.limit", Tag::context_limit},
      Name{"context.max_tokens", Tag::context_limit, 1},
      Name{"context.window", Tag::context_limit, 2},
      Name{"error.type", Tag::error_type},
      Name{"exception.type", Tag::error_type, 1},
      Name{"otel.status_description", Tag::failure},
      Name{"error.message", Tag::failure, 1},
      Name{"exception.message", Tag::failure, 2},
      Name{"error", Tag::failure, 3},
      Name{"langfuse.observation.status_message", Tag::failure, 4},
      Name{"http.response.status_code", Tag::http_status},
      Name{"http.status_code", Tag::http_status, 1},
      Name{"component", Tag::component},
      Name{"requestId", Tag::request},
      Name{"request_id", Tag::request},
      Name{"request.id", Tag::request},
      Name{"gen_ai.request.id", Tag::request},
      Name{"llm.request.id", Tag::request},
      Name{"gen_ai.response.id", Tag::request, 1},
      Name{"taskID", Tag::task},
      Name{"taskId", Tag::task},
      Name{"task_id", Tag::task},
      Name{"task.id", Tag::task},
      Name{"triggeredBy", Tag::trigger},
      Name{"triggered_by", Tag::trigger},
      Name{"trigger.id", Tag::trigger},
      Name{"causationId", Tag::trigger},
      Name{"causation_id", Tag::trigger},
      Name{"explanation.type", Tag::step_type},
      Name{"node.type", Tag::step_type, 1},
      Name{"latency.ms", Tag::latency},
      Name{"latencyMs", Tag::latency},
      Name{"latency_ms", Tag::latency},
      Name{"otel.scope.name", Tag::scope},
      Name{"otel.library.name", Tag::scope, 1},
      Name{"otel.scope.version", Tag::scope_version},
      Name{"otel.library.version", Tag::scope_version, 1},
      Name{"xtrace.node", Tag::converted},
      Name{"xtrace.retries", Tag::retries},
      Name{"mlflow.spanType", Tag::folded},
      Name{"mlflow.llm.model", Tag::folded},
      Name{"mlflow.chat.tokenUsage", Tag::folded},
      Name{"mlflow.llm.cost", Tag::folded},
      Name{"langfuse.observation.usage_details", Tag::folded},
      Name{"langfuse.observation.cost_details", Tag::folded},
      Name{"gcp.vertex.agent.llm_response", Tag::folded},
  };
  std::sort(names.begin(), names.end(),
            [](const Name& a, const Name& b) { return a.name < b.name; });
  return names;
}();

/// `{"stringValue": …}`, `{"Value": …}`
bool is_wrapping(std::string_view key) {
  constexpr std::string_view kWrappings[] = {
      "stringValue", "intValue",    "doubleValue",  "boolValue",  "arrayValue",
      "kvlistValue", "bytesValue",  "string_value", "int_value",  "double_value",
      "bool_value",  "array_value", "kvlist_value", "bytes_value"};
  return is_one_of(key, kWrappings);
}

}  // namespace

json::element plain_value(json::element value) {
  json::object fields;
  if (!json::is_object(value) || value.get_object().get(fields)) return value;
  json::element inner = value;
  size_t count = 0;
  for (simdjson::dom::key_value_pair field : fields) {
    if (++count > 1 || !is_wrapping(field.key)) return value;
    inner = field.value;
  }
  return inner;
}

void SpanTags::read_tag(std::string_view key, json::element value) {
  auto name = std::lower_bound(kNames.begin(), kNames.end(), key,
                               [](const Name& a, std::string_view b) { return a.name < b; });
  if (name == kNames.end() || name->name != key) {
    if (key == "entity") read_entities(value);
    if (key.starts_with("entity.")) read_entity(key, value);
    if (find_remark_name(key) != nullptr) others_.push_back({key, value});
    return;
  }
  for (; name != kNames.end() && name->name == key; ++name) {
    if (name->tag == Tag::folded) {
      read_folded(key, value);
      continue;
    }
    Value& known = values_[static_cast<size_t>(name->tag)];
    if (name->rank > known.rank) continue;
    known = {value, name->rank};
  }
}

void SpanTags::read_folded(std::string_view key, json::element value) {
  if (json::is_string(value)) {
    auto parser = std::make_shared<simdjson::dom::parser>();
    const std::string_view text = json::text(value);
    json::element inner;
    if (!parser->parse(text.data(), text.size()).get(inner)) {
      unfolded_.push_back(std::move(parser));
      value = inner;
    }
  }
  if (!json::is_object(value)) return read_tag(std::string(key) + "/.", value);
  json::fields(value, [&](std::string_view field, json::element count) {
    const std::string name = std::string(key) + "/" + std::string(field);
    if (!json::is_object(count)) return read_tag(name, count);
    json::fields(count, [&](std::string_view detail, json::element part) {
      read_tag(name + "/" + std::string(detail), part);
    });
  });
}

void SpanTags::read_scope(json::element scope) {
  json::element value;
  if (json::find(scope, "name", value)) read_tag("otel.scope.name", value);
  if (json::find(scope, "version", value)) read_tag("otel.scope.version", value);
}

void SpanTags::read_entities(json::element list) {
  json::items(list, [&](json::element item) {
    entities_.push_back({json::text_at(item, "type"), json::text_at(item, "name"),
                         json::text_at(item, "from_agent")});
  });
}

void SpanTags::read_entity(std::string_view key, json::element value) {
  std::string_view rest = key.substr(std::string_view("entity.").size());
  int number = 0;
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc() || number < 0) return;
  rest.remove_prefix(static_cast<size_t>(end - rest.data()));
  const auto [at, is_new] = numbered_entities_.try_emplace(number, entities_.size());
  if (is_new) entities_.emplace_back();
  Entity& known = entities_[at->second];
  if (rest == ".type") known.type = json::text(value);
  if (rest == ".name") known.name = json::text(value);
  if (rest == ".from_agent") known.from_agent = json::text(value);
}

const SpanTags::Entity* SpanTags::entity(std::string_view type) const {
  for (const Entity& one : entities_)
    if (one.type.starts_with(type) && !one.name.empty()) return &one;
  return nullptr;
}

int64_t SpanTags::count_in(json::element value) {
  if (int64_t number = json::count(value, kNoCount); number >= 0) return number;
  std::optional<int64_t> number = number_of<int64_t>(json::text(value));
  return number && *number >= 0 ? *number : kNoCount;
}
int64_t SpanTags::count(Tag tag) const {
  return has(tag) ? count_in(value(tag)) : kNoCount;
}

bool SpanTags::is_true(Tag tag) const {
  return has(tag) && (json::is_true(value(tag)) || json::text(value(tag)) == "true");
}

bool SpanTags::is_provider_call() const {
  const std::string_view operation = text(Tag::operation);
  return operation.starts_with("ai.") && operation.find(".do") != std::string_view::npos;
}

bool SpanTags::is_false(Tag tag) const {
  bool truth = true;
  if (!has(tag)) return false;
  return (!value(tag).get_bool().get(truth) && !truth) || json::text(value(tag)) == "false";
}

}  // namespace xtrace
