#pragma once

#include <functional>
#include <string>
#include <vector>

#include "render/svg/folded_time.h"

namespace xtrace {

/// The places of everything in a timeline. Time runs from left to right in bands below one another,
/// as lines of a text do, so that a long run has room on a page; each band has the lanes that were
/// at work then.
struct TimelineLayout {
  struct Strip {  ///< a lane in a band
    uint32_t lane = 0, rows = 1;
    int64_t y = 0;
    bool is_first = false;  ///< of this lane
  };
  struct Band {
    int64_t from = 0;  ///< place
    int64_t y = 0, height = 0;
    std::vector<Strip> strips;
  };
  /// A part of a row in one band.
  struct Spot {
    uint32_t band = 0;
    int64_t x = 0, end = 0, y = 0;  ///< y of the row's top
    bool is_first = true, is_last = true;
  };

  static constexpr int64_t kLabels = 228, kAxis = 20, kBetween = 14;

  explicit TimelineLayout(const Chart& chart) : time(chart) {}

  FoldedTime time;
  int64_t us_per_pixel = 1, row_height = 26, most_rows = 12;
  int64_t left = 0, width = 0;  ///< of what is drawn of time
  int64_t top = 0, height = 0;
  std::vector<Band> bands;

  bool has_labels() const { return row_height >= 20; }
  int64_t x_of(const Band& band, int64_t place) const {
    return left + (place - band.from) / us_per_pixel;
  }
  uint32_t row_of(const Chart::Mark& mark) const {
    return std::min<uint32_t>(mark.row, static_cast<uint32_t>(most_rows) - 1);
  }
  /// The time between two places, a part in each band.
  void each_spot(const Chart::Mark& mark, int64_t from, int64_t to,
                 const std::function<void(const Spot& spot)>& take) const;
};

/// Finds the bands with which the picture is legible and no higher than `room`. Merges lanes where
/// there are too many, and says so.
TimelineLayout lay_timeline(Chart& chart, int64_t top, int64_t room,
                            std::vector<std::string>& notes);

}  // namespace xtrace
