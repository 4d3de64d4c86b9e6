#pragma once

#include <string>
#include <string_view>

namespace xtrace {
class Document;
struct Renderer;
}  // namespace xtrace

namespace xtrace {

/// What a renderer made of a document must be sound: JSON that parses, DOT that Graphviz reads,
/// Cypher that makes the graph, graph files that hold it, text without control characters. Aborts
/// where it is not.
void expect_sound(const Renderer& renderer, const Document& document, const std::string& text);

/// Reads the bytes as a log of one format (nullptr: whatever it is), links it and answers every
/// view in every format, all of it sound. What is made for other tools can be read back.
void try_log(std::string_view bytes, const char* format);

// A file each: the other ways into the code. Each takes any bytes, and aborts where what comes of
// them is unsound.
void try_archive(std::string_view bytes);
void try_document(std::string_view bytes);
void try_mcp(std::string_view text);
void try_part(std::string_view text);
void try_redact(std::string_view bytes);
void try_serve(std::string_view bytes);
void try_settings(std::string_view text);
void try_shard_plan(std::string_view bytes);
void try_zip(std::string_view bytes);

}  // namespace xtrace
