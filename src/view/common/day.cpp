#include "view/common/day.h"

namespace xtrace {

Cell day_of(Time time, Door& door) {
  if (time == kNoTime) return {};
  return door.composed(door.zone().day(time));
}

}  // namespace xtrace
