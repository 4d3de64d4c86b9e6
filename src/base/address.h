#pragma once

#include <string_view>

namespace xtrace {

/// The host of an address; empty if the text is none.
inline std::string_view host_of(std::string_view target) {
  size_t begin = target.find("://");
  if (begin == std::string_view::npos) return {};
  target.remove_prefix(begin + 3);
  target = target.substr(0, target.find_first_of("/?#"));
  size_t user = target.rfind('@');
  return user == std::string_view::npos ? target : target.substr(user + 1);
}

}  // namespace xtrace
