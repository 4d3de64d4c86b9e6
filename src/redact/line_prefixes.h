#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "redact/decoded_views.h"

namespace xtrace {

/// The length of the line break at `p`, with the backslashes that escape it in a string; 0: there
/// is none.
size_t break_length(std::string_view t, size_t p);

/// Adds a view without prefixes for each key whose header has a prefix that the next lines repeat,
/// digits aside: `file:12:` of grep, numbers of lines, `+` of a difference, the name of a service.
void add_key_lines(std::string_view t, std::vector<DecodedView>& views);

/// The same for lines of a key without its header, of which [begin, end) is the first. Returns
/// where they end, or `end` if the next lines have no such prefix.
size_t add_run_lines(std::string_view t, size_t begin, size_t end, std::vector<DecodedView>& views);

}  // namespace xtrace
