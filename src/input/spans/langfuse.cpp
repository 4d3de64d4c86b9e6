#include <unordered_map>
#include <utility>
#include <vector>

#include "input/common/format.h"
#include "input/common/item_places.h"
#include "input/common/record_context.h"
#include "input/spans/plain_value.h"
#include "input/spans/span_shape.h"

namespace xtrace {

// Traces of Langfuse, as its pages export them:
//
//   {"trace": {"id", "sessionId", "userId", …}, "observations": [{"id", "traceId",
//    "parentObservationId", "type": "GENERATION"|"SPAN"|"TOOL"|"AGENT"|…, "name", "startTime",
//    "endTime", "model", "usageDetails": {"input", "output", "total", …}, "costDetails": {"total"},
//    "level": "ERROR", "statusMessage"}]}
//
// and its observations one each, as its API lists them, or in snake_case (`trace_id`,
// `provided_model_name`) as it exports them to a bucket and keeps them in its tables. Older
// versions have `usage` and `calculatedTotalCost`. What its libraries send are batches of events,
// of which several may tell of one observation, also in other batches, and in any order:
//
//   {"batch": [{"type": "trace-create"|"generation-create"|"span-update"|…, "timestamp",
//    "body": {observation}}]}

namespace {

constexpr OperationShape kLangfuseOperations[] = {
    {"GENERATION", "chat"},      {"TOOL", "execute_tool"},   {"AGENT", "invoke_agent"},
    {"EMBEDDING", "embeddings"}, {"RETRIEVER", "retrieval"},
};

constexpr TagShape kLangfuseTags[] = {
    {"", "model|provided_model_name", "gen_ai.request.model"},
    {"",
     "costDetails/total|cost_details/total|calculatedTotalCost|calculated_total_cost|totalCost|"
     "total_cost|usage/totalCost",
     "gen_ai.usage.cost"},
    {"execute_tool", "name", "gen_ai.tool.name"},
    {"invoke_agent", "name", "gen_ai.agent.name"},
    {"", "sessionId|session_id", "gen_ai.conversation.id"},
};

constexpr json::Path kLangfuseUsages[] = {"usageDetails", "usage_details", "usage"};

constexpr TagShape kLangfuseOfTrace[] = {
    {"", "trace/sessionId|sessionId", "gen_ai.conversation.id"},
    {"", "trace/userId|userId", "user.id"},
};

/// Does it hold what belongs to `input`, which buckets of any name may?
bool names(std::string_view bucket, std::string_view what) {
  return bucket.find(what) != std::string_view::npos;
}

/// Of `usageDetails` each token is in one bucket alone: `input` is without `input_cached_tokens`,
/// and `output` without `output_reasoning_tokens`. `total` is all of them, and shows where somebody
/// did not keep to that.
DerivedCounts counts_of_buckets(json::element details) {
  DerivedCounts sum;
  int64_t all = 0;
  json::fields(details, [&](std::string_view bucket, json::element value) {
    const int64_t count = SpanTags::count_in(value);
    if (count < 0) return;
    if (bucket == "total") {
      sum.total = count;
      return;
    }
    const bool is_cached = names(bucket, "cache");
    int64_t* to = nullptr;
    if (names(bucket, "output"))
      to = &sum.output;
    else if (is_cached && (names(bucket, "creation") || names(bucket, "write")))
      to = &sum.cache_creation;
    else if (is_cached)
      to = &sum.cache_read;
    else if (names(bucket, "input"))
      to = &sum.input;
    if (to == nullptr) return;
    *to = sum_of_known({*to, count});
    all = sum_of_known({all, count});
  });
  const bool is_sound = sum.total < 0 || sum.total == all;
  return is_sound ? sum : DerivedCounts();
}

/// Counts beside it all, which are 0 where nothing is known.
DerivedCounts flat_counts(json::element observation) {
  DerivedCounts flat;
  flat.total = json::count_on(observation, "totalTokens|totalUsage|total_tokens", kNoCount);
  if (flat.total <= 0) return {};
  flat.input = json::count_on(observation, "promptTokens|inputUsage|prompt_tokens", kNoCount);
  flat.output =
      json::count_on(observation, "completionTokens|outputUsage|completion_tokens", kNoCount);
  return flat;
}

bool tells_usage(json::element observation) {
  json::element found;
  return json::follow(observation,
                      "usageDetails/input|usageDetails/output|usage_details/input|"
                      "usage_details/output|usage/input|usage/output|usage/promptTokens|"
                      "usage/completionTokens",
                      found);
}

void take_counts(json::element observation, DerivedCounts& counts) {
  json::element details;
  if (json::follow(observation, "usageDetails|usage_details", details) && tells_usage(observation))
    counts = counts_of_buckets(details);
  else if (tells_usage(observation))
    counts = {};
  else if (const DerivedCounts flat = flat_counts(observation); flat.total > 0)
    counts = flat;
}

DerivedCounts count_in_observation(json::element observation, Parsers&) {
  DerivedCounts counts;
  take_counts(observation, counts);
  return counts;
}

/// The latter three are of a bucket: who else keeps spans by these names has other words for what
/// they are.
constexpr RecordPattern kLangfuseRecords[] = {
    "id:text traceId:text type:text startTime:known",
    "trace_id:text start_time:known "
    "type=GENERATION|SPAN|EVENT|TOOL|AGENT|CHAIN|RETRIEVER|EMBEDDING|EVALUATOR|GUARDRAIL "
    "span_id:known provided_model_name|usage_details",
    "trace_id:text start_time:known "
    "type=GENERATION|SPAN|EVENT|TOOL|AGENT|CHAIN|RETRIEVER|EMBEDDING|EVALUATOR|GUARDRAIL "
    "!span_id:known id:text parent_observation_id:known",
    "trace_id:text start_time:known "
    "type=GENERATION|SPAN|EVENT|TOOL|AGENT|CHAIN|RETRIEVER|EMBEDDING|EVALUATOR|GUARDRAIL "
    "!span_id:known id:text provided_model_name|usage_details|level"};

constexpr SpanShape kObservation = {
    .when = kLangfuseRecords,
    .list = "observations",
    .common = kLangfuseOfTrace,
    .count = count_in_observation,
    .id = "id|span_id",
    .trace = "traceId|trace_id",
    .parent = "parentObservationId|parent_observation_id|parent_span_id",
    .name = "name",
    .began = "startTime|start_time",
    .ended = "endTime|end_time",
    .kind = "type",
    .operations = kLangfuseOperations,
    .tags = kLangfuseTags,
    .usages = kLangfuseUsages,
    .emitter = "langfuse",
    .failure = "statusMessage|status_message",
    .result = "output",
};

/// An event of a batch: what it tells of, and whether it begins that.
struct Told {
  std::string_view of;
  bool begins = false;
};

/// `generation` of `generation-create`; empty: it is no event of anything.
Told told_by(json::element event) {
  const std::string_view type = json::text_at(event, "type");
  for (std::string_view end : {"-create", "-update"})
    if (type.ends_with(end)) return {type.substr(0, type.size() - end.size()), end == "-create"};
  return {};
}

bool is_langfuse_batch(json::element record) {
  json::element list, body;
  bool any = false;
  if (!json::find(record, "batch", list) || !json::is_array(list)) return false;
  json::items(list, [&](json::element event) {
    any |= !told_by(event).of.empty() && json::find(event, "body", body) && json::is_object(body);
  });
  return any;
}

/// Events of one observation: the first that begins it, else the first, and what tells more of it.
struct Observed {
  std::string_view id;
  Told what;
  json::element body;
  std::vector<json::element> later;
  Extent at;
};

/// What a batch tells of, each once, and by its id.
class Observations {
 public:
  void add(std::string_view id, const Told& what, json::element body, const Extent& at) {
    const auto [known, is_new] = by_id_.try_emplace(id, all_.size());
    if (is_new || id.empty()) return all_.push_back({id, what, body, {}, at});
    Observed& same = all_[known->second];
    if (!what.begins || same.what.begins) return same.later.push_back(body);
    same.later.insert(same.later.begin(), same.body);
    same.what = what, same.body = body, same.at = at;
  }
  const std::vector<Observed>& all() const { return all_; }

