#pragma once

#include <string_view>

namespace xtrace {

/// Is the text a path, an address or a host by its form? Models write sentences where a tool asks
/// for a path, and those are content. A path has no line breaks or marks of sentences, segments of
/// at most 255 bytes (NAME_MAX of Linux and macOS) and blanks only in segments that a separator or
/// an extension ends, below a root. An address has a scheme that names a place: `data:`, `mailto:`
/// and `javascript:` carry content.
bool is_place_name(std::string_view text);

/// Is the text a name by its form, as agents have one? Models write it into an argument, and may
/// write a sentence there. A name is one line of at most six words without marks of sentences.
bool is_name(std::string_view text);

/// Where an address ends without what it carries: its query, its fragment, and escaped blanks or
/// separators of these. Returns the size of any other text.
size_t end_of_place(std::string_view text);

}  // namespace xtrace
