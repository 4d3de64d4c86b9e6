#include "input/transcripts/agents_started.h"

#include <algorithm>
#include <vector>

#include "facts/rows.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// A tool use that starts agents, and how long it was at work: until its result was there.
struct AgentsStart {
  StringId use;
  Time began = kNoTime, ended = kNoTime;

  bool is_at_work(Time at) const { return began != kNoTime && began <= at && at <= ended; }
};

/// Results stand soon behind their uses.
void end_start(StringId use, Time time, std::vector<AgentsStart>& starts) {
  constexpr size_t kNear = 16;
  for (size_t back = 1; back <= std::min(kNear, starts.size()); ++back)
    if (AgentsStart& start = starts[starts.size() - back]; start.use == use) start.ended = time;
}

std::vector<AgentsStart> starts_of_agents(std::span<const size_t> sent, const RawTrace& trace) {
  std::vector<AgentsStart> starts;
  for (const size_t i : sent) {
    const Utterance& at = trace.utterances[i];
    if (!at.message) continue;
    if (at.kind == Kind::answered) {
      const Time asked = at.took == kNoDuration ? at.time : after(at.time, at.took);
      for (const ToolUse& use : rows_of(trace.tool_uses, at.message))
        if (use.id && trace[use.name] == "use_subagents") starts.push_back({use.id, asked});
    } else if (!starts.empty()) {
      for (const ToolResult& result : rows_of(trace.tool_results, at.message))
        end_start(result.tool_use, at.time == kNoTime ? at.place : at.time, starts);
    }
  }
  return starts;
}

}  // namespace

void name_agents_started(std::span<const size_t> sent, std::span<const size_t> reports,
                         RawTrace& trace) {
  if (reports.empty()) return;
  const std::vector<AgentsStart> starts = starts_of_agents(sent, trace);
  for (const size_t i : reports) {
    Utterance& report = trace.utterances[i];
    if (report.time == kNoTime || report.tool_use) continue;
    const auto later =
        std::upper_bound(starts.begin(), starts.end(), report.time,
                         [](Time time, const AgentsStart& start) { return time < start.began; });
    if (later == starts.begin() || !(later - 1)->is_at_work(report.time)) continue;
    const bool is_only = later - 1 == starts.begin() || !(later - 2)->is_at_work(report.time);
    if (is_only) report.tool_use = (later - 1)->use;
  }
}

}  // namespace xtrace
