#include "input/spans/span_tags.h"

#include <algorithm>
#include <charconv>

#include "base/hash.h"
#include "facts/call.h"
#include "input/common/ending.h"
#include "input/spans/tag_words.h"

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
      Name{"mcp.tool.name", Tag::tool, 4},
      Name{"tool_name", Tag::plain_tool},
      Name{"gen_ai.tool.status", Tag::tool_status},
      Name{"tool.status", Tag::tool_status, 1},
      Name{"rpc.grpc.status_code", Tag::grpc_status},
      Name{"rpc.response.status_code", Tag::grpc_status, 1},
      Name{"grpc.status_code", Tag::grpc_status, 2},
      Name{"gen_ai.tool.call.arguments", Tag::tool_input},
      Name{"gcp.vertex.agent.tool_call_args", Tag::tool_input, 1},
      Name{"tool.parameters", Tag::tool_input, 2},
      Name{"traceloop.entity.input", Tag::tool_input, 3},
      Name{"input.value", Tag::tool_input, 4},
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
      Name{"llm.response.model_name", Tag::model, 7},
      Name{"llm.request.model", Tag::model, 8},
      Name{"llm.request.model_name", Tag::model, 8},
      Name{"llm.model", Tag::model, 9},
      Name{"mlflow.llm.model/.", Tag::model, 10},
      Name{"langfuse.observation.model.name", Tag::model, 11},
      Name{"model", Tag::plain_model},
      Name{"provider", Tag::plain_provider},
      Name{"ai.model.id", Tag::model, 12},
      Name{"ai.model.provider", Tag::provider, 6},
      Name{"ai.usage.tokens", Tag::tokens_in, 100},  // of an embedding
      Name{"gen_ai.request.model", Tag::asked_model},
      Name{"llm.request.model", Tag::asked_model, 1},
      Name{"llm.request.model_name", Tag::asked_model, 1},
      Name{"gen_ai.data_source.id", Tag::searched},
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
      Name{"operation.cost", Tag::cost, 100},
      Name{"mlflow.llm.cost/total_cost", Tag::cost, 101},
      Name{"langfuse.observation.cost_details/total", Tag::cost, 102},
      Name{"context.tokens_used", Tag::context_used},
      Name{"context.used_tokens", Tag::context_used, 1},
      Name{"context.tokens_available", Tag::context_available},
      Name{"context.available_tokens", Tag::context_available, 1},
      Name{"context.limit", Tag::context_limit},
      Name{"context.max_tokens", Tag::context_limit, 1},
      Name{"context.window", Tag::context_limit, 2},
      Name{"error.type", Tag::error_type},
      Name{"error.type", Tag::ended_by},
      Name{"exception.type", Tag::error_type, 1},
      Name{"gen_ai.response.finish_reasons", Tag::finish},
      Name{"gen_ai.response.finish_reason", Tag::finish, 1},
      Name{"ai.response.finishReason", Tag::finish, 2},
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

struct ByName {
  bool operator()(const Name& a, std::string_view b) const { return a.name < b; }
};
const Name* find_name(std::string_view key) {
  const auto* name = std::lower_bound(kNames.begin(), kNames.end(), key, ByName());
  return name != kNames.end() && name->name == key ? name : nullptr;
}

/// The meaning of a name, from all the tables that know names.
struct KnownName {
  const Name* name = nullptr;
  NamedTag words;
  const RemarkName* remark = nullptr;

  explicit KnownName(std::string_view key) : name(find_name(key)) {
    if (name == nullptr) words = read_tag_words(key);
    if (name == nullptr && !words) remark = find_remark_name(key);
  }
  KnownName() = default;
  bool is_tag() const { return name != nullptr || words; }
};

/// Names repeat from span to span, so the last ones need not be looked up again.
class LastNames {
 public:
  KnownName operator[](std::string_view key) {
    if (key.size() > kLongest) return KnownName(key);
    Entry& entry = entries_[hash_of(key) % kEntries];
    if (entry.key != key) entry = {std::string(key), KnownName(key)};
    return entry.meaning;
  }

 private:
  static constexpr size_t kLongest = 64, kEntries = 256;
  struct Entry {
    std::string key;
    KnownName meaning;
  };
  std::array<Entry, kEntries> entries_;
};

KnownName known_name(std::string_view key) {
  thread_local LastNames last;
  return last[key];
}

/// The name of which a label is all that is left.
std::string name_of_label(std::string_view label) {
  static const std::unordered_map<std::string, std::string_view> kByLabel = [] {
    std::unordered_map<std::string, std::string_view> by_label;
    for (const Name& one : kNames) by_label.emplace(label_of(one.name), one.name);
    return by_label;
  }();
  const auto known = kByLabel.find(label_of(label));
  return known == kByLabel.end() ? name_in_namespace(label) : std::string(known->second);
}

bool is_empty(json::element value) {
  json::object fields;
  json::array items;
  return value.is_null() || (!value.get_object().get(fields) && fields.size() == 0) ||
         (!value.get_array().get(items) && items.size() == 0);
}

/// Does it hold the items of a list or a map, which no tag that we know has as its value?
bool holds_items(json::element value) {
  json::element items;
  return is_empty(value) || (json::find(value, "values", items) && json::is_array(items));
}

}  // namespace

