#pragma once

#include <string_view>

namespace xtrace {

/// The name in the id of a user, or all of it. Some clients put more into it:
/// `user_<name>_account_<id>_session_<id>`.
inline std::string_view user_name_in(std::string_view user) {
  constexpr std::string_view kPrefix = "user_";
  const size_t account = user.find("_account_");
  if (account == std::string_view::npos || account <= kPrefix.size() || !user.starts_with(kPrefix))
    return user;
  return user.substr(kPrefix.size(), account - kPrefix.size());
}

}  // namespace xtrace
