#pragma once

#include <string>
#include <string_view>

#include "redact/audit.h"

namespace xtrace {

/// The place of a record, for people: `file:line`, or `file@offset` where the file is one document;
/// the file alone where it is about all of it. `path` is that of the place, as it may be shown.
std::string place_words(std::string_view path, const RecordPlace& place);

}  // namespace xtrace
