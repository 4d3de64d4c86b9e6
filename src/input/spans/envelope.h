#pragma once

#include <functional>
#include <string_view>

#include "facts/record.h"
#include "input/common/json.h"

namespace xtrace {

/// Reads a record that an answer wraps. `text` is the record and begins at `at`; empty: the record
/// has no place of its own, and `at` is around it.
using ReadWrapped =
    std::function<void(json::element record, std::string_view text, const Extent& at)>;

/// Calls `read` with each record of an answer of a database or a service that wraps records of
/// spans: hits of Elasticsearch, rows of ClickHouse, messages of CloudWatch. False: it wraps none.
bool each_wrapped(json::element answer, std::string_view text, const Extent& at,
                  const ReadWrapped& read);

}  // namespace xtrace
