#pragma once

#include <string>

#include "facts/trace.h"

namespace xtrace {

/// A whole Trace in words, a line a row of each of its tables. Equal words, equal Traces.
std::string words_of(const Trace& trace);

}  // namespace xtrace
