#pragma once

#include <string>

#include "base/json_writer.h"
#include "doc/document.h"

namespace xtrace {

/// Writes an answer as the JSON object that `-f json` prints, without its nodes and edges, which a
/// page holds in columns, and with no more than the first rows of long tables and lists; how many
/// there are then is in `more`.
void write_answer(JsonWriter& json, const Document& document);

/// `json` such that it ends no script element (HTML, 13.2.5.4) and is a text of JavaScript too.
std::string for_script_element(std::string_view json);

}  // namespace xtrace
