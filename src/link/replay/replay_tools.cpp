#include "link/replay/replay_tools.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

#include "link/activities/deed.h"

namespace xtrace {

uint32_t ReplaySteps::of_agent(CallId call, std::span<const uint32_t> causes) {
  const uint32_t agent = graph_.agent_index_of(call);
  uint32_t& step = of_agent_[agent];
  if (step != kNone) return step;
  uint32_t within = kNone;
  for (uint32_t i : causes) {
    const Link& link = graph_.links()[i];
    if (link.kind == LinkKind::subagent_spawn && link.tool_use)
      within = of_use(link.from, link.tool_use);
  }
  step = builder_.add(
      {.kind = ReplayStep::Kind::agent, .call = call, .agent = agent, .within = within});
  return step;
}

uint32_t ReplaySteps::of_use(CallId call, ToolUseId id) {
  uint32_t& step = of_use_[id.index];
  if (step != kNone) return step;
  const ToolUse& use = graph_.trace().tool_uses[id.index];
  const std::string_view name = graph_.trace()[use.name];
  step = builder_.add({.kind = ReplayStep::Kind::tool_use,
                       .part = asks_a_person(name) ? PathPart::person : PathPart::tool,
                       .call = call,
                       .use = &use,
                       .tool = name,
                       .agent = graph_.agent_index_of(call),
                       .within = of_agent(call)});
  return step;
}

uint32_t ReplaySteps::add_wait(CallId call, PathPart part, bool is_handover) {
  return builder_.add({.kind = ReplayStep::Kind::wait,
                       .part = part,
                       .is_handover = is_handover,
                       .call = call,
                       .agent = graph_.agent_index_of(call),
                       .within = of_agent(call)});
}

void ToolReplay::begin(CallId call) {
  call_ = call;
  inside_.clear();
  open_.clear();
  next_inside_ = 0;
  for (const Activity& tool : graph_.activities().tools_of(call))
    if (tool.ran.is_timed && tool.use != nullptr)
      inside_.push_back({wait_for(graph_, tool), graph_.timeline().id_of(*tool.use)});
  std::ranges::stable_sort(inside_, {}, [](const InsideTool& tool) { return tool.wait.from; });
}

uint32_t ToolReplay::add_inside(PathPart part, uint32_t from, Time to) {
  const Time begun = builder_.at(from);
  for (; next_inside_ < inside_.size() && inside_[next_inside_].wait.from < to; ++next_inside_)
    open_.push_back(inside_[next_inside_]);
  std::erase_if(open_, [&](const InsideTool& tool) { return tool.wait.end() <= begun; });
  if (part == PathPart::permission || open_.empty())
    return builder_.add_work(from, to, steps_.add_wait(call_, part));
  std::vector<ReplayArc> arcs;
  const auto is_of_part = [&](const InsideTool& tool) {
    const StringId name = graph_.trace().tool_uses[tool.use.index].name;
    return asks_a_person(graph_.trace()[name]) == (part == PathPart::person);
  };
  const auto fitting = std::ranges::count_if(open_, is_of_part);
  if (fitting == 0) return builder_.add_work(from, to, steps_.add_wait(call_, part));
  for (const InsideTool& tool : open_)
    if (is_of_part(tool))
      arcs.push_back({.from = from,
                      .kind = fitting == 1 ? ReplayArc::Kind::plain : ReplayArc::Kind::unknown,
                      .step = steps_.of_use(call_, tool.use),
                      .length = elapsed(begun, to)});
  return builder_.add(to, replay_.moments[from].run, arcs);
}

void ToolReplay::add_after(CallId call, uint32_t ended,
                           const std::function<bool(CallId reader, ToolUseId use)>& is_reported) {
  struct OwnRun {
    const Activity* tool;
    Time from, to;
    uint32_t end = kNone;
  };
  std::vector<OwnRun> runs;
  const Time end = builder_.at(ended);
  const uint32_t of_run = replay_.moments[ended].run;
  for (const Activity& tool : graph_.activities().tools_of(call)) {
    if (tool.use == nullptr) continue;
    const ToolUseId use = graph_.timeline().id_of(*tool.use);
    steps_.of_use(call, use);
    if (!tool.reader) ++replay_.unanswered;
    if (!tool.reader || tool.ran.is_inside) continue;
    const Time came = after(end, tool.ran.until);
    if (tool.ran.until == kNoDuration) {
      from_[use.index] = add_leave(call, tool, ended, kNoTime);
    } else if (came > end && !is_reported(tool.reader, use)) {
      const bool has_start = tool.ran.is_timed || tool.ran.is_measured;
      const Time from = has_start && tool.duration != kNoDuration
                            ? std::clamp(after(came, -tool.duration), end, came)
                            : end;
      runs.push_back({&tool, from, came});
    }
  }
  std::ranges::stable_sort(runs, {}, &OwnRun::from);
  std::set<std::pair<Time, size_t>> ends, at_work;  // of those before
  for (size_t i = 0; i < runs.size(); ++i) {
    OwnRun& run = runs[i];
    const ToolUseId use = graph_.timeline().id_of(*run.tool->use);
    uint32_t from = add_leave(call, *run.tool, ended, run.to);
    if (run.from > builder_.at(from)) {
      std::vector<ReplayArc> arcs{{.from = from}};
      const auto before = ends.upper_bound({run.from, i});
      if (before != ends.begin())
        if (const OwnRun& last = runs[std::prev(before)->second];
            elapsed(last.to, run.from) <= kSerialGap)
          arcs.push_back({.from = last.end, .kind = ReplayArc::Kind::serial});
      // What a tool took beyond its own count is the tool's, as in the time account.
      const uint32_t wait = steps_.add_wait(call, PathPart::tool);
      replay_.steps[wait].within = steps_.of_use(call, use);
      from = builder_.add(run.from, of_run, arcs, wait);
    }
    run.end = builder_.add_work(from, run.to, steps_.of_use(call, use));
    end_[use.index] = run.end;
    ends.insert({run.to, i});
    if (!asks_a_person(run.tool->tool)) at_work.insert({run.to, i});
  }
  for (const OwnRun& run : runs)
    if (const auto after = at_work.lower_bound({run.to, 0});
        asks_a_person(run.tool->tool) && after != at_work.begin())
      replay_.arcs[replay_.moments[run.end].first_arc].beside = runs[std::prev(after)->second].end;
}

/// Until a person let the tool run.
uint32_t ToolReplay::add_leave(CallId call, const Activity& tool, uint32_t from, Time latest) {
  if (tool.waited_for_leave <= Duration{0}) return from;
  Time until = after(builder_.at(from), tool.waited_for_leave);
  const Time read = starts_[tool.reader.index];
  if (latest == kNoTime) latest = read;
  until = std::min(until, latest);
  if (until <= builder_.at(from)) return from;
  return builder_.add_work(from, until, steps_.add_wait(call, PathPart::permission));
}

}  // namespace xtrace
