#include "view/audit/event_kinds.h"

#include "base/address.h"
#include "link/activities/deed.h"
#include "view/audit/written_files.h"

namespace xtrace {

namespace {

constexpr EventKind kEventKinds[] = {
    {"prompt", "model calls whose request is recorded",
     "no request with its messages is recorded; log the requests, or keep transcripts",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_call(seen, [](const Call& call, CallId) { return bool(call.request); });
       record.each_prompt(seen, [](std::span<const Quote> prompt) { return !prompt.empty(); });
     }},
    {"model_call", "calls of models, failed ones among them",
     "no call of a model is recorded; log requests and replies, or spans of chat",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_activity(
           seen, [](const Activity& one) { return one.kind == Activity::Kind::model_call; });
     }},
    {"tool_use", "uses of tools, refused ones among them",
     "no use of a tool is recorded; log replies with their tool uses, or tool spans",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_activity(
           seen, [](const Activity& one) { return one.kind == Activity::Kind::tool_run; });
     }},
    {"tool_result", "uses of tools whose outcome is recorded",
     "no result of a tool is recorded; log the request that returns it, or the end of tool spans",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.kind == Activity::Kind::tool_run && is_known(one.outcome);
       });
     }},
    {"error", "failed model calls, tool uses and other steps",
     "no failure is recorded; either nothing failed, or the log does not record failures",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.outcome == Outcome::error && !one.same_failure;
       });
     }},
    {"approval_or_denial",
     "tool uses that the user refused, and questions and plans that the user answered",
     "no refusal and no answer of the user is recorded; log each decision with the id of the tool "
     "use (approvals that only let a tool run are not counted)",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.tool_error == ToolError::denied ||
                (one.kind == Activity::Kind::tool_run && asks_a_person(one.tool) &&
                 is_known(one.outcome));
       });
     }},
    {"user_turn", "model calls that answer a new message of the user",
     "no message of the user is recorded; log requests with their messages, or keep transcripts",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_call(seen, [&](const Call&, CallId id) {
         return begins_turn(record.graph, id) && answers_a_user(record.graph, id);
       });
       record.each_prompt(seen, [](std::span<const Quote> prompt) {
         return !prompt.empty() && prompt.back().kind == Quote::Kind::text;
       });
     }},
    {"subagent_start", "subagents that a tool use started",
     "no start of a subagent is recorded; either none was started, or its calls are logged "
     "elsewhere",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_link(seen, [](const Link& one) { return one.kind == LinkKind::subagent_spawn; });
     }},
    {"subagent_report", "replies of subagents that the agent that started them received",
     "no report of a subagent is recorded; log the subagent's calls and the request that returns "
     "its answer",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_link(seen,
                        [](const Link& one) { return one.kind == LinkKind::subagent_report; });
     }},
    {"retry", "repeated attempts after a failure",
     "no repeated attempt is recorded; either nothing was tried again, or failed attempts are not "
     "logged",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_activity(seen, [](const Activity& one) { return bool(one.retry_of); });
     }},
    {"compaction", "summaries that replaced a history",
     "no summary that replaces a history is recorded; either there was none, or histories are not "
     "logged",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_call(seen,
                        [](const Call& call, CallId) { return call.is_compacted || call.sums_up; });
     }},
    {"file_written",
     "tool uses that write or edit files, without those that failed or were refused",
     "no file written by a tool is recorded; log the arguments of tools, or their targets",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_target(seen, [&](const Activity& tool, std::string_view target) {
         return host_of(target).empty() && may_have_written(record.trace, tool);
       });
     }},
    {"host_reached", "tool uses with the address of a host",
     "no address that a tool reached is recorded; log the arguments of tools, or their targets",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_target(
           seen, [](const Activity&, std::string_view target) { return !host_of(target).empty(); });
     }},
    {"mcp_tool_use", "uses of tools whose names begin with `mcp__`",
     "no use of a tool of an MCP server is recorded; either there was none, or tools have names "
     "without `mcp__`",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.kind == Activity::Kind::tool_run && one.tool.starts_with("mcp__");
       });
     }},
    {"system_prompt", "model calls with a recorded system prompt",
     "no system prompt was found; it is searched in logged requests and stored conversations only, "
     "not in transcripts of coding agents or spans",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_call(seen, [](const Call& call, CallId) { return bool(call.system_prompt); });
     }},
    {"model_version", "model calls with the name of the model",
     "no model is named; log the model that answered, with its version",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.kind == Activity::Kind::model_call && !one.model.empty();
       });
     }},
    {"cost", "model calls with a cost that the log states",
     "the log states no cost; costs in this pack are computed from tokens and a list of prices",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_activity(seen, [](const Activity& one) {
         return one.kind == Activity::Kind::model_call && one.cost_is_recorded;
       });
     }},
    {"run_id", "records with the id of a session, run or trace",
     "no record names its session, run or trace; log an id that all records of a run share",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_call(seen, [](const Call& call, CallId) { return bool(call.session); });
       record.each_span(seen, [](const Span& span) {
         return bool(span.run) || bool(span.trace) || bool(span.query);
       });
     }},
    {"timestamp", "records with a time", "no record has a time; log when each call begins and ends",
     [](const RecordedEvents& record, SeenEvents& seen) {
       record.each_call(seen, [](const Call& call, CallId) { return call.start != kNoTime; });
       record.each_span(seen, [](const Span& span) { return span.start != kNoTime; });
     }},
};

}  // namespace

std::span<const EventKind> event_kinds() {
  return kEventKinds;
}

}  // namespace xtrace