void SpanTags::read(json::element tags) {
  tags = unfolded(tags);
  const bool are_listed = json::is_array(tags);
  bool any_is_read = false;
  each_tag(tags, [&](std::string_view key, json::element value) {
    const size_t before = read_;
    read_tag(key, value);
    // A list has no objects but wrappings of values; a map may have any, by names of its own.
    const bool is_read = !json::is_object(value) || read_ > before || holds_items(value) ||
                         (!are_listed && !known_name(key).is_tag());
    if (!is_read && unread_shape_.empty()) unread_shape_ = shape_of(value);
    any_is_read |= is_read;
  });
  if (any_is_read || is_empty(tags))
    unread_shape_.clear();
  else if (unread_shape_.empty())
    unread_shape_ = shape_of(tags);
}

void SpanTags::read_labels(json::element labels) {
  each_tag(labels, [&](std::string_view label, json::element value) {
    read_tag(name_of_label(label), value);
  });
}

void SpanTags::read_at(std::string_view key, json::element value, int depth) {
  const KnownName meaning = known_name(key);
  const Name* name = meaning.name;
  const bool is_folded = name != nullptr && name->tag == Tag::folded;
  if (name != nullptr) {
    for (; name != kNames.end() && name->name == key; ++name)
      if (name->tag == Tag::folded)
        read_folded(key, value);
      else
        put(name->tag, name->rank, value);
  } else if (key == "entity") {
    read_entities(value);
  } else if (key.starts_with("entity.")) {
    read_entity(key, value);
  } else if (meaning.words) {
    put(meaning.words.tag, meaning.words.rank, value);
  } else if (meaning.remark != nullptr) {
    others_.push_back({meaning.remark->name, value});
  }
  if (json::is_object(value) && depth < kDeepest && !is_folded)
    read_fields(std::string(key), value, depth + 1);
}

/// Nested objects spell a dotted name: `{"gen_ai": {"usage": {"input_tokens": 5}}}`.
void SpanTags::read_fields(const std::string& path, json::element value, int depth) {
  json::element listed;
  const bool is_list = json::find(value, "values", listed) && json::is_array(listed);
  each_tag(is_list ? listed : value, [&](std::string_view key, json::element inner) {
    read_at(path + "." + std::string(key), inner, depth);
  });
}

void SpanTags::put(Tag tag, uint8_t rank, json::element value) {
  Value& known = values_[static_cast<size_t>(tag)];
  if (!json::is_object(value)) ++read_;
  if (rank <= known.rank) known = {value, rank};
}

json::element SpanTags::unfolded(json::element value) {
  const std::string_view text = json::text(value);
  if (text.empty()) return value;
  auto parser = std::make_shared<simdjson::dom::parser>();
  json::element inner;
  if (parser->parse(text.data(), text.size()).get(inner)) return value;
  unfolded_.push_back(std::move(parser));
  return inner;
}

void SpanTags::read_folded(std::string_view key, json::element value) {
  value = unfolded(value);
  if (!json::is_object(value)) return read_tag(std::string(key) + "/.", value);
  json::fields(value, [&](std::string_view field, json::element count) {
    const std::string name = std::string(key) + "/" + std::string(field);
    if (!json::is_object(count)) return read_tag(name, count);
    json::fields(count, [&](std::string_view detail, json::element part) {
      read_tag(name + "/" + std::string(detail), part);
    });
  });
}

void SpanTags::read_usage(json::element usage) {
  SpanTags stated;
  auto read = [&](std::string_view path, json::element value) {
    const NamedTag named = read_usage_field(path);
    if (named && (count_in(value) >= 0 || named.tag == Tag::cost))
      stated.put(named.tag, named.rank, value);
  };
  json::fields(unfolded(usage), [&](std::string_view key, json::element value) {
    value = plain_value(value);
    if (!json::is_object(value)) return read(key, value);
    json::fields(value, [&](std::string_view detail, json::element part) {
      read(std::string(key) + "/" + std::string(detail), part);
    });
  });
  for (size_t tag = 0; tag < kTags; ++tag)
    if (values_[tag].rank == kAbsent) values_[tag] = stated.values_[tag];
}

void SpanTags::read_scope(json::element scope) {
  json::fields(scope, [&](std::string_view key, json::element of) {
    if (key == "name" || key == "Name") read_tag("otel.scope.name", of);
    if (key == "version" || key == "Version") read_tag("otel.scope.version", of);
  });
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
  const std::optional<int64_t> number = whole_number(value);
  return number && *number >= 0 ? *number : kNoCount;
}
int64_t SpanTags::count(Tag tag) const {
  return has(tag) ? count_in(value(tag)) : kNoCount;
}

bool SpanTags::is_true(Tag tag) const {
  return has(tag) && is_truth(value(tag), true);
}

bool SpanTags::is_provider_call() const {
  const std::string_view operation = text(Tag::operation);
  return operation.starts_with("ai.") && operation.find(".do") != std::string_view::npos;
}

bool SpanTags::is_false(Tag tag) const {
  return has(tag) && is_truth(value(tag), false);
}

}  // namespace xtrace
