#include "link/activities/time_account.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "link/activities/deed.h"
#include "link/activities/own_time.h"

namespace xtrace {

namespace {

class Account {
 public:
  Account(const Graph& graph, const ShownCalls& shown)
      : graph_(graph), trace_(graph.trace()), shown_(shown), turns_(graph.call_turns()) {
    found_.permissions = graph.activities().permissions;
    found_.undecided = graph.activities().undecided;
    for (size_t i = 0; i < found_.permissions.size(); ++i)
      permission_of_[found_.permissions[i].tool] = i;
  }

  TimeAccount take() && {
    for (size_t i = 0; i < graph_.sessions().size(); ++i) add_session(i);
    for (const TimeAccount::Stretch& stretch : found_.stretches) {
      Duration& part = found_.parts[static_cast<size_t>(stretch.part)];
      part = plus(part, stretch.took());
      found_.total = plus(found_.total, stretch.took());
    }
    return std::move(found_);
  }

 private:
  bool is_dated(CallId id) const {
    return trace_[id].start != kNoTime && trace_[id].duration != kNoDuration;
  }

  void add_session(size_t number) {
    const Session& session = graph_.sessions()[number];
    session_ = static_cast<uint32_t>(number);
    const size_t first = found_.stretches.size();
    sweep_session(session);
    const bool is_whole = std::all_of(session.calls.begin(), session.calls.end(),
                                      [&](CallId id) { return shown_.shows(id); });
    if (is_whole || first == found_.stretches.size()) return;
    const ShownCalls all{[](CallId) { return true; }, {}};
    Account whole(graph_, all);
    whole.session_ = session_;
    whole.sweep_session(session);
    leave_out_hidden(first, whole.found_.stretches);
  }

  /// Between calls that are shown others may have worked: nothing is said of that, but that a
  /// person was waited for, where they were.
  void leave_out_hidden(size_t first, const std::vector<TimeAccount::Stretch>& whole) {
    std::vector<TimeAccount::Stretch> kept;
    size_t at = 0;
    for (const TimeAccount::Stretch& one : std::span(found_.stretches).subspan(first)) {
      if (one.call) kept.push_back(one);
      if (one.call || one.part == PathPart::unexplained) continue;
      while (at < whole.size() && whole[at].to <= one.from) ++at;
      for (size_t i = at; i < whole.size() && whole[i].from < one.to; ++i) {
        if (whole[i].next != one.next || whole[i].part != one.part) continue;
        kept.push_back(one);
        kept.back().from = std::max(one.from, whole[i].from);
        kept.back().to = std::min(one.to, whole[i].to);
      }
    }
    found_.stretches.resize(first);
    found_.stretches.insert(found_.stretches.end(), kept.begin(), kept.end());
  }

  void sweep_session(const Session& session) {
    works_.clear();
    starts_.clear();
    std::set<CallTurn> begun;
    for (CallId id : session.calls) {
      if (!shown_.shows(id)) continue;
      if (!is_dated(id)) ++found_.undated;
      if (trace_[id].start == kNoTime) continue;
      const CallTurn turn = turns_[id.index];
      starts_.push_back({trace_[id].start, id, begun.insert(turn).second, gap_before(graph_, id)});
      if (!is_dated(id)) continue;
      for (const OwnTime& piece : own_time(graph_, id))
        if (piece.part == PathPart::model) add_work(PathPart::model, piece.from, piece.to, id);
      add_retry(id);
      add_tools(id);
    }
    std::ranges::stable_sort(works_, {}, &TimeAccount::Stretch::from);
    sweep();
  }

  void add_work(PathPart part, Time from, Time to, CallId call, ActivityId tool = {}) {
    TimeAccount::Stretch& work = works_.emplace_back();
    work.part = part;
    work.from = from;
    work.to = to;
    work.session = session_;
    work.turn = turns_[call.index];
    work.call = call;
    work.tool = tool;
  }

  void add_retry(CallId id) {
    const Activity& call = graph_.activities().of(id);
    if (!call.retry_of || call.waited == kNoDuration || call.waited <= Duration{0}) return;
    add_work(PathPart::retry_wait, after(call.start, -call.waited), call.start, id);
  }

  void add_tools(CallId id) {
    const ActivityId first = graph_.activities().of_call[id.index];
    const std::span<const Activity> tools = graph_.activities().tools_of(id);
    for (size_t i = 0; i < tools.size(); ++i) {
      const Activity& tool = tools[i];
      const ActivityId at(first.index + 1 + i);
      const ToolWait wait = wait_for(graph_, tool);
      if (wait.took == kNoDuration || wait.took <= Duration{0}) continue;
      Time from = wait.from;
      const Time to = wait.end();
      auto permission = permission_of_.find(at);
      if (permission != permission_of_.end()) {
        const Time until = std::min(found_.permissions[permission->second].end(), to);
        add_work(PathPart::permission, from, until, id, at);
        from = until;
      }
      if (from < to)
        add_work(asks_a_person(tool.tool) ? PathPart::person : PathPart::tool, from, to, id, at);
    }
  }

