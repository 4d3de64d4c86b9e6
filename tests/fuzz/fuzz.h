#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xtrace {
class Document;
struct Renderer;
}  // namespace xtrace

/// What libFuzzer calls, and replay.cpp in its place.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

namespace xtrace {

inline std::string_view text_of(const uint8_t* bytes, size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

/// What a renderer made of a document must be sound: JSON that parses, DOT that Graphviz reads,
/// Cypher that makes the graph, graph files that hold it, text without control characters. Aborts
/// where it is not.
void expect_sound(const Renderer& renderer, const Document& document, const std::string& text);

/// Reads the bytes as a log of one format (nullptr: whatever it is), links it and answers every
/// view in every format, all of it sound. What is made for other tools can be read back.
void try_log(std::string_view bytes, const char* format);

}  // namespace xtrace
