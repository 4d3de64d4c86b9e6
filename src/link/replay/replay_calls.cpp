#include <algorithm>
#include <map>
#include <set>

#include "facts/error_class.h"
#include "link/activities/own_time.h"
#include "link/graph/queries.h"
#include "link/replay/replay_tools.h"

namespace xtrace {

namespace {

class CallReplay {
 public:
  CallReplay(const Graph& graph, const ShownCalls& shown)
      : graph_(graph),
        shown_(shown),
        builder_(replay_),
        start_(starts_of_calls(graph, shown)),
        starts_(start_.size(), kNone),
        ends_(starts_.size(), kNone),
        ended_at_(graph.sessions().size()),
        splits_(starts_.size()),
        links_(starts_.size()),
        steps_(graph, builder_),
        tools_(graph, replay_, builder_, steps_, start_) {}

  Replay build() && {
    std::vector<Time> origins(graph_.sessions().size(), kNoTime);
    for (CallId id : graph_.timeline().in_order())
      if (shown_.shows(id)) {
        Time& origin = origins[graph_.session_of(id).number - 1];
        origin = earliest_known(origin, start(id));
      }
    builder_.add_origins(origins);
    for (const Agent& agent : graph_.agents())
      replay_.agents.push_back({agent.type, agent_name(agent)});
    sort_links();
    for (CallId id : graph_.timeline().in_order())
      if (shown_.shows(id)) add_call(id);
    return std::move(replay_);
  }

 private:
  static constexpr uint32_t kNone = ReplayStep::kNone;
  using Arcs = std::vector<ReplayArc>;

  Time start(CallId id) const { return start_[id.index]; }
  /// What ends before it began, as clocks may have it, took no time.
  Time end(CallId id) const {
    return std::max(start(id), after(start(id), graph_.trace()[id].duration));
  }
  bool is_dated(CallId id) const { return graph_.trace()[id].start != kNoTime; }

  void sort_links() {
    for (uint32_t i : shown_.links) {
      const Link& link = graph_.links()[i];
      if (&graph_.session_of(link.from) != &graph_.session_of(link.to)) continue;
      if (!graph_.timeline().before(link.from, link.to) || start(link.to) < start(link.from))
        continue;
      links_[link.to.index].push_back(i);
      if (start(link.to) < end(link.from)) splits_[link.from.index].push_back(start(link.to));
      if (link.kind == LinkKind::subagent_report) {
        reported_.insert({link.to, key_of_task(link)});
        CallId& last = last_of_use_[key_of_task(link)];
        if (!last || end(link.from) >= end(last)) last = link.from;
      }
      if (link.kind == LinkKind::retry) is_retried_.insert(link.from);
    }
    for (uint32_t i : shown_.links) {
      const Link& link = graph_.links()[i];
      if (link.kind != LinkKind::subagent_spawn) continue;
      if (const auto last = last_of_use_.find(key_of_task(link)); last != last_of_use_.end())
        ended_from_[link.from].insert({end(last->second), last->second});
    }
  }

  void add_call(CallId id) {
    if (!is_dated(id)) ++replay_.undated;
    run_ = graph_.session_of(id).number - 1;
    steps_.of_agent(id, links_[id.index]);
    const uint32_t begin = add_start(id);
    starts_[id.index] = begin;
    uint32_t step = kNone;
    ends_[id.index] = add_own_time(id, begin, step);
    builder_.add_node({.call = id,
                       .start = begin,
                       .end = ends_[id.index],
                       .step = step,
                       .is_timed = graph_.trace()[id].duration != kNoDuration});
    tools_.add_after(id, ends_[id.index], [&](CallId reader, ToolUseId use) {
      return reported_.contains({reader, key_of(use)});
    });
    auto& ended = ended_at_[run_];
    ended.insert({end(id), graph_.timeline().rank(id), ends_[id.index]});
  }

  // --- what a call waits for

