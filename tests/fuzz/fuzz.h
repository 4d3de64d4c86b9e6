#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// What libFuzzer calls, and replay.cpp in its place.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

namespace xtrace {

inline std::string_view text_of(const uint8_t* bytes, size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

/// Reads the bytes as a log of one format (nullptr: whatever it is), links it and answers every
/// view in every format. What comes out must be sound: JSON that parses, DOT that Graphviz reads,
/// Cypher that makes the graph, graph files that hold it, text without control characters. Aborts
/// where it is not.
void try_log(std::string_view bytes, const char* format);

}  // namespace xtrace
