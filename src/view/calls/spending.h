#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "view/common/field.h"
#include "view/common/selection.h"

namespace xtrace {

/// What some calls used up, and what that cost.
struct Usage {
  Tokens tokens{};
  int64_t cost = kNoCount;  ///< in billionths of a dollar, of those of which it is known
  int64_t unpriced = 0;     ///< calls of which it is not
  int64_t low = 0;          ///< calls that put out more than is known (Call::output_is_low)
  int64_t unrecorded = 0;   ///< of the unpriced ones, agents whose calls are not in the input
  int64_t partly = 0;       ///< calls that cost more than the part that is known
  /// What of the cost a larger total states was not charged (UnplacedUsage::uncharged); taken off
  /// as soon as the cost that it is of is in the sum.
  int64_t uncharged = 0;

  /// Is the true cost higher?
  bool is_low_cost() const { return unpriced > 0 || low > 0 || partly > 0; }

  void add(const Usage& other);
};
Usage usage_of(const Activity& call);

/// Fills a field with a count of tokens.
template <auto kCount>
Cell count_of(const Tokens& tokens) {
  return known(std::invoke(kCount, tokens));
}
/// The tokens of several calls.
inline constexpr Field<Tokens> kInputTokens[] = {
    {{"tokens.input", "uncached input tokens", Role::input}, count_of<&Tokens::input>},
};
inline constexpr Field<Tokens> kOtherTokens[] = {
    {{"tokens.output", "", Role::output}, count_of<&Tokens::output>},
    {{"tokens.total", "the sum of all four token counts", Role::tokens}, count_of<&total_of>},
    {{"tokens.cache_read", "", CellKind::integer}, count_of<&Tokens::cache_read>},
    {{"tokens.cache_creation", "", CellKind::integer}, count_of<&Tokens::cache_creation>},
};
inline constexpr auto kTokens = joined_fields(kInputTokens, kOtherTokens);

/// A row of the ledger in an answer. In an answer about calls, what spans account for and no call
/// does is such a row too: then it counts calls.
struct UnplacedRow {
  UnplacedUsage usage;
  int64_t calls = 0, errors = 0, retries = 0;
  int64_t unknown = 0;  ///< calls of which no outcome is on record
};

Usage usage_of(const UnplacedUsage& row);

/// Where the costs of some calls or spans come from, and why their sum is incomplete.
struct CostSources {
  Usage total{};                                    ///< with what no call accounts for
  int64_t from_log = 0, from_table = 0;             ///< calls by where their costs come from
  bool has_recorded = false, has_computed = false;  ///< of any cost
  std::vector<std::string_view> unpriced_models{};  ///< with tokens, and no price for them; by name
  ServerToolUses unpriced_tools{};                  ///< uses of tools whose fee is not known

  /// A call, or a span that is one; `has_tokens`: no price would help without.
  void add(const PriceTable& prices, const Activity& done, const Usage& usage, bool has_tokens);
  void add(const PriceTable& prices, const UnplacedUsage& row);
  /// Sorts the models. To be called when all are added.
  void finish();
  /// Calls whose cost is partly known for other reasons than the fees of tools.
  int64_t partly_for_other_reasons() const {
    return std::min(partly_for_others_, std::max<int64_t>(total.partly, 0));
  }

 private:
  void note_partial(const PriceTable& prices, std::string_view model, const Tokens& tokens,
                    Time time);

  int64_t partly_for_others_ = 0;
};

/// What of the calls that are shown cost how much, and what all cost that they spawned: the calls
/// of a subagent from the one on that its tool use started, up to where it was resumed by another.
/// So each call is spawned once at most, and counted once.
///
///     p1 ── p2 ── p3        p1 spawned a1 and a2, p2 resumed the agent at a3:
///      └─ a1 ── a2 ── a3    p1 has p1 a1 a2, p2 has p2 a3
class Spending {
 public:
  Spending() = default;
  Spending(const Graph& graph, const Selection& selection);

  /// What the call itself cost.
  const Usage& own(CallId call) const { return own_[call.index]; }
  /// With all that it spawned.
  const Usage& in_all(CallId call) const;
  /// The same of several, each call counted once.
  Usage in_all(std::span<const CallId> calls) const;
  /// Sums of groups of calls with all that they spawned, each call counted once in each group.
  /// `key_of` an call, the same for all of a conversation.
  template <class KeyOf>
  auto in_all_by(KeyOf key_of) const {
    std::map<decltype(key_of(CallId())), Usage> sums;
    std::map<decltype(key_of(CallId())), uint32_t> begins;
    for (const CallRange& range : ranges_) {
      uint32_t place = place_[range.first.index];
      uint32_t& begin = begins.try_emplace(key_of(range.first), place).first->second;
      begin = std::min(begin, place);
    }
    for (const CallRange& range : ranges_) {
      auto key = key_of(range.first);
      bool within =
          is_within(range.spawner, begins[key], [&](CallId by) { return key_of(by) == key; });
      if (!within) sums[key].add(range.in_all);
    }
    return sums;
  }
  const CostSources& sources() const { return sources_; }
  /// With what no call accounts for.
  const Usage& total() const { return sources_.total; }
  const std::vector<UnplacedRow>& unplaced() const { return *unplaced_; }
  /// Those of a session.
  Usage unplaced_of(const Session& session) const;

 private:
  /// Calls of a conversation that one tool use started, or nobody.
  struct CallRange {
    CallId first, spawner;
    Usage in_all;
  };
  CallId spawner_of(CallId call) const { return ranges_[of_[call.index]].spawner; }
  /// Is a call, or one above it, of a group? None of the group stands before the place `begin`, so
  /// that a long line of spawners need not be walked to its end each time.
  template <class IsOf>
  bool is_within(CallId call, uint32_t begin, IsOf is_of) const {
    for (; call && place_[call.index] >= begin; call = spawner_of(call))
      if (is_of(call)) return true;
    return false;
  }
  void find_own(const Graph& graph, const Selection& selection);
  void find_stretches(const Graph& graph, const Selection& selection);
  void add_up(const Graph& graph, const Selection& selection);

  std::vector<Usage> own_;       ///< by call
  std::vector<uint32_t> place_;  ///< by call: in the order of time
  std::vector<uint32_t> of_;     ///< by call: its stretch
  std::vector<CallRange> ranges_;
  std::unordered_map<uint32_t, Usage> in_all_;  ///< of those calls that spawned any
  CostSources sources_;
  std::shared_ptr<const std::vector<UnplacedRow>> unplaced_;
  std::unordered_map<uint32_t, Usage> unplaced_of_;  ///< by number of the session
};

}  // namespace xtrace
