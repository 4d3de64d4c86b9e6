#pragma once

#include <span>
#include <string>
#include <string_view>

#include "doc/document.h"

namespace xtrace {

/// Appends `text` as a JSON string. Whatever could disturb a terminal or a log viewer is written as
/// an escape: control characters, DEL, C1, direction marks, line separators.
void append_json(std::string& out, std::string_view text);

/// Appends a cell as a JSON value.
void append_json(std::string& out, const Cell& cell);
/// Appends the fields of a row as an object.
void append_json_row(std::string& out, std::span<const Column> columns,
                     std::span<const Cell> cells);
/// A character as `\n` or by its number, in surrogates where it needs two.
void append_escaped(std::string& out, char32_t character);

}  // namespace xtrace
