#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// What is kept in the cache folder, where, how large it is, and how to delete it or turn it off:
/// some lines for people. `turned_off_by`: what says that nothing is kept; empty: nothing does.
std::string cache_report(const std::string& folder, std::string_view turned_off_by);

}  // namespace xtrace