  uint32_t add_start(CallId id) {
    Arcs arcs;
    PathPart lag = gap_before(graph_, id);
    bool is_again = false, is_handover = false;
    for (uint32_t i : links_[id.index]) {
      const Link& link = graph_.links()[i];
      if (link.kind != LinkKind::retry) continue;
      is_again = true;
      lag = PathPart::retry_wait;
      add_plain(link.from, id, ReplayArc::Kind::plain, arcs);
    }
    for (uint32_t i : links_[id.index]) {
      const Link& link = graph_.links()[i];
      add_seen(link, arcs);
      switch (link.kind) {
        case LinkKind::retry: break;
        case LinkKind::subagent_report:
          add_plain(link.from, id, ReplayArc::Kind::report, arcs);
          break;
        case LinkKind::subagent_spawn:
          add_plain(link.from, id, ReplayArc::Kind::plain, arcs);
          add_serial(link, arcs);
          lag = PathPart::unexplained;
          is_handover = true;
          break;
        case LinkKind::tool_result:
          if (!is_again) add_result(link, arcs);
          break;
        case LinkKind::continuation:
          if (!is_again) add_plain(link.from, id, ReplayArc::Kind::plain, arcs);
          break;
        case LinkKind::content_reuse:
        case LinkKind::file_handoff:
        case LinkKind::sequential:
          add_plain(link.from, id, ReplayArc::Kind::plain, arcs);
          if (links_[id.index].size() == 1) lag = PathPart::unexplained;
          break;
      }
    }
    if (arcs.empty()) add_predecessor(id, arcs);
    if (arcs.empty()) arcs.push_back({.from = ReplayBuilder::origin_of(run_)});
    const bool by_report = is_by_report(arcs);
    if (by_report) lag = PathPart::tool;
    return builder_.add(start(id), run_, arcs, steps_.add_wait(id, lag, by_report || is_handover));
  }

  /// Equal for all that names a tool use: its records, and links that know only its id.
  uint64_t key_of(ToolUseId use) const {
    constexpr uint64_t kWithoutId = uint64_t{1} << 32;
    const StringId id = use ? graph_.trace().tool_uses[use.index].id : StringId();
    return id ? id.index : kWithoutId + use.index;
  }
  /// The same of the tool use that started a subagent: reports in converted logs have its id alone.
  uint64_t key_of_task(const Link& link) const {
    return link.key ? link.key.index : key_of(link.tool_use);
  }

  /// Is what it waited for last a subagent's report?
  bool is_by_report(const Arcs& arcs) const {
    const auto last = std::ranges::max_element(
        arcs, {}, [&](const ReplayArc& arc) { return after(builder_.at(arc.from), arc.length); });
    return last->kind == ReplayArc::Kind::report ||
           std::ranges::any_of(arcs, [&](const ReplayArc& arc) {
             return arc.kind == ReplayArc::Kind::report && last->kind == ReplayArc::Kind::unknown;
           });
  }

  /// The moment of a call from which another one goes on: its end, or if it was not over yet, the
  /// moment within it.
  void add_plain(CallId from, CallId to, ReplayArc::Kind kind, Arcs& arcs) const {
    const uint32_t at = start(to) < end(from) ? split_of(from, start(to)) : ends_[from.index];
    if (at != kNone) arcs.push_back({.from = at, .kind = kind});
  }

  uint32_t split_of(CallId call, Time at) const {
    const auto found = split_at_.find({call, at});
    return found == split_at_.end() ? starts_[call.index] : found->second;
  }

  void add_result(const Link& link, Arcs& arcs) {
    if (!link.tool_use || reported_.contains({link.to, key_of(link.tool_use)}))
      return add_plain(link.from, link.to, ReplayArc::Kind::plain, arcs);
    const uint32_t ended = tools_.end(link.tool_use);
    if (ended != kNone && builder_.at(ended) <= start(link.to)) {
      arcs.push_back({.from = ended});
      return;
    }
    const uint32_t from = tools_.from(link.tool_use);
    if (from == kNone || start(link.to) < builder_.at(from))
      return add_plain(link.from, link.to, ReplayArc::Kind::plain, arcs);
    if (link.is_again) {  // a fork repeats what another one read before
      const CallId first =
          graph_.activities()[graph_.activities().of_tool_use[link.tool_use.index]].reader;
      arcs.push_back({.from = from,
                      .step = steps_.of_use(link.from, link.tool_use),
                      .length = std::clamp(elapsed(builder_.at(from), start(first)), Duration{0},
                                           elapsed(builder_.at(from), start(link.to)))});
      return;
    }
    arcs.push_back({.from = from,
                    .kind = ReplayArc::Kind::unknown,
                    .step = steps_.of_use(link.from, link.tool_use),
                    .length = elapsed(builder_.at(from), start(link.to))});
  }

  /// Who goes on with what preceded a call that failed, or was broken off, has seen that.
  void add_seen(const Link& link, Arcs& arcs) {
    const auto repeated = went_on_from_.find(link.from);
    const bool is_again = link.kind == LinkKind::retry && repeated != went_on_from_.end();
    if (link.kind != LinkKind::continuation && !is_again) return;
    const CallId from = is_again ? repeated->second : link.from;
    const auto seen = failed_after_.find(from);
    if (seen != failed_after_.end() && seen->second != link.to &&
        end(seen->second) <= start(link.to))
      arcs.push_back({.from = ends_[seen->second.index]});
    if (graph_.trace()[link.to].outcome != Outcome::error) return;
    failed_after_.insert_or_assign(from, link.to);
    went_on_from_.emplace(link.to, from);
  }

