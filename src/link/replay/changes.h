#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "link/replay/replay.h"
#include "prices/price.h"

namespace xtrace {

/// A change to a run.
struct ReplayChange {
  enum class Kind : uint8_t { remove, speed, no_retries, no_waiting, parallel, price, cache };
  enum class Target : uint8_t { none, tool, agent, model, node };
  Kind kind = Kind::remove;
  Target target = Target::none;
  std::string name{};            ///< of the target; of a price, of the model
  double factor = 1;             ///< speed: by which lengths are divided
  Duration fixed = kNoDuration;  ///< speed: what each takes instead
  std::string to{};              ///< price: the model whose prices are taken
  // Of a node, what the name means:
  CallId call{};
  const ToolUse* use = nullptr;
  HopId hop{};
};
inline constexpr std::string_view kReplayChangeWords[] = {
    "remove", "speed", "no_retries", "no_waiting", "parallel", "price", "cache"};
inline constexpr std::string_view kReplayTargetWords[] = {"", "tool", "agent", "model", "node"};
constexpr std::string_view word(ReplayChange::Kind kind) {
  return kReplayChangeWords[static_cast<size_t>(kind)];
}
constexpr std::string_view word(ReplayChange::Target target) {
  return kReplayTargetWords[static_cast<size_t>(target)];
}

/// Is it a call of a model, failed or not, or a span within one?
bool is_call_of_model(const ReplayStep& step);

/// How many steps a change names: calls, tool uses, agents, waits.
int64_t count_matches(const Replay& replay, const ReplayChange& change);
/// What changes do to the steps, one after another. What is within a removed step is removed.
ReplayEffects effects_of(const Replay& replay, const std::vector<ReplayChange>& changes);

/// An amount that is only known to be between two, as far as any of it is known.
struct ReplayCost {
  int64_t lower = 0, upper = 0;  ///< in billionths of a dollar
  int64_t unpriced = 0;          ///< calls of unknown cost, which are not in it
  int64_t low = 0;               ///< calls that cost more than is known
  void add(const ReplayCost& other);
  bool is_known() const { return unpriced == 0 || upper > 0; }
  bool is_low() const { return unpriced > 0 || low > 0; }
};

/// What calls or spans cost, with the step of each.
struct BilledStep {
  uint32_t step = ReplayStep::kNone;  ///< kNone: no change reaches it
  std::string_view model{};
  TokensAndCost usage{};
  Time time = kNoTime;
  bool is_unpriced = false;   ///< it cost something that nobody knows
  bool is_low = false;        ///< it cost more than is known
  int64_t reused = kNoCount;  ///< tokens of its request that the call before it sent as well
  int64_t replied = 0;        ///< tokens that this call replied with
};
std::vector<BilledStep> billed_calls(const Graph& graph, const ShownCalls& shown,
                                     const Replay& replay);
std::vector<BilledStep> billed_hops(const Graph& graph, const Hops& hops, const Replay& replay);

/// What each costs with the changes.
std::vector<ReplayCost> costs_of(std::span<const BilledStep> billed,
                                 const std::vector<ReplayChange>& changes,
                                 const ReplayEffects& effects, const PriceTable& prices);
/// All of them.
ReplayCost cost_of(std::span<const BilledStep> billed, const std::vector<ReplayChange>& changes,
                   const ReplayEffects& effects, const PriceTable& prices);

/// Is a model that a log names the one that somebody means, with or without maker and date?
bool is_model(std::string_view logged, std::string_view meant);

}  // namespace xtrace
