#include "link/calls/sessions.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/union_find.h"

namespace xtrace {

namespace {

constexpr Duration kPause = std::chrono::minutes(10);

/// Joins what the log itself puts into one session, then along exact links, then over short pauses;
/// what bears different explicit ids is never joined.
class SessionJoiner {
 public:
  explicit SessionJoiner(const Timeline& timeline)
      : timeline_(timeline),
        groups_(timeline.trace().events.size()),
        explicit_(timeline.trace().events.size()) {
    std::unordered_map<uint32_t, uint32_t> first_of;
    for (EventId event : timeline.in_order()) {
      StringId session = timeline.call(event).session;
      explicit_[event.index] = session;
      if (!session) continue;
      auto [first, is_new] = first_of.emplace(session.index, event.index);
      if (!is_new) groups_.join(first->second, event.index);
    }
  }

  void join(EventId a, EventId b) {
    uint32_t x = groups_.find(a.index), y = groups_.find(b.index);
    StringId left = explicit_[x], right = explicit_[y];
    if (x == y || (left && right && left != right)) return;
    groups_.join(x, y);
    explicit_[groups_.find(x)] = left ? left : right;
  }

  /// Calls of one user with no long pause between them. Those that name their session need none of
  /// this, and must not pull others in.
  void join_over_pauses() {
    struct Last {
      EventId event;
      Time end = kNoTime;
    };
    std::unordered_map<uint32_t, Last> last_of_user;
    for (EventId id : timeline_.in_order()) {
      if (timeline_.call(id).session) continue;
      const Event& event = timeline_[id];
      Last& last = last_of_user[timeline_.call(id).user.index];
      Duration pause = elapsed(last.end, event.start);
      if (last.event && (pause == kNoDuration || pause < kPause)) join(last.event, id);
      last.event = id;
      last.end = std::max(last.end, event.end());
    }
  }

  uint32_t group_of(EventId event) { return groups_.find(event.index); }
  StringId explicit_id(EventId event) { return explicit_[groups_.find(event.index)]; }

 private:
  const Timeline& timeline_;
  UnionFind groups_;
  std::vector<StringId> explicit_;  ///< by group
};

/// Exact enough to carry a session over a pause: all but texts that several tool uses share.
bool is_exact(const Link& link) {
  return !is_guess(link.rule) &&
         !((link.rule == Rule::prompt || link.rule == Rule::tool_argument) && link.rivals > 0);
}

}  // namespace

Sessions find_sessions(const Timeline& timeline, const Findings& findings) {
  SessionJoiner joining(timeline);
  for (const Link& link : findings.links)
    if (is_exact(link)) joining.join(link.from, link.to);
  joining.join_over_pauses();

  Sessions sessions;
  sessions.of.resize(timeline.trace().events.size());
  std::unordered_map<uint32_t, uint32_t> number_of;
  for (EventId event : timeline.in_order()) {
    auto [number, is_new] = number_of.emplace(joining.group_of(event), sessions.all.size());
    if (is_new) {
      Session session;
      session.id = joining.explicit_id(event);
      session.number = static_cast<uint32_t>(sessions.all.size() + 1);
      sessions.all.push_back(session);
    }
    Session& session = sessions.all[number->second];
    sessions.of[event.index] = number->second;
    session.events.push_back(event);
    if (!session.user) session.user = timeline.call(event).user;
    if (session.start == kNoTime) session.start = timeline[event].start;
    session.end = std::max(session.end, timeline[event].end());
  }
  return sessions;
}

std::string session_name(const Trace& trace, const Session& session) {
  return session.id ? std::string(trace[session.id]) : fmt::format("s{}", session.number);
}

}  // namespace xtrace
