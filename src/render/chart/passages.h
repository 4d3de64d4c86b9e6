#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doc/table.h"

namespace xtrace {

/// What was said in a call, as a reader without scripts sees it.
struct Passage {
  std::string title;  ///< `prompt`, `tool result`; of the use of a tool, its name
  std::string text;
};

/// What a node says at level full, in order; its arguments follow the name of a tool.
std::vector<Passage> passages_of(std::span<const Column> columns, std::span<const Cell> row);

}  // namespace xtrace
