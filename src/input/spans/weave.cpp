#include <algorithm>

#include "input/spans/span_shape.h"

namespace xtrace {

// Calls of W&B Weave, as its API lists them and its page exports them, one a record:
//
//   {"id", "trace_id", "parent_id", "op_name": "weave:///ENTITY/PROJECT/op/NAME:DIGEST",
//    "display_name", "project_id", "thread_id", "started_at", "ended_at", "exception",
//    "inputs": {"model", …}, "output": {"model", …},
//    "summary": {"usage": {MODEL: {"requests", "prompt_tokens", "completion_tokens", …}},
//                "weave": {"trace_name", "status":
//                "success"|"error"|"descendant_error"|"running"}},
//    "attributes": {"weave": {"kind": "llm"|"tool"|"agent"}}}
//
// https://docs.wandb.ai/weave/guides/tracking/tracing and CallSchema of its API (read 2026-11).

namespace {

constexpr OperationShape kWeaveOperations[] = {
    {"llm", "chat"}, {"tool", "execute_tool"}, {"agent", "invoke_agent"}};

constexpr json::Path kWeaveName = "display_name|summary/weave/trace_name|op_name";

constexpr TagShape kWeaveTags[] = {
    {"", "output/model|inputs/model", "gen_ai.request.model"},
    {"chat", "output/id", "gen_ai.response.id"},
    {"execute_tool", kWeaveName, "gen_ai.tool.name"},
    {"invoke_agent", kWeaveName, "gen_ai.agent.name"},
    {"", "thread_id", "gen_ai.conversation.id"},
};

constexpr RecordPattern kWeaveRecords[] = {"op_name:text id:text trace_id:text started_at:known"};

constexpr SpanShape kWeaveCall = {
    .when = kWeaveRecords,
    .id = "id",
    .trace = "trace_id",
    .parent = "parent_id",
    .name = kWeaveName,
    .began = "started_at",
    .ended = "ended_at",
    .kind = "attributes/weave/kind|attributes/kind",
    .operations = kWeaveOperations,
    .tags = kWeaveTags,
    .failure = "exception",
    .result = "output",
    .status = "summary/weave/status",
};

/// What a call used, by model, in the words of the vendor; a call around others has their sum.
DerivedCounts counts_of_models(json::element usage) {
  DerivedCounts sum;
  json::fields(usage, [&](std::string_view, json::element used) {
    const auto count = [&](json::Path path) { return json::count_on(used, path, kNoCount); };
    const auto add = [](int64_t& to, int64_t more) {
      if (more >= 0) to = std::max<int64_t>(to, 0) + more;
    };
    const int64_t read = count("cache_read_input_tokens"),
                  written = count("cache_creation_input_tokens");
    const int64_t within = count(
        "prompt_tokens_details/cached_tokens|"
        "input_tokens_details/cached_tokens");
    add(sum.input, count("prompt_tokens|input_tokens"));
    add(sum.output, count("completion_tokens|output_tokens"));
    // Anthropic counts its cache beside the input, OpenAI within it.
    if (within < 0) add(sum.input, read), add(sum.input, written);
    add(sum.cache_read, within >= 0 ? within : read);
    add(sum.cache_creation, written);
  });
  return sum;
}

void read_weave(json::element record, std::string_view, const Extent& at, RecordContext& context) {
  ShapedSpans spans(kWeaveCall, context);
  json::element usage, first;
  if (json::follow(record, "summary/usage", usage)) spans.counts = counts_of_models(usage);
  const bool has_usage = json::follow(record, "summary/usage/*", first);
  const bool has_kind = !json::text_on(record, kWeaveCall.kind).empty();
  // What Weave traces of a vendor's library by itself has no kind.
  if (!has_kind && has_usage && !json::text_on(record, "inputs/model").empty()) spans.kind = "llm";
  spans.read(record, at);
}

}  // namespace

extern constinit const Format kWeave =
    format_of_spans<kWeaveCall>("weave", "calls of W&B Weave: exports, API responses",
                                "op_name trace_id started_at", read_weave);

}  // namespace xtrace
