#pragma once

#include "settings/suite_words.h"

namespace xtrace {

/// Reads a JSON Schema. A keyword that is not known is refused with its line, as what it says would
/// not be heeded.
Status read_schema(const SuiteWords& words, const Setting& from, JsonSchema& into);
/// A schema from a log; nothing: it contains what would be ignored.
std::optional<JsonSchema> schema_of_json(const std::string& text);

}  // namespace xtrace
