#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// Removes what differs each time from a text: times (`0.12s`, `12:30:01`, `2026-05-04T09_00_20`),
/// ids of processes, addresses in memory, and the names of temporary folders.
std::string remove_varying_parts(std::string_view text);

/// Does it fail for a reason that goes away by itself: a limit, a lock, a network?
bool is_transient_error(std::string_view error);

}  // namespace xtrace
