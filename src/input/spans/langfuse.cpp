#include <unordered_map>
#include <vector>

#include "input/common/format.h"
#include "input/common/item_places.h"
#include "input/common/record_context.h"
#include "input/spans/span_shape.h"

namespace xtrace {

// Traces of Langfuse, as its pages export them:
//
//   {"trace": {"id", "sessionId", "userId", …}, "observations": [{"id", "traceId",
//    "parentObservationId", "type": "GENERATION"|"SPAN"|"TOOL"|"AGENT"|…, "name", "startTime",
//    "endTime", "model", "usageDetails": {"input", "output", "total", …}, "costDetails": {"total"},
//    "level": "ERROR", "statusMessage"}]}
//
// and its observations one each, as its API lists them. Older versions have `usage` and
// `calculatedTotalCost`. What its libraries send are batches of events, of which several may tell
// of one observation, one after the other:
//
//   {"batch": [{"type": "trace-create"|"generation-create"|"span-update"|…, "timestamp",
//    "body": {observation}}]}

namespace {

constexpr OperationShape kLangfuseOperations[] = {
    {"GENERATION", "chat"},      {"TOOL", "execute_tool"},   {"AGENT", "invoke_agent"},
    {"EMBEDDING", "embeddings"}, {"RETRIEVER", "retrieval"},
};

constexpr TagShape kLangfuseTags[] = {
    {"chat", "model", "gen_ai.request.model"},
    {"chat", "usageDetails/input|usage/input|usage/promptTokens", "gen_ai.usage.input_tokens"},
    {"chat", "usageDetails/output|usage/output|usage/completionTokens",
     "gen_ai.usage.output_tokens"},
    {"chat", "usageDetails/total|usage/total|usage/totalTokens", "gen_ai.usage.total_tokens"},
    {"chat",
     "usageDetails/cache_read_input_tokens|usageDetails/input_cached_tokens|"
     "usageDetails/input_cache_read|usageDetails/prompt_details.cache_read",
     "gen_ai.usage.cache_read_input_tokens"},
    {"chat", "usageDetails/cache_creation_input_tokens|usageDetails/input_cache_creation",
     "gen_ai.usage.cache_creation_input_tokens"},
    {"chat", "costDetails/total|calculatedTotalCost|totalCost|usage/totalCost",
     "gen_ai.usage.cost"},
    {"execute_tool", "name", "gen_ai.tool.name"},
    {"invoke_agent", "name", "gen_ai.agent.name"},
    {"", "sessionId", "gen_ai.conversation.id"},
};

constexpr TagShape kLangfuseOfTrace[] = {
    {"", "trace/sessionId", "gen_ai.conversation.id"},
    {"", "trace/userId", "user.id"},
};

/// Where the trace itself was sent.
constexpr TagShape kOfBody[] = {
    {"", "sessionId", "gen_ai.conversation.id"},
    {"", "userId", "user.id"},
};

bool langfuse_failed(json::element observation) {
  return json::text_at(observation, "level") == "ERROR";
}

constexpr SpanShape kObservation = {
    .id = "id",
    .trace = "traceId",
    .parent = "parentObservationId",
    .name = "name",
    .began = "startTime",
    .ended = "endTime",
    .kind = "type",
    .operations = kLangfuseOperations,
    .tags = kLangfuseTags,
    .emitter = "langfuse",
    .failure = "statusMessage",
    .failed = langfuse_failed,
};

bool is_observations(std::string_view key) {
  return key == "observations";
}

bool is_observation(json::element record) {
  json::element start;
  return !json::text_at(record, "id").empty() && !json::text_at(record, "traceId").empty() &&
         !json::text_at(record, "type").empty() && json::find(record, "startTime", start);
}

/// `generation` of `generation-create`; empty: it is no event of what is observed.
std::string_view observed_by(json::element event) {
  std::string_view type = json::text_at(event, "type");
  for (std::string_view end : {"-create", "-update"})
    if (type.ends_with(end)) return type.substr(0, type.size() - end.size());
  return {};
}

bool is_langfuse_batch(json::element record) {
  json::element list, body;
  bool any = false;
  if (!json::find(record, "batch", list) || !json::is_array(list)) return false;
  json::items(list, [&](json::element event) {
    any |= !observed_by(event).empty() && json::find(event, "body", body) && json::is_object(body);
  });
  return any;
}

/// Events of one observation, the first of them and what tells more of it later.
struct Observed {
  std::string_view id, what;
  json::element body;
  std::vector<json::element> later;
  Extent at;
};

/// What a batch tells of, each once, and by its id.
struct Told {
  std::vector<Observed> all;
  std::unordered_map<std::string_view, size_t> by_id;

