#include "link/activities/waited.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace xtrace {

std::vector<Waited> waits_before_calls(const TimeAccount& account, size_t calls) {
  std::vector<Waited> waits(calls);
  std::vector<bool> has_begun(calls);
  PartTimes since{};  // the last model was at work
  uint32_t session = 0;
  for (const TimeAccount::Stretch& stretch : account.stretches) {
    if (stretch.session != session) since = {};
    session = stretch.session;
    if (stretch.part != PathPart::model) {
      Duration& part = since[static_cast<size_t>(stretch.part)];
      part = plus(part, stretch.took());
      continue;
    }
    // What its own tools took is no wait before it.
    if (has_begun[stretch.call.index]) {
      since = {};
      continue;
    }
    has_begun[stretch.call.index] = true;
    Waited& waited = waits[stretch.call.index];
    for (Duration part : since) waited.length = plus(waited.length, part);
    const auto most = std::max_element(since.begin(), since.end());
    if (*most > Duration{0})
      waited.part = static_cast<PathPart>(std::distance(since.begin(), most));
    since = {};
  }
  return waits;
}

}  // namespace xtrace
