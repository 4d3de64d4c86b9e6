#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "facts/step.h"
#include "input/common/format.h"
#include "input/spans/span_shape.h"
#include "input/transcripts/part.h"

namespace xtrace {

// Runs of LangSmith, listed one each:
//
//   {"id", "trace_id", "parent_run_id", "dotted_order", "run_type": "llm"|"chain"|"tool"|…, "name",
//    "start_time", "end_time", "inputs", "outputs", "error", "extra": {"metadata", …},
//    "prompt_tokens", "completion_tokens", "total_tokens", "total_cost"}
//
// with those below it in `child_runs` where these were asked for, many in an answer of its API,
// {"runs": [{run}], "cursors"}, or as its libraries send them,
// {"post": [{run}], "patch": [{what is known of it later}]}, where a run that takes longer is
// posted in one batch and patched in another. A patch may lack the id; `dotted_order` ends with it,
// `TIMEZuuid.TIMEZuuid`, and names the parent before it. Tokens and costs of chains are sums over
// what is below them, which the ledger counts once (link/ledger).

namespace {

constexpr OperationShape kLangsmithOperations[] = {
    {"llm", "chat"},
    {"tool", "execute_tool"},
    {"embedding", "embeddings"},
    {"retriever", "retrieval"},
};

constexpr TagShape kLangsmithTags[] = {
    {"",
     "extra/metadata/ls_model_name|extra/invocation_params/model|extra/invocation_params/"
     "model_name|"
     "usage_metadata/model|outputs/llm_output/model_name",
     "gen_ai.request.model"},
    {"", "extra/metadata/ls_provider", "gen_ai.provider.name"},
    {"execute_tool", "name", "gen_ai.tool.name"},
    {"execute_tool",
     "extra/tool_call_id|outputs/output/tool_call_id|outputs/output/kwargs/tool_call_id",
     "gen_ai.tool.call.id"},
    {"", "extra/metadata/thread_id|extra/metadata/session_id|extra/metadata/conversation_id",
     "gen_ai.conversation.id"},
};

/// The usage of the reply, that which LangSmith's wrappers note, and the run's own sums.
constexpr json::Path kLangsmithUsages[] = {
    "outputs/usage_metadata",
    "outputs/generations/0/0/message/kwargs/usage_metadata",
    "outputs/generations/0/0/message/usage_metadata",
    "usage_metadata",
    "extra/metadata/usage_metadata",
    "outputs/llm_output/token_usage",
    ".",  // older runs, and sums that LangSmith makes
};

constexpr SpanShape kRun = {
    .id = "id",
    .trace = "trace_id",
    .parent = "parent_run_id",
    .name = "name",
    .began = "start_time",
    .ended = "end_time",
    .kind = "run_type",
    .operations = kLangsmithOperations,
    .tags = kLangsmithTags,
    .usages = kLangsmithUsages,
    .emitter = "langsmith",
    .failure = "error",
    .result = "outputs",
};

bool is_run(json::element record) {
  json::element start;
  return !json::text_at(record, "run_type").empty() && json::find(record, "start_time", start);
}

bool is_langsmith_batch(json::element record) {
  json::element post, patch;
  const bool has_post = json::find(record, "post", post) && json::is_array(post);
  const bool has_patch = json::find(record, "patch", patch) && json::is_array(patch);
  if (!has_post && !has_patch) return false;
  bool is_it = false;
  auto look = [&](json::element run) {
    is_it |= is_run(run) || !json::text_at(run, "dotted_order").empty() ||
             !(json::text_at(run, "id").empty() || json::text_at(run, "trace_id").empty());
  };
  if (has_post) json::items(post, look);
  if (has_patch) json::items(patch, look);
  return is_it;
}

bool is_answer(json::element record) {
  json::element list;
  bool is_it = false;
  if (!json::find(record, "runs", list) || !json::is_array(list)) return false;
  json::items(list, [&](json::element run) { is_it |= is_run(run); });
  return is_it;
}

bool fits_langsmith(json::element record) {
  return is_run(record) || is_answer(record) || is_langsmith_batch(record);
}

/// Whom `dotted_order` names, the root of the trace first.
struct Ordered {
  std::string_view root, parent, own;
};

Ordered order_of(json::element run) {
  auto id_in = [](std::string_view segment) {
    const size_t at = segment.rfind('Z');
    return at == std::string_view::npos ? std::string_view{} : segment.substr(at + 1);
  };
  std::string_view order = json::text_at(run, "dotted_order");
  Ordered ordered;
  ordered.root = id_in(order.substr(0, order.find('.')));
  for (std::string_view* id : {&ordered.own, &ordered.parent}) {
    const size_t last = order.rfind('.');
    *id = id_in(order.substr(last + 1));  // behind no dot: all of it
    order = order.substr(0, last == std::string_view::npos ? 0 : last);
  }
  return ordered;
}

std::string_view id_of(json::element run) {
  const std::string_view id = json::text_at(run, "id");
  return id.empty() ? order_of(run).own : id;
}

constexpr json::Path kUsageOfMessage = "0/message/kwargs/usage_metadata|0/message/usage_metadata";

/// LangChain asks with several conversations at once, and each answer has its own usage. Of several
/// answers to one conversation each tells the usage of all.
DerivedCounts counts_of_batches(json::element run) {
  json::element list, usage;
  DerivedCounts sum;
  size_t batches = 0;
  if (json::follow(run, "outputs/usage_metadata", usage) ||
      !json::follow(run, "outputs/generations", list))
    return {};
  auto add = [&](int64_t& to, json::Path path) {
    if (const int64_t count = json::count_on(usage, path, kNoCount); count >= 0)
      to = sum_of_known({to, count});
  };
  json::items(list, [&](json::element answers) {
    if (!json::follow(answers, kUsageOfMessage, usage)) return;
    ++batches;
    add(sum.input, "input_tokens");
    add(sum.output, "output_tokens");
    add(sum.total, "total_tokens");
    add(sum.cache_read, "input_token_details/cache_read");
    add(sum.cache_creation, "input_token_details/cache_creation");
  });
  return batches > 1 ? sum : DerivedCounts();
}

/// Of a record that is one run or holds several; `patches` tell more of it.
void read_run(json::element run, std::span<const json::element> patches, SpanPart part,
              const Extent& at, RecordContext& context) {
  ShapedSpans spans(kRun, context);
  spans.part = part;
  spans.later.assign(patches.begin(), patches.end());
  const Ordered order = order_of(run);
  spans.made_id = id_of(run);
  spans.made_parent = order.parent;
  spans.run = order.root;
  spans.counts = counts_of_batches(run);
  for (json::element later : spans.later)
    if (const DerivedCounts counts = counts_of_batches(later); counts.input >= 0)
      spans.counts = counts;
  spans.read(run, at);
}

/// With those below it, if they are in it.
void read_runs(json::element run, const Part& whole, RecordContext& context) {
  read_run(run, {}, SpanPart::whole, whole.at, context);
  each_item(run, whole, "child_runs", [&](json::element child, const Part& part) {
    if (is_run(child)) read_runs(child, part, context);
  });
}

void read_langsmith(json::element record, std::string_view text, const Extent& at,
                    RecordContext& context) {
  const Part whole{text, at};
  if (is_run(record)) return read_runs(record, whole, context);
  json::element list;
  if (is_answer(record))
    return each_item(record, whole, "runs",
                     [&](json::element run, const Part& part) { read_runs(run, part, context); });
  std::unordered_map<std::string_view, std::vector<json::element>> patches;
  std::unordered_set<std::string_view> posted;
  if (json::find(record, "patch", list))
    json::items(list, [&](json::element patch) { patches[id_of(patch)].push_back(patch); });
  if (json::find(record, "post", list))
    json::items(list, [&](json::element run) {
      const std::string_view id = id_of(run);
      std::vector<json::element> more;  // of several of one id the first one has them
      if (const auto of = patches.find(id); !id.empty() && of != patches.end())
        more.swap(of->second);
      read_run(run, more, SpanPart::begun, at, context);
      posted.insert(id);
    });
  // What was begun in another batch.
  if (json::find(record, "patch", list))
    json::items(list, [&](json::element patch) {
      if (!posted.contains(id_of(patch))) read_run(patch, {}, SpanPart::more, at, context);
    });
}

/// The last message of a list, or of the first of several lists.
bool find_last_message(json::element run, json::element& message) {
  json::element list;
  if (!json::follow(run, "inputs/messages/0/0", message) &&
      !json::follow(run, "inputs/messages/0", message))
    return false;
  if (!json::follow(run, "inputs/messages/0", list) || !json::is_array(list))
    if (!json::follow(run, "inputs/messages", list)) return false;
  json::items(list, [&](json::element one) { message = one; });
  return true;
}

/// What a run that stands alone was given and gave; of a batch nothing shows which it is.
void read_run_step(json::element run, StepRecord& step) {
  if (!is_run(run)) return;
  json::element message;
  if (find_last_message(run, message))
    step.inputs = json::text_on(message,
                                "kwargs/content|content|kwargs/content/0/text|"
                                "content/0/text");
  if (step.inputs.empty()) step.inputs = json::text_on(run, "inputs/input|inputs/query");
  step.outputs = json::text_on(run,
                               "outputs/generations/0/0/text|"
                               "outputs/generations/0/0/message/kwargs/content|"
                               "outputs/generations/0/0/message/kwargs/content/0/text|"
                               "outputs/choices/0/message/content|outputs/output/content|"
                               "outputs/output/kwargs/content|"
                               "outputs/output|outputs/content");
}

}  // namespace

extern constinit const Format kLangsmith = {
    .name = "langsmith",
    .summary = "runs of LangSmith: exports, API responses, SDK requests",
    .fits = fits_langsmith,
    .needs = "run_type|post|patch|runs start_time|post|patch|runs",
    .read = read_langsmith,
    .step = read_run_step,
};

}  // namespace xtrace