  Observed* find(std::string_view id) {
    const auto found = by_id.find(id);
    return found == by_id.end() ? nullptr : &all[found->second];
  }
  void add(Observed one) {
    by_id[one.id] = all.size();
    all.push_back(std::move(one));
  }
};

/// The word for it in exports: of an `observation` it stands in the body.
std::string_view word_of(const Observed& one) {
  if (one.what == "generation") return "GENERATION";
  return one.what == "span" || one.what == "event" ? "SPAN" : std::string_view();
}

bool is_events(std::string_view key) {
  return key == "batch";
}

void read_batch(json::element record, std::string_view text, const Extent& at,
                RecordContext& context) {
  ItemPlaces places(text, at, opens_nothing, is_events);
  Told observations, traces;
  json::element list, body, start;
  if (!json::find(record, "batch", list)) return;
  json::items(list, [&](json::element event) {
    const Extent place = places.next();
    const std::string_view what = observed_by(event);
    if (!json::find(event, "body", body)) return;
    const std::string_view id = json::text_at(body, "id");
    if (what.empty() || what == "score") return context.shard.count_records(1);
    Told& known = what == "trace" ? traces : observations;
    Observed* same = id.empty() ? nullptr : known.find(id);
    if (same == nullptr && what != "trace" && !json::find(body, "startTime", start))
      return context.shard.complain(Complaint::Kind::unknown_record, place,
                                    "more about an observation that another batch tells of");
    if (same == nullptr) return known.add({id, what, body, {}, place});
    same->later.push_back(body);
  });
  for (const Observed& one : observations.all) {
    ShapedSpans spans(kObservation, context);
    spans.later = one.later;
    spans.kind = word_of(one);
    if (const Observed* trace = traces.find(json::text_at(one.body, "traceId"))) {
      spans.whole = trace->later.empty() ? trace->body : trace->later.back();
      spans.common = kOfBody;
    }
    spans.read(one.body, one.at);
  }
}

bool fits_langfuse(json::element record) {
  json::element list;
  if (is_langfuse_batch(record)) return true;
  if (!json::find(record, "observations", list)) return is_observation(record);
  bool any = false;
  json::items(list, [&](json::element observation) { any |= is_observation(observation); });
  return any;
}

void read_langfuse(json::element record, std::string_view text, const Extent& at,
                   RecordContext& context) {
  ShapedSpans spans(kObservation, context);
  json::element list;
  if (is_langfuse_batch(record)) return read_batch(record, text, at, context);
  if (!json::find(record, "observations", list)) return spans.read(record, at);
  spans.whole = record;
  spans.common = kLangfuseOfTrace;
  ItemPlaces places(text, at, opens_nothing, is_observations);
  json::items(list, [&](json::element observation) { spans.read(observation, places.next()); });
}

}  // namespace

extern constinit const Format kLangfuse = {
    .name = "langfuse",
    .summary = "traces of Langfuse: exported, listed, and as its libraries send them",
    .fits = fits_langfuse,
    .needs = "observations|traceId|batch observations|startTime|batch",
    .read = read_langfuse,
};

}  // namespace xtrace
