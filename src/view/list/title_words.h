#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// What of a prompt its user wrote, as far as that shows: without what agents put before and around
/// it, such as `<system-reminder>…</system-reminder>` and `<task>`. Empty: nothing.
std::string title_words(std::string_view prompt);

}  // namespace xtrace
