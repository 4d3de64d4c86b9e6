#include "input/spans/span_tags.h"

#include <algorithm>
#include <charconv>

#include "base/hash.h"
#include "facts/call.h"
#include "input/common/ending.h"
#include "input/spans/tag_words.h"

namespace xtrace {

namespace {

/// The names that mean a tag, the most particular first: `|` before one that counts less, `,`
/// before one that counts as much.
struct TagNames {
  Tag tag;
  std::string_view names;
  uint8_t first = 0;  ///< rank of the first name, behind what tag_words.cpp reads by their words
};

constexpr TagNames kTagNames[] = {
    {Tag::trust_source, "trust.source"},
    {Tag::trust_actor, "trust.actor"},
    {Tag::trust_target, "trust.target"},
    {Tag::trust_hop_kind, "trust.hop_kind"},
    {Tag::trust_run, "trust.run_id"},
    {Tag::trust_principal, "trust.principal_id|baggage.trust.principal_id"},
    {Tag::handed_from, "from_agent"},
    {Tag::handed_to, "to_agent"},
    {Tag::user, "user.id|enduser.id,gen_ai.user.id|kagent.user_id|baggage.user.id"},
    {Tag::session, "gen_ai.conversation.id|session.id"},
    {Tag::service, "service.name"},
    {Tag::kind, "span.kind"},
    {Tag::direction, "direction"},
    {Tag::upstream_cluster, "upstream_cluster|upstream_cluster.name"},
    {Tag::workload, "istio.canonical_service"},
    {Tag::route, "http.target,http.route,url.path,rpc.method"},
    {Tag::peer, "peer.service"},
    {Tag::database, "db.system,db.system.name"},
    {Tag::host, "server.address,net.peer.name"},
    {Tag::url, "http.url,url.full"},
    {Tag::error, "error"},
    {Tag::success, "success"},
    {Tag::status, "otel.status_code|status|langfuse.observation.level"},
    {Tag::virtual_parent, "virtual_parent.genai"},
    {Tag::query, "queryId,query_id,query.id"},
    {Tag::query_trace, "traceId,trace_id"},
    {Tag::project, "projectId,project_id,project.id,openinference.project.name"},
    {Tag::operation,
     "gen_ai.operation.name|openinference.span.kind|traceloop.span.kind|span.type|llm.request.type|"
     "ai.operationId|mlflow.spanType/.|langfuse.observation.type"},
    {Tag::agent, "gen_ai.agent.name|agent.name|graph.node.id"},
    {Tag::tool,
     "gen_ai.tool.name|tool.name|ai.toolCall.name|spring.ai.tool.definition.name|mcp.tool.name"},
    {Tag::plain_tool, "tool_name"},
    {Tag::tool_status, "gen_ai.tool.status|tool.status"},
    {Tag::grpc_status, "rpc.grpc.status_code|rpc.response.status_code|grpc.status_code"},
    {Tag::tool_input,
     "gen_ai.tool.call.arguments|gcp.vertex.agent.tool_call_args|tool.parameters|"
     "traceloop.entity.input|input.value"},
    {Tag::entity, "traceloop.entity.name"},
    {Tag::provider,
     "gen_ai.provider.name|gen_ai.system|llm.provider|llm.system|metrics.provider|llm.vendor|"
     "ai.model.provider"},
    {Tag::model,
     "gen_ai.response.model|gen_ai.request.model|llm.model_name|embedding.model_name|"
     "reranker.model_name|metrics.model|model.name|llm.response.model,llm.response.model_name|"
     "llm.request.model,llm.request.model_name|llm.model|mlflow.llm.model/.|"
     "langfuse.observation.model.name|ai.model.id"},
    {Tag::plain_model, "model"},
    {Tag::plain_provider, "provider"},
    {Tag::asked_model, "gen_ai.request.model|llm.request.model,llm.request.model_name"},
    {Tag::tokens_in, "ai.usage.tokens", 100},  // of an embedding
    {Tag::searched, "gen_ai.data_source.id"},
    {Tag::service_tier,
     "openai.response.service_tier|gen_ai.openai.response.service_tier|xtrace.service_tier"},
    {Tag::asked_service_tier, "openai.request.service_tier|gen_ai.openai.request.service_tier"},
    {Tag::residency, "xtrace.residency"},
    {Tag::uses_web_search, "xtrace.server_tools.web_search"},
    {Tag::uses_web_fetch, "xtrace.server_tools.web_fetch"},
    {Tag::uses_x_search, "xtrace.server_tools.x_search"},
    {Tag::uses_maps, "xtrace.server_tools.maps"},
    {Tag::uses_file_search, "xtrace.server_tools.file_search"},
    {Tag::uses_code_execution, "xtrace.server_tools.code_execution"},
    {Tag::uses_image_generation, "xtrace.server_tools.image_generation"},
    {Tag::cost, "operation.cost|mlflow.llm.cost/total_cost|langfuse.observation.cost_details/total",
     100},
    {Tag::context_used, "context.tokens_used|context.used_tokens"},
    {Tag::context_available, "context.tokens_available|context.available_tokens"},
    {Tag::context_limit, "context.limit|context.max_tokens|context.window"},
    {Tag::error_type, "error.type|exception.type"},
    {Tag::ended_by, "error.type"},
    {Tag::finish,
     "gen_ai.response.finish_reasons|gen_ai.response.finish_reason|ai.response.finishReason"},
    {Tag::failure,
     "otel.status_description|error.message|exception.message|error|"
     "langfuse.observation.status_message"},
    {Tag::http_status, "http.response.status_code|http.status_code"},
    {Tag::component, "component"},
    {Tag::request,
     "requestId,request_id,request.id,gen_ai.request.id,llm.request.id|gen_ai.response.id"},
    {Tag::task, "taskID,taskId,task_id,task.id"},
    {Tag::trigger, "triggeredBy,triggered_by,trigger.id,causationId,causation_id"},
    {Tag::step_type, "explanation.type|node.type"},
    {Tag::latency, "latency.ms,latencyMs,latency_ms"},
    {Tag::scope, "otel.scope.name|otel.library.name"},
    {Tag::scope_version, "otel.scope.version|otel.library.version"},
    {Tag::converted, "xtrace.node"},
    {Tag::retries, "xtrace.retries"},
    {Tag::folded,
     "mlflow.spanType,mlflow.llm.model,mlflow.chat.tokenUsage,mlflow.llm.cost,"
     "langfuse.observation.usage_details,langfuse.observation.cost_details,"
     "gcp.vertex.agent.llm_response"},
};

struct Name {
  std::string_view name;
  Tag tag = Tag::folded;
  uint8_t rank = 0;  ///< 0: the most particular
};

/// By name, so that they can be searched.
constexpr auto kNames = [] {
  std::array<Name, count_names(kTagNames)> names;
  size_t count = 0;
  for (const TagNames& row : kTagNames)
    each_name(row.names, [&](std::string_view name, uint8_t rank) {
      names[count++] = {name, row.tag, static_cast<uint8_t>(row.first + rank)};
    });
  std::ranges::sort(names, {}, &Name::name);
  return names;
}();

struct ByName {
  bool operator()(const Name& a, std::string_view b) const { return a.name < b; }
};
constexpr const Name* kEndOfNames = kNames.data() + kNames.size();
const Name* find_name(std::string_view key) {
  const Name* name = std::lower_bound(kNames.data(), kEndOfNames, key, ByName());
  return name != kEndOfNames && name->name == key ? name : nullptr;
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
    for (; name != kEndOfNames && name->name == key; ++name)
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
