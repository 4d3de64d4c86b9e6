#pragma once

#include <cstdint>
#include <vector>

#include "base/time.h"

namespace xtrace {

/// A tool or a model at work.
struct Worked {
  uint32_t session = 0;  ///< index into Graph::sessions()
  Time from = kNoTime;
  Duration took{0};
  Time until() const { return after(from, took); }
};

/// How long all of that took. What went on at the same time in one session counts once.
Duration time_of(std::vector<Worked> worked);

/// Leaves out what went on between two moments.
void leave_out(Time from, Time until, std::vector<Worked>& worked);

}  // namespace xtrace
