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
  /// Whose tokens there are, and no price for them. By name.
  const std::vector<std::string_view>& unpriced_models() const { return unpriced_models_; }
  /// How many calls' costs come from the log, and how many from the table.
  int64_t from_log() const { return from_log_; }
  int64_t from_table() const { return from_table_; }
  /// With what no call accounts for.
  const Usage& total() const { return total_; }
  const std::vector<UnplacedRow>& unplaced() const { return *unplaced_; }
  /// Those of a session.
  Usage unplaced_of(const Session& session) const;
  /// Is any of the cost stated by the log, any a price of tokens?
  bool has_recorded_cost() const { return has_recorded_; }
  bool has_computed_cost() const { return has_computed_; }
  /// Uses of tools that no fee is known of, and how many calls cost more for other reasons.
  const ServerToolUses& unpriced_tools() const { return unpriced_tools_; }
  int64_t partly_for_other_reasons() const {
    return std::min(partly_for_others_, std::max<int64_t>(total_.partly, 0));
  }

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
  /// Notes why usage has a lower bound as its cost.
  void note_partial(const Graph& graph, std::string_view model, const Tokens& tokens, Time time);
  void find_stretches(const Graph& graph, const Selection& selection);
  void add_up(const Graph& graph, const Selection& selection);

  std::vector<Usage> own_;       ///< by call
  std::vector<uint32_t> place_;  ///< by call: in the order of time
  std::vector<uint32_t> of_;     ///< by call: its stretch
  std::vector<CallRange> ranges_;
  std::unordered_map<uint32_t, Usage> in_all_;  ///< of those calls that spawned any
  std::vector<std::string_view> unpriced_models_;
  int64_t from_log_ = 0, from_table_ = 0;
  ServerToolUses unpriced_tools_;
  int64_t partly_for_others_ = 0;
  Usage total_;
  bool has_recorded_ = false, has_computed_ = false;
  std::shared_ptr<const std::vector<UnplacedRow>> unplaced_;
  std::unordered_map<uint32_t, Usage> unplaced_of_;  ///< by number of the session
};

}  // namespace xtrace
