#pragma once

#include <simdjson.h>

#include <string_view>

#include "input/common/json.h"

namespace xtrace {

/// The file, folder or address a tool works on, by the names that tools give to that argument; of
/// several files the first. Empty: none is told.
std::string_view target_of(json::element arguments);

/// The first file that a patch in the words of `apply_patch` is about; empty: it is no patch.
std::string_view patched_file(std::string_view patch);

}  // namespace xtrace
