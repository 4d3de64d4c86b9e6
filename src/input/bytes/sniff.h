#pragma once

#include <string_view>

namespace xtrace {

/// How the records of a file are distinguished.
enum class Framing : uint8_t {
  lines,     ///< one record a line
  values,    ///< JSON values over many lines, or one array of records
  document,  ///< one JSON object with the list of records under a key: `{"data":[{…},{…}]}`
};

/// What the first bytes of a file tell about it.
struct Sniffed {
  Framing framing = Framing::lines;
  size_t skip = 0;               ///< bytes of a byte order mark
  bool looks_like_json = false;  ///< worth reading when nobody named this file
  bool hopeless = false;         ///< text without one line that begins like a record
  bool is_binary = false;        ///< no text, whatever else it is
  std::string_view refused{};    ///< why it cannot be read and what to do; empty if it can
};

/// `head` is the beginning of the file, `whole` says that nothing follows.
Sniffed sniff(std::string_view head, bool whole);

/// Where the first record is in a document that is an object with the records in a list under
/// `data`, `resourceSpans` or the like; npos if `head`, which begins with the object, is none.
size_t find_records(std::string_view head);
/// The same among the fields behind such a list: one document may hold several.
size_t find_more_records(std::string_view rest);

/// Does a first line go on beyond `head` that may be a document, or only the first record of many?
bool wants_line(std::string_view head);

/// How many bytes sniff() wants to see, if there are as many.
inline constexpr size_t kSniffed = 64 << 10;
/// How many at most, if wants_line().
inline constexpr size_t kLineSniffed = 16 << 20;

}  // namespace xtrace
