#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "view/assess/profile.h"

namespace xtrace {

/// Something about a run that those before it had not. Rules have a fixed weight each, which is
/// set by judgement: a new resource counts most. A figure more than three times the most that any
/// learned run had weighs twice, and is for itself enough for `warn`.
struct Reason {
  std::string_view rule;
  int64_t weight = 0;
  EdgeName edge;         ///< or an actor, in `to`
  PathName path;         ///< of a novel path
  double observed = -1;  ///< of what is counted; -1: nothing is
  Bound expected{};      ///< what the learned runs had of it
  std::vector<HopId> hops;
  Figure figure{};     ///< of a figure, and of a tool
  std::string tool{};  ///< as it is shown
};
/// All there are.
inline constexpr std::string_view kAssessRules[] = {
    "novel_edge",        "novel_resource_access", "novel_path",    "retry_storm",
    "depth_exceeded",    "fanout_exceeded",       "cost_exceeded", "calls_exceeded",
    "failures_exceeded", "tool_calls_exceeded",   "novel_tool"};

/// What is found about a run that is held against others.
struct RunDeviations {
  std::vector<Reason> reasons;
  /// Names that redaction replaced, in the run and in the baseline by the same words: who is behind
  /// them may be the same or another, so they are taken for the same.
  std::vector<std::string> alike;
  bool hides_alike = false;  ///< one of these is hidden in the input itself, as in a part
  /// Names that are hidden in the input itself and may be some that were learned: they count
  /// neither as new nor as known.
  std::vector<std::string> unsure{};
};

/// Holds runs against what was learned of others.
class RunJudge {
 public:
  /// `baseline` must live as long.
  explicit RunJudge(const Profile& baseline);
  RunDeviations judge(const RunTraits& run) const;

 private:
  const Profile& baseline_;
  std::set<std::string> learned_;  ///< all names in it
};

/// The sum of the weights, 100 at most.
int64_t score_of(const std::vector<Reason>& reasons);
/// `ok` up to 25, `warn` up to 60, `high` above: one thing that was never seen is nothing to look
/// into (none weighs more than 20), two are, and four are urgent. A choice, as the weights are;
/// nothing was measured.
inline constexpr int64_t kOk = 25, kWarn = 60;
std::string_view level_of(int64_t score);

/// What an agent did, against its card.
struct CardVerdict {
  enum class Verdict : uint8_t { aligned, overreach, unknown };
  std::string agent;
  Verdict verdict = Verdict::unknown;
  std::vector<std::pair<EdgeName, std::vector<HopId>>> violations{};
  size_t line = 0;  ///< of its card; 0: it has none
  /// Hidden names that it called, which its card may declare.
  std::set<std::string> unsure{};
};
inline constexpr std::string_view kVerdictWords[] = {"aligned", "overreach", "unknown"};

/// Of each agent that called anybody. unknown: it has no card, or whether it keeps to it is hidden
/// in the input.
std::vector<CardVerdict> align(const RunTraits& run, const std::vector<AgentCard>& cards);

}  // namespace xtrace
