#include "link/activities/critical_path.h"

#include <algorithm>
#include <map>
#include <set>

#include "link/activities/deed.h"
#include "link/activities/own_time.h"
#include "link/graph/queries.h"

namespace xtrace {

namespace {

/// What a call waited for.
struct AwaitedCall {
  CallId call;
  PathPart wait = PathPart::unexplained;  ///< what went on in between
};

PathPart wait_of(const Graph& graph, const Link& link) {
  switch (link.kind) {
    case LinkKind::tool_result:
      return link.ran.is_inside ? gap_before(graph, link.to) : PathPart::tool;
    case LinkKind::subagent_report: return PathPart::tool;
    case LinkKind::retry: return PathPart::retry_wait;
    case LinkKind::continuation: return gap_before(graph, link.to);
    default: return PathPart::unexplained;
  }
}

class CallPathFinder {
 public:
  CallPathFinder(const Graph& graph, const ShownCalls& shown)
      : graph_(graph), shown_(shown), awaited_(graph.trace().calls.size()) {
    add_links();
    add_predecessors();
    for (const PermissionWait& wait : graph.activities().permissions) {
      Time& allowed =
          allowed_.try_emplace(graph.activities()[wait.tool].call, kNoTime).first->second;
      allowed = std::max(allowed, wait.end());
    }
  }

  CallPath find() && {
    std::vector<CallId> last(graph_.sessions().size());  // what ended last
    for (CallId id : graph_.timeline().in_order()) {
      if (!shown_.shows(id)) continue;
      CallId& of = last[graph_.session_of(id).number - 1];
      if (!of || end(id) >= end(of)) of = id;
    }
    CallPath longest;
    for (CallId id : last) {
      if (!id) continue;
      CallPath path = path_to(id);
      if (longest.calls.empty() || path.took() > longest.took()) longest = std::move(path);
    }
    longest.is_on_path.resize(awaited_.size());
    for (CallId id : longest.calls) longest.is_on_path[id.index] = true;
    longest.slack = slack_until(last);
    return longest;
  }

 private:
  Time start(CallId id) const { return graph_.timeline()[id].start; }
  /// What ends before it began, as clocks may have it, took no time: else it would follow itself.
  Time end(CallId id) const { return std::max(start(id), graph_.timeline()[id].end()); }

  void add_links() {
    std::map<CallId, CallId> failed;        // of what goes on from a call, the last that did
    std::map<CallId, CallId> went_on_from;  // by call that failed
    for (uint32_t i : shown_.links) {
      const Link& link = graph_.links()[i];
      if (!graph_.timeline().before(link.from, link.to)) continue;
      awaited_[link.to.index].push_back({link.from, wait_of(graph_, link)});
      const bool is_again = link.kind == LinkKind::retry && went_on_from.contains(link.from);
      if (link.kind != LinkKind::continuation && !is_again) continue;
      const CallId from = is_again ? went_on_from[link.from] : link.from;
      // Who goes on with what preceded a call that failed, or was broken off, has seen that.
      const auto seen = failed.find(from);
      if (seen != failed.end() && seen->second != link.to && end(seen->second) <= start(link.to))
        awaited_[link.to.index].push_back({seen->second, gap_before(graph_, link.to)});
      if (graph_.timeline()[link.to].outcome != Outcome::error) continue;
      failed.insert_or_assign(from, link.to);
      went_on_from.emplace(link.to, from);
    }
  }

  /// What nothing leads to began after what had ended last in its session, of the calls before it:
  /// where a clock went back, one behind it may have ended before it began, and follows it.
  void add_predecessors() {
    std::vector<std::set<std::pair<Time, size_t>>> ended(graph_.sessions().size());  // and when
    const std::span<const CallId> order = graph_.timeline().in_order();
    for (size_t i = 0; i < order.size(); ++i) {
      const CallId id = order[i];
      if (!shown_.shows(id) || start(id) == kNoTime) continue;
      auto& before = ended[graph_.session_of(id).number - 1];
      if (awaited_[id.index].empty()) {
        const auto behind = before.upper_bound({start(id), i});
        if (behind != before.begin())
          awaited_[id.index].push_back({order[std::prev(behind)->second], gap_before(graph_, id)});
      }
      before.insert({end(id), i});
    }
  }

  /// What let it begin: of those it waited for, the one that ended last. Of several links to that
  /// one, a tool's result says more of the wait than that the conversation went on.
  const AwaitedCall* decisive(CallId id) const {
    const AwaitedCall* best = nullptr;
    for (const AwaitedCall& one : awaited_[id.index]) {
      bool is_better = best == nullptr || end(one.call) > end(best->call) ||
                       (one.call == best->call && one.wait < best->wait);
      if (is_better) best = &one;
    }
    return best;
  }

  /// Until when the tools that a call asked for waited for a person to let them run; `ended` if
  /// they did not.
  Time allowed_at(CallId call, Time ended) const {
    auto known = allowed_.find(call);
    return known == allowed_.end() ? ended : known->second;
  }

