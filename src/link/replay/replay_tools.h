#pragma once

#include <functional>
#include <span>
#include <vector>

#include "link/activities/own_time.h"
#include "link/replay/replay_builder.h"

namespace xtrace {

/// Steps of agents and tool uses, each once, and of waits.
class ReplaySteps {
 public:
  static constexpr uint32_t kNone = ReplayStep::kNone;

  ReplaySteps(const Graph& graph, ReplayBuilder& builder)
      : graph_(graph),
        builder_(builder),
        of_agent_(graph.agents().size(), kNone),
        of_use_(graph.trace().tool_uses.size(), kNone) {}

  /// The step of an agent, below the tool use that started it, below the agent that asked for that.
  /// `causes`: links into the call, as indices into Graph::links().
  uint32_t of_agent(CallId call, std::span<const uint32_t> causes);
  uint32_t of_agent(CallId call) const { return of_agent_[graph_.agent_index_of(call)]; }
  uint32_t of_use(CallId call, ToolUseId id);
  uint32_t add_wait(CallId call, PathPart part, bool is_handover = false);

 private:
  const Graph& graph_;
  ReplayBuilder& builder_;
  std::vector<uint32_t> of_agent_, of_use_;
};

/// Adds the tools of calls to a replay: those that run within a call, and those that run after it.
class ToolReplay {
 public:
  static constexpr uint32_t kNone = ReplayStep::kNone;

  ToolReplay(const Graph& graph, Replay& replay, ReplayBuilder& builder, ReplaySteps& steps,
             std::span<const Time> starts)
      : graph_(graph),
        replay_(replay),
        builder_(builder),
        steps_(steps),
        starts_(starts),
        from_(graph.trace().tool_uses.size(), kNone),
        end_(from_.size(), kNone) {}

  /// Finds what ran within the call, whose pieces add_inside() then adds in order of time.
  void begin(CallId call);
  /// A piece of the call in which tools ran that it asked for. Returns the moment at its end.
  uint32_t add_inside(PathPart part, uint32_t from, Time to);
  /// Those that have a time of their own, each after the one that had to end before it began.
  /// `ended`: the moment at which the call ends; `is_reported`: a subagent fills the wait of a call
  /// for the result of a tool use.
  void add_after(CallId call, uint32_t ended,
                 const std::function<bool(CallId reader, ToolUseId use)>& is_reported);

  /// The moment from which a tool of unknown length runs; kNone: it is not known.
  uint32_t from(ToolUseId use) const { return from_[use.index]; }
  /// The moment at which a tool with a time of its own ends; kNone: it has none.
  uint32_t end(ToolUseId use) const { return end_[use.index]; }

 private:
  struct InsideTool {
    ToolWait wait;
    ToolUseId use;
  };
  uint32_t add_leave(CallId call, const Activity& tool, uint32_t from, Time latest);

  const Graph& graph_;
  Replay& replay_;
  ReplayBuilder& builder_;
  ReplaySteps& steps_;
  std::span<const Time> starts_;      ///< by call
  std::vector<uint32_t> from_, end_;  ///< moments, by tool use
  // Of the call at hand:
  CallId call_;
  std::vector<InsideTool> inside_, open_;  ///< tools that ran within it, by start; those that do
  size_t next_inside_ = 0;
};

}  // namespace xtrace
