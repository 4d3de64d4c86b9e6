#pragma once

#include <cstdlib>
#include <string_view>

namespace xtrace {

/// A variable of the environment; empty: it is not set, or to nothing. Nobody changes one.
inline std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

}  // namespace xtrace
