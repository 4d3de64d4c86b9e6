#pragma once

#include <string_view>

#include "base/hidden_marker.h"

namespace xtrace {

/// Where the host of an address ends that begins with it, and who asks. A value that was hidden has
/// signs of its own: `[REDACTED:ipv4:#0123456789abcdef.11]:8080`.
inline size_t end_of_host(std::string_view address) {
  size_t at = address.find_first_of("/?#[");
  while (at != address.npos && address[at] == '[') {
    const bool is_hidden = address.substr(at).starts_with(kHiddenMarker);
    at = address.find_first_of("/?#[", is_hidden ? address.find(']', at) : at + 1);
  }
  return at;
}

/// The host of an address; empty if the text is none.
inline std::string_view host_of(std::string_view target) {
  size_t begin = target.find("://");
  if (begin == std::string_view::npos) return {};
  target.remove_prefix(begin + 3);
  target = target.substr(0, end_of_host(target));
  size_t user = target.rfind('@');
  return user == std::string_view::npos ? target : target.substr(user + 1);
}

}  // namespace xtrace
