#pragma once

#include "run/request.h"

namespace xtrace {

/// Is `--table` a table that answers of the view may have, in a format that can show one alone?
/// Else names the nearest.
Status check_table(std::string_view table, std::string_view format, const ViewEntry& entry);

/// Does this answer have the table that was asked for? Exit::no names those that it has.
Status check_has_table(const Document& document, const Request& request);

}  // namespace xtrace
