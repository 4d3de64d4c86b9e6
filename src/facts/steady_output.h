#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// A tool's output without what the client puts around it and what is another each time, as ids of
/// processes and how long it took: a command that gives the same twice has equal ones. It is the
/// text itself, or in `room`.
std::string_view steady_output(std::string_view text, std::string& room);

}  // namespace xtrace
