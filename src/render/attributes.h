#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "base/json_writer.h"
#include "base/time.h"
#include "doc/document.h"
#include "render/json_cells.h"

namespace xtrace {

/// A value that tracing systems have no type for, such as a list of rows, as text.
inline std::string as_json_text(const Cell& cell) {
  std::string text;
  append_json(text, cell);
  return text;
}

/// Calls `each(key, cell)` for every attribute that is known. Of equal keys the first counts:
/// tracing systems refuse or garble two of one name.
template <class Each>
void each_attribute(const Entries& entries, Each each) {
  for (size_t i = 0; i < entries.items.size(); ++i) {
    const std::pair<Text, Cell>& item = entries.items[i];
    bool is_known = !std::holds_alternative<std::monostate>(item.second) &&
                    !std::holds_alternative<std::nullptr_t>(item.second);
    bool again = false;
    for (size_t before = 0; before < i; ++before)
      again |= entries.items[before].first == item.first;
    if (is_known && !again) each(item.first, item.second);
  }
}

/// Integers beyond this lose digits in programs that hold numbers as doubles.
inline constexpr int64_t kExactInteger = int64_t{1} << 53;

/// How what only programs read is written.
inline constexpr JsonLayout kTight = JsonLayout::tight();

/// Since 1970; of moments before it OTLP knows nothing.
inline uint64_t nanoseconds(Time time) {
  return static_cast<uint64_t>(std::max(time.time_since_epoch(), Duration{0}).count());
}

}  // namespace xtrace
