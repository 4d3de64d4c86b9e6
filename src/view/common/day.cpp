#include "view/common/day.h"

namespace xtrace {

Cell day_of(Time time, Door& door) {
  if (time == kNoTime) return {};
  return door.composed(format_time({time, 0}).substr(0, 10));
}

}  // namespace xtrace
