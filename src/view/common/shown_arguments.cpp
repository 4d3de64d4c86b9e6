#include "view/common/shown_arguments.h"

#include "settings/arguments.h"

namespace xtrace {

Text shown_arguments(Door& door, const std::string& given) {
  if (door.level() == Door::Level::basic || given.empty()) return {};
  if (!door.shows_field("arguments")) return door.field("arguments", given);
  const std::optional<std::string> shown = rewritten_json(
      given,
      {.value =
           [&](std::string_view name, const std::string& value) {
             return std::string(door.field(name, value).view());
           },
       .name = [&](const std::string& name) { return std::string(door.name_once(name).view()); }});
  return shown ? door.composed(*shown) : door.field("arguments", given);
}

}  // namespace xtrace
