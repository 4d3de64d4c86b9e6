#include "link/waste/worked.h"

#include <algorithm>
#include <tuple>

namespace xtrace {

Duration time_of(std::vector<Worked> worked) {
  std::sort(worked.begin(), worked.end(), [](const Worked& a, const Worked& b) {
    return std::tuple(a.session, a.from) < std::tuple(b.session, b.from);
  });
  Duration sum{0};
  const Worked* longest = nullptr;  // that which ends last of those before
  for (const Worked& one : worked) {
    const bool is_dated = one.from != kNoTime;
    Duration more = one.took;
    if (is_dated && longest != nullptr && longest->session == one.session &&
        longest->until() > one.from)
      more = std::max(elapsed(longest->until(), one.until()), Duration{0});
    sum = plus(sum, more);
    if (is_dated &&
        (longest == nullptr || longest->session != one.session || longest->until() < one.until()))
      longest = &one;
  }
  return sum;
}

void leave_out(Time from, Time until, std::vector<Worked>& worked) {
  std::vector<Worked> rest;
  const auto keep = [&](const Worked& one, Time begin, Time end) {
    if (begin < end) rest.push_back({one.session, begin, elapsed(begin, end)});
  };
  for (const Worked& one : worked) {
    if (one.from == kNoTime || from == kNoTime || until == kNoTime) {
      rest.push_back(one);
      continue;
    }
    keep(one, one.from, std::min(one.until(), from));
    keep(one, std::max(one.from, until), one.until());
  }
  worked = std::move(rest);
}

}  // namespace xtrace
