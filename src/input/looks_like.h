#pragma once

#include <string_view>

#include "input/common/json.h"

namespace xtrace {

/// What a record that no format fits looks like, of what agents keep beside their sessions, and
/// what to read in its place; empty: like nothing that is known.
std::string_view looks_like(json::element record);

/// Of what looks like nothing that is known.
inline constexpr std::string_view kUnknownShape = "JSON in an unknown format";

}  // namespace xtrace
