#include "input/common/format.h"

namespace xtrace {

std::span<const Format> formats() {
  static constexpr Format kFormats[] = {
      {"atif", "agent trajectories (ATIF 1.0 to 1.7): steps, observations, subagents' trajectories",
       fits_atif, nullptr, read_atif, nullptr, nullptr, fits_atif_part, read_atif_part},
      {"claude-trace", "request and response pairs with HTTP headers, streams as raw events",
       fits_claude_trace, read_claude_trace},
      {"call-log", "one model call a line: id, timestamp, request, response", fits_call_log,
       read_call_log},
      {"proxy-log", "one HTTP exchange a line: timestamp, body, response.body", fits_proxy_log,
       read_proxy_log},
      {"codex", "rollouts of Codex: what it was told and answered, its subagents' files too",
       fits_codex, nullptr, read_codex, nullptr, nullptr, fits_codex, read_codex_line},
      {"gemini-cli", "chats that Gemini CLI saves, one session a record", fits_gemini_cli, nullptr,
       read_gemini_cli, nullptr, nullptr, fits_gemini_cli_part, read_gemini_cli_part},
      {"pi", "session transcripts of pi", fits_pi, nullptr, read_pi, nullptr, nullptr, fits_pi,
       read_pi_line},
      {"claude-code",
       "session transcripts of Claude Code, its stream-json and its subagents' files",
       fits_claude_code, nullptr, read_claude_code, nullptr, nullptr, fits_claude_code,
       read_claude_code_line},
      {"otlp", "OpenTelemetry's own JSON: resourceSpans, resourceLogs, resourceMetrics", fits_otlp,
       nullptr, read_otlp, fits_span, read_span_step, fits_otlp_thought, read_otlp_thought},
      {"otel-sdk", "spans as OpenTelemetry's libraries print them: Python, JavaScript, Monocle",
       fits_sdk_spans, nullptr, read_sdk_spans, fits_span, read_span_step},
      {"flat-spans", "one span an object: name, span_id, trace_id, start_time in nanoseconds",
       fits_flat_span, nullptr, read_flat_span, fits_span, read_span_step},
      {"zipkin", "spans as Zipkin's API takes and gives them (version 2)", fits_zipkin, nullptr,
       read_zipkin, fits_span, read_span_step},
      {"jaeger", "exports of Jaeger's API and user interface: traces of spans", fits_jaeger,
       nullptr, read_jaeger, fits_span, read_span_step},
      {"step-events", "one step of a query a line: queryId, node, metrics, evidenceRefs, subgraph",
       fits_step_event, nullptr, read_step_event, fits_step_event, read_step_record},
      {"thought-log",
       "what adapters log of a model's thinking: requestId, timestamp, text or tokens",
       fits_thought_log, nullptr, read_thought_log, nullptr, nullptr, fits_thought_log,
       read_thought_part},
      {"agent-events",
       "events of agents: ModelSwitched, CodeFixApplied, TaskRetryInitiated, each with its task",
       fits_agent_event, nullptr, read_agent_event},
  };
  return kFormats;
}

const Format* format_of(json::element record) {
  for (const Format& format : formats())
    if (format.fits(record)) return &format;
  return nullptr;
}

const Format* find_format(std::string_view name) {
  for (const Format& format : formats())
    if (format.name == name) return &format;
  return nullptr;
}

}  // namespace xtrace
