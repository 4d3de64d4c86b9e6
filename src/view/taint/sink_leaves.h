#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// A text or number in the arguments of a tool use.
struct SinkLeaf {
  std::string argument;  ///< its name at the top level; empty: there are no names
  std::string text;
};

/// All of them, also of JSON within a text. `only`: of these arguments alone; empty: of all.
std::vector<SinkLeaf> leaves_of(const std::string& arguments, const std::vector<std::string>& only);

}  // namespace xtrace
