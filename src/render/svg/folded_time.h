#pragma once

#include <vector>

#include "render/chart/chart.h"

namespace xtrace {

/// The places of moments in a picture: in the order of time, hours in which nothing happened folded
/// to a short break. A place is a moment with what is cut before it taken away, from 0.
class FoldedTime {
 public:
  struct Break {
    int64_t from = 0, to = 0;  ///< moments
    int64_t place = 0;         ///< of its beginning
  };
  static constexpr int64_t kIdle = 600'000'000;  ///< what lasts longer is folded
  /// Likewise, where more than a third of all time went by in such breaks.
  static constexpr int64_t kShortIdle = 60'000'000;

  explicit FoldedTime(const Chart& chart);
  /// How long a break is, in places.
  void keep(int64_t of_break);

  int64_t place(int64_t moment) const;
  int64_t moment(int64_t place) const;
  int64_t end() const { return place(last_); }
  /// Without the breaks.
  int64_t busy() const { return busy_; }
  int64_t kept() const { return kept_; }
  const std::vector<Break>& breaks() const { return breaks_; }

 private:
  std::vector<Break> breaks_;
  int64_t first_ = 0, last_ = 0, busy_ = 0, kept_ = 0;
};

/// The longest that a tool took which a mark asked for; 0: none, or unknown.
int64_t tool_time(const Chart& chart, const Chart::Mark& mark);
/// What was waited for before a mark, as far as pictures show it: a tool has a bar of its own.
int64_t shown_wait(const Chart::Figures& figures);

}  // namespace xtrace
