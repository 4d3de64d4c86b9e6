#include "input/spans/plain_value.h"
#include "input/spans/span_shape.h"

namespace xtrace {

// What the tracing of OpenAI's Agents SDK gives to an exporter, a line or an item of `data` each:
//
//   {"object": "trace", "id", "workflow_name", "group_id": the conversation, if it has a name}
//   {"object": "trace.span", "id", "trace_id", "parent_id", "started_at", "ended_at",
//    "span_data": {"type", …}, "error": {"message"} or null}
//
// `type` is agent, generation, response (without texts or model), function (without the id of the
// call), handoff, guardrail, mcp_tools, or custom, whose usage sums up others.

namespace {

constexpr OperationShape kOpenaiAgentsOperations[] = {
    {"generation", "chat"},
    {"response", "chat"},
    {"function", "execute_tool"},
    {"agent", "invoke_agent"},
};

constexpr TagShape kOpenaiAgentsTags[] = {
    {"chat", "span_data/model", "gen_ai.request.model"},
    {"execute_tool", "span_data/name", "gen_ai.tool.name"},
    {"invoke_agent", "span_data/name", "gen_ai.agent.name"},
    {"", "span_data/from_agent", "from_agent"},
    {"", "span_data/to_agent", "to_agent"},
};

constexpr json::Path kOpenaiAgentsUsages[] = {"span_data/usage"};

constexpr RecordPattern kOpenaiAgentsRecords[] = {"object=trace.span", "object=trace id=trace_*"};

constexpr SpanShape kOpenaiAgentsSpan = {
    .when = kOpenaiAgentsRecords,
    .id = "id",
    .trace = "trace_id",
    .parent = "parent_id",
    .name = "span_data/name|span_data/type",
    .began = "started_at",
    .ended = "ended_at",
    .kind = "span_data/type",
    .operations = kOpenaiAgentsOperations,
    .tags = kOpenaiAgentsTags,
    .usages = kOpenaiAgentsUsages,
    .emitter = "openai-agents",
    .failure = "error/message",
    .result = "span_data/output|span_data/response_id",
};

void read_openai_agents(json::element record, std::string_view, const Extent& at,
                        RecordContext& context) {
  Shard& shard = context.shard;
  if (json::text_at(record, "object") == "trace") {
    shard.count_records(1);
    const StringId session = shard.intern(json::text_on(record, "group_id"));
    if (session)
      shard.add(TraceSession{at, intern_span_id(json::text_at(record, "id"), shard), session, {}});
    return;
  }
  ShapedSpans(kOpenaiAgentsSpan, context).read(record, at);
}

}  // namespace

extern constinit const Format kOpenaiAgents = format_of_spans<kOpenaiAgentsSpan>(
    "openai-agents", "traces of the OpenAI Agents SDK", "object", read_openai_agents);

}  // namespace xtrace
