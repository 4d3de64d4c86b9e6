#include "view/impact/impact_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/nearest.h"
#include "base/text.h"
#include "facts/tool_targets.h"
#include "link/calls/agents.h"
#include "link/calls/sessions.h"
#include "link/graph/resource.h"
#include "view/common/place.h"
#include "view/common/selector.h"
#include "view/common/words.h"
#include "view/hops/run_answers.h"
#include "view/query/query_name.h"
#include "view/why/hop_target.h"

namespace xtrace {

namespace {

constexpr size_t kNamed = 10;  // names in an error; more do not fit on a screen

/// Looks in turn for what a name of calls can mean, as a table lists it.
class CallTargets {
 public:
  CallTargets(const ImpactScene& scene, const std::string& name)
      : scene_(scene), graph_(scene.graph()), trace_(scene.trace()), name_(name) {}

  Result<ImpactTarget> find() {
    using Way = Result<ImpactTarget> (CallTargets::*)();
    static constexpr Way kWays[] = {
        &CallTargets::by_call,      &CallTargets::by_tool_use, &CallTargets::by_agent,
        &CallTargets::by_turn,      &CallTargets::by_session,  &CallTargets::by_resource,
        &CallTargets::by_next_call, &CallTargets::by_part,
    };
    for (Way way : kWays) {
      Result<ImpactTarget> found = (this->*way)();
      if (!found || !found->nodes.empty()) return found;
      if (is_hidden_) break;
    }
    if (is_hidden_)
      return fail(Exit::no, fmt::format("filters hide all records of '{}'", printable(name_)));
    return fits_nothing();
  }

 private:
  /// All steps of these calls that are shown.
  std::vector<uint32_t> steps_of(const std::function<bool(CallId)>& wanted, bool with_uses) {
    std::vector<uint32_t> nodes;
    for (uint32_t i = 0; i < scene_.steps().size(); ++i) {
      const GraphStep& step = scene_.step(i);
      if ((with_uses || step.kind == GraphStep::Kind::call) && wanted(step.call))
        nodes.push_back(i);
    }
    return nodes;
  }

  ImpactTarget set_of(std::vector<uint32_t> nodes, Text name, std::string_view type) {
    return {std::move(nodes), name, type};
  }

  /// Of all calls of a group, which may be hidden.
  ImpactTarget group_of(const std::set<CallId>& calls, Text name, std::string_view type) {
    std::vector<uint32_t> nodes = steps_of([&](CallId id) { return calls.contains(id); }, true);
    is_hidden_ = !calls.empty() && nodes.empty();
    return set_of(std::move(nodes), name, type);
  }

  ImpactTarget single(uint32_t node) { return {{node}, scene_.id(node), scene_.kind(node)}; }

  Text asked() const { return scene_.names().text(name_); }

  Result<ImpactTarget> by_call() {
    const std::vector<CallId> calls = find_calls(graph_, name_, NameOf::calls, &scene_.names());
    if (calls.empty()) return ImpactTarget();
    const std::set<CallId> wanted(calls.begin(), calls.end());
    const std::vector<uint32_t> nodes =
        steps_of([&](CallId id) { return wanted.contains(id); }, false);
    is_hidden_ = nodes.empty();
    if (nodes.size() == 1) return single(nodes.front());
    return set_of(nodes, asked(), "place");
  }

  Result<ImpactTarget> by_tool_use() {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < scene_.steps().size(); ++i) {
      const GraphStep& step = scene_.step(i);
      if (step.kind != GraphStep::Kind::tool_use) continue;
      const std::string_view call = trace_[trace_[step.call].id];
      const bool is_of_call =
          name_.size() > call.size() && name_.starts_with(call) && name_[call.size()] == '/';
      if (is_of_call ? scene_.recorded_id(i) == name_ ||
                           (step.use && name_.substr(call.size() + 1) == trace_[step.use])
                     : step.use && (trace_[step.use] == name_))
        found.push_back(i);
    }
    if (found.size() == 1) return single(found.front());
    if (found.empty()) return ImpactTarget();
    return fail(Exit::no, fmt::format("'{}' matches {} tool uses; use one of:{}", printable(name_),
                                      found.size(), list_some(found, kNamed, [&](uint32_t node) {
                                        return printable(scene_.id(node).view());
                                      })));
  }

  /// An agent by its type, its instance, or the id that the log gives it.
  Result<ImpactTarget> by_agent() {
    std::set<CallId> calls;
    for (const Agent& agent : graph_.agents()) {
      const std::string whole = agent_name(agent);
      const std::string session = session_name(trace_, graph_.session_of(agent.calls.front()));
      const bool is_meant = name_ == agent.type || name_ == whole ||
                            name_ == fmt::format("{}/{}", session, whole) ||
                            (agent.spawned && agent.nth == 0 && name_ == agent.type + "#1") ||
                            (agent.id && trace_[agent.id] == name_);
      if (is_meant) calls.insert(agent.calls.begin(), agent.calls.end());
    }
    if (calls.empty())
      for (CallId first : find_calls(graph_, name_, NameOf::subagents)) {
        const std::vector<CallId>& own = graph_.conversation_of(first).calls;
        calls.insert(own.begin(), own.end());
      }
    return group_of(calls, asked(), "agent");
  }

