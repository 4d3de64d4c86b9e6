#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/message.h"

namespace xtrace::serve {

/// The target of a request, decoded: `/lineage/run%201/dag?format=dot`.
struct Target {
  std::vector<std::string> path;  ///< segments; none for `/`
  std::vector<std::pair<std::string, std::string>> parameters;

  /// nullptr: it is not given.
  const std::string* find(std::string_view name) const;
};

/// Refuses what is malformed, has control characters or gives a parameter twice, so that a value
/// has one meaning.
Answered<Target> read_target(std::string_view text);

}  // namespace xtrace::serve
