#pragma once

#include <string_view>

namespace xtrace {

/// Calls `each` for each part between marks, as in a list of folders, `a:b`; also for empty parts.
template <class Each>
void for_each_part(std::string_view list, char mark, Each each) {
  while (true) {
    const size_t end = list.find(mark);
    each(list.substr(0, end));
    if (end == std::string_view::npos) return;
    list.remove_prefix(end + 1);
  }
}

}  // namespace xtrace
