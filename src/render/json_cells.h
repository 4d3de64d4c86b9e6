#pragma once

#include <span>
#include <string>

#include "base/json_writer.h"
#include "doc/document.h"

namespace xtrace {

/// Writes a cell as a JSON value.
void write_cell(JsonWriter& json, const Cell& cell);
/// Writes the fields of a row into the object at hand. Keys with the same text before a dot share
/// an object.
void write_fields(JsonWriter& json, std::span<const Column> columns, std::span<const Cell> cells);

/// Appends a cell as a JSON value.
void append_json(std::string& out, const Cell& cell);
/// Appends the fields of a row as an object.
void append_json_row(std::string& out, std::span<const Column> columns,
                     std::span<const Cell> cells);

}  // namespace xtrace
