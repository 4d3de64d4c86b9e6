#include "view/calls/session_state.h"

#include <fmt/format.h>

#include <algorithm>

namespace xtrace {

namespace {

/// The last call of the main agent, or of any where no call is its own.
CallId last_call(const Graph& graph, const Session& session) {
  const auto is_main = [&](CallId id) { return !graph.trace()[id].in_subagent; };
  const auto last = std::find_if(session.calls.rbegin(), session.calls.rend(), is_main);
  if (last != session.calls.rend()) return *last;
  return session.calls.empty() ? CallId() : session.calls.back();
}

/// `12s`, `4m`, `3h`, `2d`: one unit is enough to see who waits for whom.
std::string coarse(Duration length) {
  using namespace std::chrono;
  const auto seconds = std::max<int64_t>(duration_cast<std::chrono::seconds>(length).count(), 0);
  constexpr int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  if (seconds < kMinute) return fmt::format("{}s", seconds);
  if (seconds < kHour) return fmt::format("{}m", seconds / kMinute);
  if (seconds < kDay) return fmt::format("{}h", seconds / kHour);
  return fmt::format("{}d", seconds / kDay);
}

bool is_over(const SessionState& state, Time now) {
  return elapsed(state.since, now) > kOver;
}

}  // namespace

SessionStates::SessionStates(const Graph& graph) : graph_(graph) {
  for (const ToolResult& result : graph.trace().tool_results)
    if (result.tool_use) {
      Time& came = came_.try_emplace(result.tool_use.index, kNoTime).first->second;
      came = std::max(came, result.came);
    }
}

SessionState SessionStates::of(const Session& session) const {
  const CallId id = last_call(graph_, session);
  if (!id) return {Doing::nothing, session.end, {}};
  const Trace& trace = graph_.trace();
  const Call& call = trace[id];
  if (!call.answer) return {Doing::model, call.end(), {}};
  Time since = call.end();
  bool has_results = false;
  for (const ToolUse* use : graph_.tool_uses_of(id)) {
    if (use->server_tool != ServerTool::none) continue;  // its result is part of the reply
    const auto found = came_.find(use->id.index);
    if (!use->id || found == came_.end()) return {Doing::tool, call.end(), trace[use->name]};
    has_results = true;
    since = std::max(since, found->second);
  }
  return {has_results ? Doing::model : Doing::user, since, {}};
}

std::string_view state_word(const SessionState& state, Time now) {
  if (state.doing == Doing::nothing || state.since == kNoTime) return "unknown";
  if (state.doing == Doing::user) return is_over(state, now) ? "done" : "waiting";
  return is_over(state, now) ? "stopped" : "working";
}

std::string state_words(const SessionState& state, std::string_view tool, Time now) {
  if (state.doing == Doing::nothing || state.since == kNoTime) return "no recorded times";
  const std::string length = coarse(elapsed(state.since, now));
  if (state.doing == Doing::user)
    return is_over(state, now) ? fmt::format("done {} ago", length)
                               : fmt::format("waiting for you {}", length);
  const std::string on = tool.empty() ? std::string() : fmt::format(" on {}", tool);
  return is_over(state, now) ? fmt::format("stopped {} ago{}", length, on)
                             : fmt::format("working {}{}", length, on);
}

}  // namespace xtrace
