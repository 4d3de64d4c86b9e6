#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "input/common/json.h"
#include "input/spans/plain_value.h"

namespace xtrace {

/// What a tag of a span may tell, by whatever name it goes.
enum class Tag : uint8_t {
  // Who called whom, in the words of the Trust DAG (link/hops/hops.h) and of OpenTelemetry:
  trust_source,
  trust_actor,
  trust_target,
  trust_hop_kind,
  trust_run,
  trust_principal,
  user,
  session,
  service,
  kind,
  // How proxies of a mesh say which side of a call they stand on:
  direction,
  upstream_cluster,
  workload,
  route,
  peer,
  database,
  host,
  url,
  error,
  success,
  status,
  virtual_parent,
  // Which question it helps to answer (facts/step.h):
  query,
  query_trace,
  project,
  // What agents, tools and models did:
  operation,
  agent,
  tool,
  plain_tool,  ///< by a word that may be said of other things too
  tool_call,
  tool_status,
  grpc_status,
  ended_by,  ///< the class of the error with which it ended; exceptions may be handled
  finish,    ///< why the model stopped, a word or a list of one for each choice
  entity,
  provider,
  model,
  asked_model,
  plain_model,  ///< by a word that cars have too
  plain_provider,
  searched,
  tokens_in,
  tokens_out,
  tokens_total,
  tokens_uncached,  ///< of those in, what was in no cache
  tokens_thought,   ///< of those out, or beside them
  tokens_of_tools,  ///< beside those in, where Google counts
  context_used,
  context_available,
  context_limit,
  cache_read,
  cache_creation,
  service_tier,
  asked_service_tier,
  residency,
  /// How often a vendor ran each of its tools, in the order of ServerTool.
  uses_web_search,
  uses_web_fetch,
  uses_x_search,
  uses_maps,
  uses_file_search,
  uses_code_execution,
  uses_image_generation,
  cost,
  error_type,
  failure,  ///< in words
  http_status,
  // In the words of ExplanationGraph (facts/task_step.h):
  component,
  request,
  task,
  trigger,
  step_type,
  latency,
  // Which program wrote it, and how old that is:
  scope,
  scope_version,
  // Whether an answer of ours was converted into it, and how often it says that it was tried again:
  converted,
  retries,
  // Who handed a conversation over to whom, as the Agents SDK of OpenAI has it, and Logfire:
  handed_from,
  handed_to,
  tool_input,
  /// Not a value, but several, in JSON: tags by the names `TAG/KEY` and `TAG/KEY/KEY`; a single
  /// one is `TAG/.`.
  folded,
};
inline constexpr size_t kTags = static_cast<size_t>(Tag::folded);

/// Calls `each(key, value)` for every tag: of a map, or of a list of keys and values.
template <class Each>
void each_tag(json::element tags, Each each) {
  if (json::is_object(tags))
    return json::fields(tags, [&](std::string_view key, json::element value) {
      if (!key.empty()) each(key, plain_value(value));
    });
  json::items(tags, [&](json::element tag) {
    std::string_view key;
    json::element value;
    if (read_key_value(tag, key, value)) each(key, plain_value(value));
  });
}

/// The tags of a span as far as they are known by name. Of several names for one thing the most
/// particular counts; of equal ones the last.
class SpanTags {
 public:
  /// All tags, also where they are JSON in a string.
  void read(json::element tags);
  void read_tag(std::string_view key, json::element value) { read_at(key, value, 0); }
  /// Tags of a service that allows no dots in names: `gen_ai_request_model`.
  void read_labels(json::element labels);
  /// The counts of an object that holds usage, as a vendor or a service writes one, or JSON of it
  /// in a string; what is known already counts before them.
  void read_usage(json::element usage);
  /// `{"name", "version"}` of the library that wrote it.
  void read_scope(json::element scope);

  bool has(Tag tag) const { return at(tag).rank != kAbsent; }
  json::element value(Tag tag) const { return at(tag).value; }
  /// If it is a text.
  std::string_view text(Tag tag) const {
    return has(tag) ? json::text(at(tag).value) : std::string_view{};
  }
  /// A count, also one that is written as text; kNoCount if it is none.
  int64_t count(Tag tag) const;
  static int64_t count_in(json::element value);
  bool is_true(Tag tag) const;
  bool is_false(Tag tag) const;
  /// Of Vercel's AI SDK, the call of a provider itself (`ai.embed.doEmbed`); what is around it
  /// (`ai.embed`) has the same tags.
  bool is_provider_call() const;

  /// The library that wrote the span: its scope, unless something else shows that better.
  std::string_view emitter() const { return emitter_.empty() ? text(Tag::scope) : emitter_; }
  void set_emitter(std::string_view emitter) { emitter_ = emitter; }

  /// Things that Monocle lists beside each other: `entity.1.type`, `entity.1.name`.
  struct Entity {
    std::string_view type, name, from_agent;
  };
  /// What may be said of the step that it is (find_remark_name), in the order of the tags.
  struct Other {
    std::string_view key;
    json::element value;
  };
  std::span<const Other> others() const { return others_; }
  /// The shape of the first value if none of the tags has a shape that is read; else empty.
  const std::string& unread_shape() const { return unread_shape_; }
  /// The first whose type begins so.
  const Entity* entity(std::string_view type) const;

 private:
  static constexpr uint8_t kAbsent = UINT8_MAX;
  static constexpr int kDeepest = 4;  ///< objects in an object
  struct Value {
    json::element value;
    uint8_t rank = kAbsent;
  };

  const Value& at(Tag tag) const { return values_[static_cast<size_t>(tag)]; }
  void read_fields(const std::string& path, json::element value, int depth);
  void read_at(std::string_view key, json::element value, int depth);
  void read_folded(std::string_view key, json::element value);
  json::element unfolded(json::element value);
  void put(Tag tag, uint8_t rank, json::element value);
  void read_entities(json::element list);
  void read_entity(std::string_view key, json::element value);

  std::array<Value, kTags> values_;
  std::vector<Entity> entities_;
  std::unordered_map<int, size_t> numbered_entities_;  ///< where each stands
  std::vector<Other> others_;
  std::vector<std::shared_ptr<const simdjson::dom::parser>> unfolded_;  ///< what values are in
  std::string_view emitter_;
  std::string unread_shape_;
  size_t read_ = 0;  ///< values that have a tag
};

}  // namespace xtrace
