#include "input/common/json_path.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/number.h"
#include "input/common/graph_parts.h"

namespace xtrace::json {

namespace {

/// The item of a list at this place, counted from 0.
bool find_item(element list, std::string_view digits, element& value) {
  size_t nth = 0, place = 0;
  bool found = false;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), nth).ec != std::errc{})
    return false;
  items(list, [&](element item) {
    if (place++ == nth) value = item, found = true;
  });
  return found;
}

bool find_first(element from, element& value) {
  bool found = false;
  fields(from, [&](std::string_view, element member) {
    if (!found) value = member, found = true;
  });
  return found;
}

bool find_below(element from, std::string_view key, element& value) {
  if (is_array(from)) return find_item(from, key, value);
  return key == "*" ? find_first(from, value) : find(from, key, value);
}

bool descend(element from, std::string_view keys, element& value) {
  if (keys.empty()) return false;
  value = from;
  if (keys == ".") return true;
  while (!keys.empty()) {
    const size_t end = std::min(keys.find('/'), keys.size());
    const std::string_view key = keys.substr(0, end);
    if (!find_below(value, key, value)) return false;
    keys.remove_prefix(std::min(end + 1, keys.size()));
  }
  return !value.is_null();
}

/// Asks `accept(value)` of what is at each of the places, until it takes one.
template <class Accept>
bool any_of_places(element from, Path path, Accept accept) {
  while (!path.empty()) {
    const size_t end = std::min(path.find('|'), path.size());
    element value;
    if (descend(from, path.substr(0, end), value) && accept(value)) return true;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return false;
}

}  // namespace

bool follow(element from, Path path, element& value) {
  return any_of_places(from, path, [&](element found) { return value = found, true; });
}

std::string text_on(element from, Path path) {
  std::string found;
  any_of_places(from, path, [&](element value) { return !(found = name_of(value)).empty(); });
  return found;
}

int64_t count_on(element from, Path path, int64_t otherwise) {
  constexpr int64_t kNone = -1;
  int64_t found = kNone;
  any_of_places(from, path, [&](element value) {
    found =
        is_string(value) ? number_of<int64_t>(text(value)).value_or(kNone) : count(value, kNone);
    if (found < 0) found = kNone;
    return found != kNone;
  });
  return found != kNone ? found : otherwise;
}

bool is_true_on(element from, Path path) {
  element value;
  return follow(from, path, value) && is_true(value);
}

bool is_number(element value) {
  return value.is_int64() || value.is_uint64() || value.is_double();
}

}  // namespace xtrace::json