  /// What was asked for together with others, but started when one of those had ended.
  void add_serial(const Link& spawn, Arcs& arcs) const {
    const auto siblings = ended_from_.find(spawn.from);
    if (siblings == ended_from_.end()) return;
    const auto behind = siblings->second.upper_bound({start(spawn.to), spawn.to});
    if (behind == siblings->second.begin()) return;
    const auto& [ended, last] = *std::prev(behind);
    if (ends_[last.index] != kNone && elapsed(ended, start(spawn.to)) <= kSerialGap)
      arcs.push_back({.from = ends_[last.index], .kind = ReplayArc::Kind::serial});
  }

  /// What nothing leads to began after what had ended last in its session.
  void add_predecessor(CallId id, Arcs& arcs) {
    const auto& ended = ended_at_[run_];
    const auto behind = ended.upper_bound({start(id), UINT32_MAX, 0});
    if (behind == ended.begin()) return;
    arcs.push_back({.from = std::get<2>(*std::prev(behind))});
    ++replay_.unlinked;
  }

  // --- what a call takes

  /// Did the user stop it? Transcripts state so; in logs of requests a client may have.
  bool was_interrupted(const Call& call) const {
    return call.in_transcript &&
           provider_error(graph_.trace()[call.error]) == ErrorClass::cancelled;
  }

  uint32_t add_own_time(CallId id, uint32_t begin, uint32_t& step) {
    const Call& call = graph_.trace()[id];
    const bool is_failed = call.outcome == Outcome::error;
    step = builder_.add({.part = PathPart::model,
                         .is_failed = is_failed,
                         .is_interrupted = is_failed && was_interrupted(call),
                         .is_retried = is_failed && is_retried_.contains(id),
                         .call = id,
                         .model = graph_.trace()[call.model],
                         .agent = graph_.agent_index_of(id),
                         .within = steps_.of_agent(id)});
    std::vector<Time>& splits = splits_[id.index];
    std::sort(splits.begin(), splits.end());
    splits.erase(std::unique(splits.begin(), splits.end()), splits.end());
    tools_.begin(id);
    uint32_t at = begin;
    size_t next = 0;
    const auto add_until = [&](const OwnTime& piece, Time to) {
      if (is_failed || piece.part == PathPart::model)
        at = builder_.add_work(at, to, step);
      else
        at = tools_.add_inside(piece.part, at, to);
    };
    const std::vector<OwnTime> pieces =
        is_dated(id) ? own_time(graph_, id)
                     : std::vector{OwnTime{PathPart::model, start(id), end(id)}};
    for (const OwnTime& piece : pieces) {
      for (; next < splits.size() && splits[next] < piece.to; ++next) {
        if (splits[next] > builder_.at(at)) add_until(piece, splits[next]);
        split_at_.emplace(std::pair(id, splits[next]), at);
      }
      if (piece.to > builder_.at(at)) add_until(piece, piece.to);
    }
    if (at == begin || builder_.at(at) < end(id)) at = builder_.add_work(at, end(id), step);
    return at;
  }

  const Graph& graph_;
  const ShownCalls& shown_;
  Replay replay_;
  ReplayBuilder builder_;
  std::vector<Time> start_;                                               ///< by call
  std::vector<uint32_t> starts_, ends_;                                   ///< moments, by call
  std::vector<std::set<std::tuple<Time, uint32_t, uint32_t>>> ended_at_;  ///< by session
  std::vector<std::vector<Time>> splits_;  ///< by call, where others go on before its end
  std::map<std::pair<CallId, Time>, uint32_t> split_at_;
  std::vector<std::vector<uint32_t>> links_;  ///< by effect
  ReplaySteps steps_;
  ToolReplay tools_;
  std::set<std::pair<CallId, uint64_t>> reported_;  ///< subagents fill the wait for these
  std::map<uint64_t, CallId> last_of_use_;          ///< what reports for it
  /// By the call that asked for several subagents, when each of them ended.
  std::map<CallId, std::set<std::pair<Time, CallId>>> ended_from_;
  std::set<CallId> is_retried_;
  std::map<CallId, CallId> failed_after_;  ///< of what goes on from a call, the last that failed
  std::map<CallId, CallId> went_on_from_;  ///< by call that failed
  uint32_t run_ = 0;                       ///< of the call at hand
};

}  // namespace

Replay replay_calls(const Graph& graph, const ShownCalls& shown) {
  return CallReplay(graph, shown).build();
}

}  // namespace xtrace
