#include "input/spans/join_agent_spans.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "input/common/raw_trace.h"
#include "input/spans/agent_telemetry.h"

namespace xtrace {

namespace {

/// What both a log and a trace call it by: the request that a model was asked with, or the use of a
/// tool; of a log record that has neither, its id, as Codex writes each record twice.
struct Name {
  enum class Of : uint8_t { request, tool_use, record };
  Of of = Of::record;
  StringId name;

  auto operator<=>(const Name&) const = default;
};

Name name_of(const RawTrace& trace, const Span& span, bool is_of_log) {
  if (!span.gen_ai) return {};
  const GenAi& told = trace[span.gen_ai];
  if (told.role == GenAi::Role::tool && told.tool_call) return {Name::Of::tool_use, told.tool_call};
  if (told.role == GenAi::Role::model && span.task_step && trace[span.task_step].request)
    return {Name::Of::request, trace[span.task_step].request};
  return is_of_log ? Name{Name::Of::record, span.id} : Name{};
}

/// Fills in what `into` leaves open.
void take(const GenAi& more, GenAi& into) {
  for (StringId GenAi::*name : {&GenAi::agent, &GenAi::tool, &GenAi::tool_call, &GenAi::model,
                                &GenAi::provider, &GenAi::error})
    if (!(into.*name)) into.*name = more.*name;
  if (into.tokens == Tokens{}) into.tokens = more.tokens, into.token_rule = more.token_rule;
  if (into.cost < 0) into.cost = more.cost;
  if (into.tool_error == ToolError::none) into.tool_error = more.tool_error;
  into.retries = std::max(into.retries, more.retries);
}

void take(RawTrace& trace, const Span& more, Span& into) {
  take(trace[more.gen_ai], trace.gen_ai[into.gen_ai.index]);
  into.outcome = joined(into.outcome, more.outcome);
  if (into.duration == kNoDuration) into.duration = more.duration;
  if (!into.session) into.session = more.session;
  if (!into.principal) into.principal = more.principal;
}

bool are_of_one_session(const Span& a, const Span& b) {
  return !a.session || !b.session || a.session == b.session;
}

void join_logs(RawTrace& trace, const std::vector<bool>& is_of_log) {
  std::map<Name, size_t> known;  // those of traces before those of logs, else the first
  std::vector<bool> is_told(trace.spans.size());
  for (bool of_log : {false, true})
    for (size_t i = 0; i < trace.spans.size(); ++i) {
      const Span& span = trace.spans[i];
      if (is_of_log[i] != of_log) continue;
      const Name name = name_of(trace, span, of_log);
      if (!name.name) continue;
      const auto [first, is_new] = known.try_emplace(name, i);
      if (is_new || !of_log || !are_of_one_session(span, trace.spans[first->second])) continue;
      take(trace, span, trace.spans[first->second]);
      is_told[i] = true;
    }
  size_t at = 0;
  std::erase_if(trace.spans, [&](const Span&) { return is_told[at++]; });
}

void fail_with_execution(RawTrace& trace) {
  auto is_failed_execution = [&](const Span& span) {
    return span.outcome == Outcome::error && is_tool_execution(trace[span.operation]);
  };
  if (std::none_of(trace.spans.begin(), trace.spans.end(), is_failed_execution)) return;
  std::map<std::pair<StringId, StringId>, size_t> uses;  // by trace and id
  for (size_t i = 0; i < trace.spans.size(); ++i)
    if (const Span& span = trace.spans[i];
        span.gen_ai && trace[span.gen_ai].role == GenAi::Role::tool)
      uses.emplace(std::pair(span.trace, span.id), i);
  for (const Span& span : trace.spans) {
    if (!is_failed_execution(span)) continue;
    for (uint32_t i = 0; i < span.parents; ++i) {
      const SpanParent& parent = trace.span_parents[span.first_parent + i];
      auto use = uses.find({parent.trace ? parent.trace : span.trace, parent.span});
      if (use == uses.end()) continue;
      Span& tool = trace.spans[use->second];
      tool.outcome = Outcome::error;
      if (span.gen_ai) take(trace[span.gen_ai], trace.gen_ai[tool.gen_ai.index]);
    }
  }
}

}  // namespace

bool is_tool_execution(std::string_view operation) {
  return operation == "claude_code.tool.execution";
}

void join_agent_spans(RawTrace& trace) {
  fail_with_execution(trace);
  std::vector<bool> is_of_log;
  for (const Span& span : trace.spans)
    is_of_log.push_back(span.gen_ai && is_of_agent_log(trace[span.operation]));
  if (std::find(is_of_log.begin(), is_of_log.end(), true) != is_of_log.end())
    join_logs(trace, is_of_log);
}

}  // namespace xtrace
