#pragma once

#include <string>

#include "base/result.h"
#include "prices/price.h"

namespace xtrace {

/// Puts the prices of a file on top of those of a table. Whatever cannot be heeded is an Error with
/// Exit::usage that names file:line.
Status read_price_file(const std::string& path, PriceTable& table);

/// The prices of a table, in the form that such a file has; only those for a model, if one is
/// named, with Exit::no where there are none.
Result<std::string> written_prices(const PriceTable& table, const std::string& model);
/// The same as a table for people.
Result<std::string> shown_prices(const PriceTable& table, const std::string& model);

}  // namespace xtrace