  Result<ImpactTarget> by_turn() {
    const std::vector<CallId> first = find_calls(graph_, name_, NameOf::turns);
    if (first.empty()) return ImpactTarget();
    if (first.size() > 1)
      return fail(
          Exit::no,
          fmt::format("'{}' matches {} turns; use the id of a call, or SESSION/AGENT "
                      "turn N. They begin with:{}",
                      printable(name_), first.size(), list_some(first, kNamed, [&](CallId id) {
                        return printable(
                            fmt::format("{}  {}  {}", scene_.names().id(id).view(),
                                        scene_.names().session(graph_.session_of(id)).view(),
                                        scene_.names().agent(graph_.agent_of(id)).view()));
                      })));
    const std::vector<CallTurn>& turns = graph_.call_turns();
    std::set<CallId> calls;
    for (CallId id : graph_.timeline().in_order())
      if (turns[id.index] == turns[first.front().index]) calls.insert(id);
    return group_of(calls, asked(), "turn");
  }

  Result<ImpactTarget> by_session() {
    std::vector<const Session*> begun;
    for (const Session& session : graph_.sessions()) {
      const std::string name = session_name(trace_, session);
      if (name == name_)
        return group_of({session.calls.begin(), session.calls.end()},
                        scene_.names().session(session), "session");
      if (name_.size() >= kShortestId && name.starts_with(name_)) begun.push_back(&session);
    }
    if (begun.size() != 1) return ImpactTarget();
    return group_of({begun.front()->calls.begin(), begun.front()->calls.end()},
                    scene_.names().session(*begun.front()), "session");
  }

  /// A tool by its name; a file or a host by its name or the end of its path.
  Result<ImpactTarget> by_resource() {
    static constexpr std::string_view kResource = "resource:";
    const std::string_view wanted =
        std::string_view(name_).substr(name_.starts_with(kResource) ? kResource.size() : 0);
    std::map<std::string, std::vector<uint32_t>> whole, ends;  // by the resource
    for (uint32_t i = 0; i < scene_.steps().size(); ++i) {
      const GraphStep& step = scene_.step(i);
      if (step.kind != GraphStep::Kind::tool_use || step.tool == nullptr ||
          step.tool->use == nullptr)
        continue;
      const std::string_view tool = trace_[step.tool->use->name];
      if (tool == wanted || (wanted.starts_with("tool:") && wanted.substr(5) == tool)) {
        whole[fmt::format("tool:{}", tool)].push_back(i);
        continue;
      }
      for (const std::string& resource : resources_of(trace_, *step.tool->use)) {
        const std::string_view one = std::string_view(resource).substr(kResource.size());
        const std::string_view name = one.substr(one.find(':') + 1);
        if (one == wanted || name == wanted)
          whole[std::string(one)].push_back(i);
        else if (name.size() > wanted.size() && name.ends_with(wanted) &&
                 name[name.size() - wanted.size() - 1] == '/')
          ends[std::string(one)].push_back(i);
      }
    }
    const auto& found = whole.empty() ? ends : whole;
    if (found.empty()) return ImpactTarget();
    if (found.size() > 1) {
      std::vector<std::string> names;
      names.reserve(found.size());
      for (const auto& [resource, nodes] : found) names.push_back(resource);
      return fail(Exit::no, fmt::format("'{}' matches {} names; use one of:{}", printable(name_),
                                        names.size(), list_some(names, kNamed, [&](auto& one) {
                                          return printable(scene_.names().text(one).view());
                                        })));
    }
    const auto& [resource, nodes] = *found.begin();
    const std::string_view kind = std::string_view(resource).substr(0, resource.find(':'));
    const auto* word = std::ranges::find(kResourceWords, kind);
    return set_of(nodes, scene_.names().text(resource.substr(kind.size() + 1)),
                  word == std::end(kResourceWords) ? "resource" : *word);
  }

  /// A line that records no call: the next call after it.
  Result<ImpactTarget> by_next_call() {
    if (!Place::read(name_, trace_)) return ImpactTarget();
    const std::vector<CallId> calls = find_calls(graph_, name_, NameOf::other_calls);
    if (calls.size() != 1) return ImpactTarget();
    const std::vector<uint32_t> nodes =
        steps_of([&](CallId id) { return id == calls.front(); }, false);
    is_hidden_ = nodes.empty();
    if (nodes.empty()) return ImpactTarget();
    ImpactTarget next = single(nodes.front());
    next.is_next_call = true;
    return next;
  }

