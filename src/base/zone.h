#pragma once

#include <string>

#include "base/time.h"

namespace xtrace {

/// The time zone of times for people: UTC, or that of their own clock.
class Zone {
 public:
  Zone() = default;  ///< UTC
  /// The one that `TZ` names, else the machine's.
  static Zone local();

  /// `2026-03-01T10:30:00`, with the moment's own decimals; format_time() without the `Z`.
  std::string show(Moment moment) const;
  /// `21:07:08` of the same.
  std::string clock(Time time) const { return show({time, 0}).substr(11, 8); }
  /// `2026-03-01` of the same.
  std::string day(Time time) const { return show({time, 0}).substr(0, 10); }
  /// What it is called then: `UTC`, `CEST`, `+03`.
  std::string name(Time time) const;
  /// How far ahead of UTC it is then.
  Duration ahead(Time time) const;
  /// When its clocks show what a clock of UTC shows at `shown`: the first time of two, and where
  /// they skip it, that which comes as much later.
  Time when(Time shown) const;

 private:
  bool is_local_ = false;
};

}  // namespace xtrace
