#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "view/profile.h"

namespace xtrace {

/// Something about a run that those before it had not (six rules of fixed weight, after the trust
/// server of design 004).
struct Reason {
  std::string_view rule;
  int64_t weight = 0;
  EdgeName edge;         ///< or an actor, in `to`
  PathName path;         ///< of a novel path
  double observed = -1;  ///< of what is counted; -1: nothing is
  double expected = -1;  ///< what 95 of 100 runs do not exceed
  std::vector<HopId> hops;
};

std::vector<Reason> judge(const RunTraits& run, const Profile& baseline);

/// The sum of the weights, 100 at most.
int64_t score_of(const std::vector<Reason>& reasons);
inline constexpr int64_t kOk = 25;
/// `ok` up to 25, `warn` up to 60, `high` above.
std::string_view level_of(int64_t score);

/// What an agent did, against its card.
struct CardVerdict {
  enum class Verdict : uint8_t { aligned, overreach, unknown };
  std::string agent;
  Verdict verdict = Verdict::unknown;
  std::vector<std::pair<EdgeName, std::vector<HopId>>> violations;
};
inline constexpr std::string_view kVerdictWords[] = {"aligned", "overreach", "unknown"};

/// Of each agent that called anybody. unknown: it has no card.
std::vector<CardVerdict> align(const RunTraits& run, const std::vector<AgentCard>& cards);

}  // namespace xtrace