  /// A part of one id alone.
  Result<ImpactTarget> by_part() {
    if (name_.size() < kShortestId) return ImpactTarget();
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < scene_.steps().size() && found.size() < 2; ++i)
      if (scene_.id(i).view().find(name_) != std::string_view::npos) found.push_back(i);
    return found.size() == 1 ? single(found.front()) : ImpactTarget();
  }

  tl::unexpected<Error> fits_nothing() {
    std::string hint = other_calls(graph_, name_);
    if (hint.empty()) {
      std::set<std::string_view> names;
      for (const Actor& actor : graph_.joined_hops().actors)
        names.insert(scene_.names().text(actor.id).view());
      for (uint32_t i = 0; i < scene_.steps().size(); ++i) names.insert(scene_.id(i).view());
      hint = did_you_mean(name_, std::vector<std::string_view>(names.begin(), names.end()));
    }
    return fail(Exit::no, fmt::format("there is no call, tool use, agent, session, tool or file "
                                      "'{}'{}",
                                      printable(name_), hint));
  }

  static constexpr std::string_view kResourceWords[] = {"tool", "file", "host"};

  const ImpactScene& scene_;
  const Graph& graph_;
  const Trace& trace_;
  const std::string& name_;
  bool is_hidden_ = false;
};

/// Of spans: a hop, a run, or an actor with all that it did and that was done by it.
Result<ImpactTarget> find_hops(const ImpactScene& scene, const std::string& name) {
  const HopScene& hops = *scene.hops();
  const auto nodes_where = [&](const std::function<bool(const Hop&)>& wanted) {
    std::vector<uint32_t> nodes;
    for (uint32_t i = 0; i < scene.steps().size(); ++i)
      if (wanted(hops.hops[scene.step(i).hop])) nodes.push_back(i);
    return nodes;
  };
  const auto given = [&](std::vector<uint32_t> nodes, Text shown,
                         std::string_view type) -> Result<ImpactTarget> {
    if (nodes.empty())
      return fail(Exit::no, fmt::format("filters hide all records of '{}'", printable(name)));
    return ImpactTarget{std::move(nodes), shown, type};
  };
  const bool is_run =
      std::ranges::any_of(hops.hops.runs, [&](const Run& run) { return run.is_of_session(name); });
  if (is_run && !hops.hops.find(scene.trace(), name))
    return given(
        nodes_where([&](const Hop& hop) { return hops.hops.runs[hop.run].is_of_session(name); }),
        scene.names().text(name), "run");
  if (Place::read(name, scene.trace())) {  // a line may record several
    std::set<HopId> there;
    for (const Meant& one : find_meant(scene.graph(), name, NameOf::targets, &scene.names()))
      if (one.hop) there.insert(one.hop);
    if (there.size() > 1)
      return given(nodes_where([&](const Hop& hop) {
                     return there.contains(HopId(static_cast<size_t>(&hop - hops.hops.all.data())));
                   }),
                   scene.names().text(name), "place");
  }
  Result<Meant> meant = find_target(hops, name);
  if (!meant) return tl::unexpected(meant.error());
  if (meant->actor) {
    const bool acts = hops.hops[meant->actor].type != Actor::Type::resource;
    return given(nodes_where([&](const Hop& hop) {
                   return hop.to == meant->actor || (acts && hop.from == meant->actor);
                 }),
                 hops.actor(meant->actor), word(hops.hops[meant->actor].type));
  }
  const Hop* wanted = &hops.hops[meant->hop];
  const std::vector<uint32_t> nodes = nodes_where([&](const Hop& hop) { return &hop == wanted; });
  return given(nodes, hops.name(meant->hop), wanted->is_call() ? "hop" : "span");
}

}  // namespace

Result<ImpactTarget> find_impact_target(const ImpactScene& scene, const std::string& name) {
  Result<ImpactTarget> found =
      scene.hops() != nullptr ? find_hops(scene, name) : CallTargets(scene, name).find();
  if (!found && scene.query() != nullptr)
    return fail(found.error().exit,
                fmt::format("{}; only query '{}' is searched", found.error().what,
                            printable(query_name(*scene.query()))));
  return found;
}

Result<ImpactTarget> first_step_of(const ImpactScene& scene, const Query& query) {
  const std::span<const GraphStep> steps = scene.steps();
  if (steps.empty())
    return fail(Exit::no, fmt::format("no call or span of query '{}' is shown",
                                      printable(query_name(query))));
  const auto is_first = [&](const GraphStep& step) {
    if (step.kind != GraphStep::Kind::hop)
      return !query.calls.empty() && step.call == query.calls.front();
    return !query.spans.empty() && scene.hops()->hops[step.hop].span == query.spans.front();
  };
  const auto found = std::ranges::find_if(steps, is_first);
  const size_t at = found == steps.end() ? 0 : static_cast<size_t>(found - steps.begin());
  const auto node = static_cast<uint32_t>(at);
  return ImpactTarget{{node}, scene.id(node), scene.kind(node)};
}

}  // namespace xtrace
