#pragma once

#include <cstddef>

namespace xtrace {

/// What an input shows of two things that the search for causes takes for granted: that a caller
/// waits for what it calls, and that clocks agree. Counted over all calls whose cause is not on
/// record, since a few calls of one actor say little.
class Disorder {
 public:
  /// A call that began while so many callers were open, of whom so many lasted longer than it.
  void add_call(size_t open, size_t staying);
  /// A call that began while nobody was open who could have made it. `is_by_clock`: nobody had
  /// begun at all, as where clocks differ.
  void add_early_call(bool is_by_clock);
  void add(const Disorder& other);
  /// To be called once, when all calls are there.
  void learn();

  /// How likely one of the callers who ended before the call did made it rather than one of those
  /// who stayed, of whom the likeliest is `best`: one that fits much better than the others was
  /// hardly found by chance.
  double share_of_ended(size_t ended, size_t staying, double best) const;
  /// How likely a call that outlasts everybody was made by one of them, and not by somebody whom
  /// nobody saw.
  double chance_of_outlasted() const { return outlasts_ / (outlasts_ + unseen_); }
  /// How likely a call was made by somebody else than the only one who was open.
  double chance_of_another() const;

 private:
  double all_ = 0;
  /// Calls that would show it if they outlasted their caller: one that a single caller could have
  /// made counts whole, one of several callers less.
  double telling_ = 0;
  double outlasting_ = 0;  ///< calls that last longer than everybody who was open when they began
  double early_ = 0;       ///< calls that began while nobody was open who could have made them
  double by_clock_ = 0;    ///< of these, those that clocks may explain
  double of_one_ = 0;      ///< calls that began while one was
  double outlasts_ = 0;    ///< the chance that a call outlasts its caller
  double unseen_ = 0;      ///< the chance that nobody saw a caller
};

/// How far the pattern of an actor's calls can be believed that was learned from so many others,
/// from 0 to 1: of a few calls any pattern fits all.
double trust_in_pattern(size_t others);

}  // namespace xtrace