  struct Came {
    Time of_tools, of_all;  ///< behind those of tools, a person was waited for
  };
  /// When the last of the tools had ended that a call asked for and another one is told of; where
  /// that is not on record, when the other one began. What is left until then waited for no tool.
  Came results_came(CallId asked, CallId reader) const {
    for (bool is_first_told : {true, false}) {  // a fork is told what another one was told before
      Came came{kNoTime, kNoTime};
      for (const Activity& tool : graph_.activities().tools_of(asked)) {
        if (!tool.reader || (tool.reader == reader) != is_first_told || tool.ran.is_inside)
          continue;
        const Time until =
            tool.ran.until == kNoDuration ? start(tool.reader) : after(end(asked), tool.ran.until);
        came.of_all = std::max(came.of_all, until);
        if (!asks_a_person(tool.tool)) came.of_tools = std::max(came.of_tools, until);
      }
      if (came.of_all != kNoTime) return came;
    }
    return {start(reader), start(reader)};
  }

  CallPath path_to(CallId last) const {
    CallPath path;
    Time until = end(last);
    auto add = [&](PathPart part, Time from, Time to) {
      Duration& sum = path.parts[static_cast<size_t>(part)];
      if (to > from) sum = plus(sum, elapsed(from, to));
    };
    const auto add_own = [&](CallId call, Time from) {
      for (const OwnTime& piece : own_time(graph_, call))
        add(piece.part, std::max(piece.from, from), std::min(piece.to, until));
    };
    for (CallId at = last; at;) {
      path.calls.push_back(at);
      const AwaitedCall* before = decisive(at);
      const CallId next = before == nullptr ? CallId() : before->call;
      const Duration own = graph_.timeline()[at].duration;
      if (start(at) == kNoTime) {  // all that is known is how long it took
        if (own > Duration{0}) add(PathPart::model, Time{}, Time{own});
        until = next ? end(next) : kNoTime;
      } else if (!next || start(next) == kNoTime) {
        add_own(at, start(at));
        until = start(at);
      } else {
        Time ended = std::min(end(next), until);
        add_own(at, std::max(start(at), ended));
        const Time waited_until = std::min(start(at), until);
        const Time allowed = before->wait == PathPart::tool
                                 ? std::min(allowed_at(next, ended), waited_until)
                                 : ended;
        const Came came = before->wait == PathPart::tool ? results_came(next, at)
                                                         : Came{waited_until, waited_until};
        const Time begun = std::min(allowed, waited_until);
        const Time ran_until = std::clamp(came.of_tools, begun, waited_until);
        const Time told_at = std::clamp(came.of_all, ran_until, waited_until);
        add(PathPart::permission, ended, allowed);
        add(before->wait, std::max(ended, allowed), ran_until);
        add(PathPart::person, std::max(ended, ran_until), told_at);
        add(gap_before(graph_, at), std::max(ended, told_at), waited_until);
        until = std::min(std::min(start(at), until), ended);
      }
      at = next;
    }
    std::reverse(path.calls.begin(), path.calls.end());
    return path;
  }

  /// From the last call to the first: each may last until another one that its effects wait for as
  /// well has ended, and as much longer as those may.
  std::vector<Duration> slack_until(const std::vector<CallId>& last) const {
    std::vector<Duration> slack(awaited_.size(), kNoDuration);
    std::span<const CallId> order = graph_.timeline().in_order();
    for (size_t i = order.size(); i-- > 0;) {
      CallId id = order[i];
      if (!shown_.shows(id) || start(id) == kNoTime) continue;  // nothing shows what it held up
      Duration& own = slack[id.index];
      if (own == kNoDuration)  // nothing waited for it
        own = elapsed(end(id), end(last[graph_.session_of(id).number - 1]));
      const AwaitedCall* before = decisive(id);
      for (const AwaitedCall& one : awaited_[id.index]) {
        if (start(one.call) == kNoTime) continue;
        Duration through = plus(own, elapsed(end(one.call), end(before->call)));
        Duration& of = slack[one.call.index];
        of = of == kNoDuration ? through : std::min(of, through);
      }
    }
    for (size_t i = 0; i < slack.size(); ++i)
      if (graph_.trace().calls[i].duration == kNoDuration) slack[i] = kNoDuration;
    return slack;
  }

  const Graph& graph_;
  const ShownCalls& shown_;
  std::vector<std::vector<AwaitedCall>> awaited_;  ///< by call; none of them against the clock
  std::map<CallId, Time> allowed_;                 ///< by the call that asked for the tools
};

}  // namespace

Duration CallPath::took() const {
  Duration all{0};
  for (size_t i = 0; i < parts.size(); ++i)
    if (static_cast<PathPart>(i) != PathPart::person) all = plus(all, parts[i]);
  return all;
}

int64_t CallPath::steps(const Trace& trace) const {
  return std::count_if(calls.begin(), calls.end(),
                       [&](CallId id) { return trace[id].outcome != Outcome::unrecorded; });
}

PathPart gap_before(const Graph& graph, CallId call) {
  if (answers_a_user(graph, call)) return PathPart::person;
  return brings_notice(graph, call) ? PathPart::background : PathPart::unexplained;
}

CallPath critical_path(const Graph& graph, const ShownCalls& shown) {
  return CallPathFinder(graph, shown).find();
}

}  // namespace xtrace
