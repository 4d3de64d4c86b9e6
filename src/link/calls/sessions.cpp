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
        groups_(timeline.trace().calls.size()),
        explicit_(timeline.trace().calls.size()) {
    std::unordered_map<uint32_t, uint32_t> first_of;
    for (CallId call : timeline.in_order()) {
      StringId session = timeline[call].session;
      explicit_[call.index] = session;
      if (!session) continue;
      auto [first, is_new] = first_of.emplace(session.index, call.index);
      if (!is_new) groups_.join(first->second, call.index);
    }
  }

  void join(CallId a, CallId b) {
    uint32_t x = groups_.find(a.index), y = groups_.find(b.index);
    StringId left = explicit_[x], right = explicit_[y];
    if (x == y || (left && right && left != right)) return;
    groups_.join(x, y);
    explicit_[groups_.find(x)] = left ? left : right;
  }

  /// Calls of one user with no long pause between them; one that names no user is of whoever alone
  /// was at work in the same log then. Those that name their session need none of this, and must
  /// not pull others in.
  void join_over_pauses() {
    std::unordered_map<uint32_t, Last> last_of_user;
    std::vector<uint32_t> newest;  // users, who did something last at the end
    for (CallId id : timeline_.in_order()) {
      const Call& call = timeline_[id];
      if (call.session) continue;
      uint32_t user = call.user.index;
      if (!call.user && is_alone(newest, last_of_user, call)) user = newest.back();
      std::erase(newest, user);
      newest.push_back(user);
      constexpr size_t kTelling = 2;  // a second one makes it doubtful
      if (newest.size() > kTelling) newest.erase(newest.begin());
      Last& last = last_of_user[user];
      if (last.is_near(call.start)) join(last.call, id);
      last.call = id;
      last.end = std::max(last.end, call.end());
    }
  }

  uint32_t group_of(CallId call) { return groups_.find(call.index); }
  StringId explicit_id(CallId call) { return explicit_[groups_.find(call.index)]; }

 private:
  /// What a user did last.
  struct Last {
    CallId call;
    Time end = kNoTime;

    bool is_near(Time start) const {
      Duration pause = elapsed(end, start);
      return call && (pause == kNoDuration || pause <= kPause);
    }
  };

  /// Did only the newest of the users do something a short time before, and in the same log?
  bool is_alone(const std::vector<uint32_t>& newest,
                const std::unordered_map<uint32_t, Last>& last_of, const Call& call) const {
    auto is_near = [&](uint32_t user) { return last_of.at(user).is_near(call.start); };
    return !newest.empty() && is_near(newest.back()) &&
           timeline_[last_of.at(newest.back()).call].source.file == call.source.file &&
           std::count_if(newest.begin(), newest.end(), is_near) == 1;
  }

  const Timeline& timeline_;
  UnionFind groups_;
  std::vector<StringId> explicit_;  ///< by group
};

/// Exact enough to carry a session over a pause: all but texts that several tool uses share, or
/// one that was answered by then.
bool is_exact(const Link& link) {
  if (link.joins_sessions) return true;
  if (link.rule == Rule::prompt && (link.rivals > 0 || link.given_confidence >= 0)) return false;
  return !is_guess(link.rule) && !(link.rule == Rule::tool_argument && link.rivals > 0);
}

}  // namespace

Sessions find_sessions(const Timeline& timeline, const Findings& findings) {
  SessionJoiner joining(timeline);
  for (const Link& link : findings.links)
    if (is_exact(link)) joining.join(link.from, link.to);
  joining.join_over_pauses();

  Sessions sessions;
  sessions.of.resize(timeline.trace().calls.size());
  std::unordered_map<uint32_t, uint32_t> number_of;
  for (CallId call : timeline.in_order()) {
    auto [number, is_new] = number_of.emplace(joining.group_of(call), sessions.all.size());
    if (is_new) {
      Session session;
      session.id = joining.explicit_id(call);
      session.number = static_cast<uint32_t>(sessions.all.size() + 1);
      sessions.all.push_back(session);
    }
    Session& session = sessions.all[number->second];
    sessions.of[call.index] = number->second;
    session.calls.push_back(call);
    if (!session.user) session.user = timeline[call].user;
    if (session.start == kNoTime) session.start = timeline[call].start;
    session.end = std::max(session.end, timeline[call].end());
  }
  return sessions;
}

std::string session_name(const Trace& trace, const Session& session) {
  return session.id ? std::string(trace[session.id]) : fmt::format("s{}", session.number);
}

}  // namespace xtrace
