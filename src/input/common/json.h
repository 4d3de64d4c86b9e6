#pragma once

#include <simdjson.h>

#include <string_view>

namespace xtrace::json {

// Short names for reading documents that may hold anything anywhere: a field that is missing or of
// another type reads as absent, never as an error.

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

/// The string, or nothing when it is none.
inline std::string_view text(element value) {
  std::string_view text;
  return value.get_string().get(text) ? std::string_view{} : text;
}

inline bool is_object(element value) {
  return value.type() == simdjson::dom::element_type::OBJECT;
}
inline bool is_array(element value) {
  return value.type() == simdjson::dom::element_type::ARRAY;
}
inline bool is_string(element value) {
  return value.type() == simdjson::dom::element_type::STRING;
}

inline bool is_true(element value) {
  bool truth = false;
  return !value.get_bool().get(truth) && truth;
}

/// Calls `each(key, value)` for every field if `value` is an object.
template <class Each>
void fields(element value, Each each) {
  object fields;
  if (value.get_object().get(fields)) return;
  for (simdjson::dom::key_value_pair field : fields) each(field.key, field.value);
}

/// Calls `each(item)` for every item if `value` is an array.
template <class Each>
void items(element value, Each each) {
  array items;
  if (value.get_array().get(items)) return;
  for (element item : items) each(item);
}

/// The value at a key of an object, if both are there. The last of equal keys counts, as it does
/// for JavaScript and Python.
inline bool find(element from, std::string_view key, element& value) {
  bool found = false;
  fields(from, [&](std::string_view name, element at) {
    if (name == key) value = at, found = true;
  });
  return found;
}
inline std::string_view text_at(element from, std::string_view key) {
  element value;
  return find(from, key, value) ? text(value) : std::string_view{};
}

/// A whole number that is not negative; `otherwise` for anything else.
inline int64_t count(element value, int64_t otherwise) {
  int64_t number = 0;
  if (!value.get_int64().get(number)) return number < 0 ? otherwise : number;
  double real = 0;
  if (value.get_double().get(real) || !(real >= 0 && real < 9e15)) return otherwise;
  return static_cast<int64_t>(real);
}

}  // namespace xtrace::json