 private:
  std::vector<Observed> all_;
  std::unordered_map<std::string_view, size_t> by_id_;
};

/// What there are events of that is observed, and the word for it in exports.
constexpr std::pair<std::string_view, std::string_view> kObserved[] = {
    {"generation", "GENERATION"}, {"tool", "TOOL"},           {"agent", "AGENT"},
    {"embedding", "EMBEDDING"},   {"retriever", "RETRIEVER"}, {"span", "SPAN"},
    {"event", "EVENT"},           {"chain", "CHAIN"},         {"evaluator", "EVALUATOR"},
    {"guardrail", "GUARDRAIL"},   {"observation", ""},  // it stands in the body
};

const std::string_view* find_word_of(std::string_view what) {
  for (const auto& [event, word] : kObserved)
    if (what == event) return &word;
  return nullptr;
}

bool is_events(std::string_view key) {
  return key == "batch";
}

void read_trace_event(json::element body, const Extent& at, Shard& shard) {
  shard.count_records(1);
  const StringId trace = intern_span_id(json::text_at(body, "id"), shard);
  const StringId session = shard.intern(json::text_on(body, "sessionId"));
  const StringId user = shard.intern(json::text_on(body, "userId"));
  if (trace && (session || user)) shard.add(TraceSession{at, trace, session, user});
}

void read_observation(const Observed& one, RecordContext& context) {
  ShapedSpans spans(kObservation, context);
  json::element start;
  bool has_start = json::find(one.body, "startTime", start);
  for (json::element later : one.later) has_start |= json::find(later, "startTime", start);
  spans.later = one.later;
  take_counts(one.body, spans.counts);
  for (json::element later : one.later) take_counts(later, spans.counts);
  if (const std::string_view* word = find_word_of(one.what.of)) spans.kind = *word;
  spans.part = one.what.begins && has_start ? SpanPart::begun : SpanPart::more;
  spans.read(one.body, one.at);
}

void read_batch(json::element record, std::string_view text, const Extent& at,
                RecordContext& context) {
  ItemPlaces places(text, at, opens_nothing, is_events);
  Observations observations;
  json::element list, body;
  if (!json::find(record, "batch", list)) return;
  json::items(list, [&](json::element event) {
    const Extent place = places.next();
    const Told told = told_by(event);
    if (!json::find(event, "body", body)) return;
    if (told.of == "trace") return read_trace_event(body, place, context.shard);
    if (find_word_of(told.of) == nullptr) return context.shard.count_records(1);  // `score-create`
    observations.add(json::text_at(body, "id"), told, body, place);
  });
  for (const Observed& one : observations.all()) read_observation(one, context);
}

bool fits_langfuse(RecordMatcher& record) {
  return is_langfuse_batch(record) || fits_shape(record, kObservation);
}

void read_langfuse(json::element record, std::string_view text, const Extent& at,
                   RecordContext& context) {
  if (is_langfuse_batch(record)) return read_batch(record, text, at, context);
  read_shaped(record, text, at, kObservation, context);
}

}  // namespace

extern constinit const Format kLangfuse = {
    .name = "langfuse",
    .summary = "traces of Langfuse: exports, API responses, SDK requests",
    .matches = fits_langfuse,
    .needs = "observations|traceId|batch|trace_id observations|startTime|batch|start_time",
    .read = read_langfuse,
};

}  // namespace xtrace
