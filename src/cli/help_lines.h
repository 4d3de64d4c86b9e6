#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// A help text whose lines fit: of examples that are too wide, what each is for goes below it; what
/// is said of options wraps beside them, and paragraphs wrap. What fits stays as it was written.
std::string fitted(std::string_view text, size_t columns);

}  // namespace xtrace