  struct Start {
    Time at;
    CallId call;
    bool begins_turn;
    PathPart gap;  ///< what a wait before it was for, if nothing went on
  };

  /// From one moment at which something begins or ends to the next.
  void sweep() {
    if (works_.empty()) return;
    std::vector<Time> moments;
    for (const TimeAccount::Stretch& work : works_)
      moments.insert(moments.end(), {work.from, work.to});
    for (const Start& start : starts_) moments.push_back(start.at);
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    std::stable_sort(starts_.begin(), starts_.end(),
                     [](const Start& a, const Start& b) { return a.at < b.at; });
    size_t next_work = 0, next_start = 0;
    CallTurn turn = turns_[starts_.front().call.index];
    open_ = {};
    for (size_t i = 0; i + 1 < moments.size(); ++i) {
      const Time from = moments[i], to = moments[i + 1];
      for (; next_start < starts_.size() && starts_[next_start].at <= from; ++next_start)
        if (starts_[next_start].begins_turn) turn = turns_[starts_[next_start].call.index];
      for (; next_work < works_.size() && works_[next_work].from <= from; ++next_work)
        open_.emplace(works_[next_work].part, is_others(works_[next_work]), next_work);
      const TimeAccount::Stretch* work = foremost(from);
      TimeAccount::Stretch stretch = work != nullptr ? *work : TimeAccount::Stretch();
      stretch.from = from;
      stretch.to = to;
      if (work == nullptr) {
        stretch.session = session_;
        stretch.turn = turn;
        explain_gap(next_start, stretch);
      }
      add(stretch);
    }
  }

  /// Of what is still open, the part that counts, in the order of PathPart; of several, that which
  /// began first, a tool of a subagent before the one that started that.
  const TimeAccount::Stretch* foremost(Time from) {
    const auto work = [&] { return &works_[std::get<size_t>(open_.top())]; };
    while (!open_.empty() && work()->to <= from) open_.pop();
    return open_.empty() ? nullptr : work();
  }

  /// Is it the run of a tool that started a subagent? Then the subagent did the work.
  bool is_others(const TimeAccount::Stretch& work) const {
    return work.part != PathPart::permission && work.tool &&
           graph_.activities()[work.tool].has_spawned;
  }

  void explain_gap(size_t next_start, TimeAccount::Stretch& gap) const {
    if (next_start == starts_.size() || starts_[next_start].at != gap.to) return;
    for (PathPart part : {PathPart::person, PathPart::background})
      for (size_t i = next_start; i < starts_.size() && starts_[i].at == gap.to; ++i) {
        if (starts_[i].gap != part) continue;
        gap.part = part;
        gap.next = starts_[i].call;
        gap.turn = turns_[starts_[i].call.index];
        return;
      }
  }

  void add(const TimeAccount::Stretch& stretch) {
    if (!found_.stretches.empty()) {
      TimeAccount::Stretch& last = found_.stretches.back();
      const bool goes_on = last.session == stretch.session && last.to == stretch.from &&
                           last.part == stretch.part && last.call == stretch.call &&
                           last.tool == stretch.tool && last.next == stretch.next &&
                           last.turn == stretch.turn;
      if (goes_on) {
        last.to = stretch.to;
        return;
      }
    }
    found_.stretches.push_back(stretch);
  }

  const Graph& graph_;
  const Trace& trace_;
  const ShownCalls& shown_;
  const std::vector<CallTurn>& turns_;  ///< by call
  std::map<ActivityId, size_t> permission_of_;
  TimeAccount found_;
  // Of the session at hand:
  uint32_t session_ = 0;
  std::vector<TimeAccount::Stretch> works_;  ///< what went on, at the same time or not
  std::vector<Start> starts_;
  using Begun = std::tuple<PathPart, bool, size_t>;  ///< is_others, index into works_
  std::priority_queue<Begun, std::vector<Begun>, std::greater<>> open_;
};

}  // namespace

bool TimeAccount::may_be_permission(const Stretch& stretch) const {
  return stretch.part == PathPart::tool && stretch.tool &&
         std::binary_search(undecided.begin(), undecided.end(), stretch.tool);
}

const PermissionWait* TimeAccount::permission_of(const Stretch& stretch) const {
  if (stretch.part != PathPart::permission) return nullptr;
  auto found = std::find_if(permissions.begin(), permissions.end(),
                            [&](const PermissionWait& wait) { return wait.tool == stretch.tool; });
  return found == permissions.end() ? nullptr : &*found;
}

TimeAccount account_for_time(const Graph& graph, const ShownCalls& shown) {
  return Account(graph, shown).take();
}

}  // namespace xtrace
