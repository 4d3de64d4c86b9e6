#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace xtrace {

/// Returns bytes that nobody can predict, at most 256 of them, which is what systems give at once;
/// nothing if the system has none.
std::optional<std::string> random_bytes(size_t count);

}  // namespace xtrace
