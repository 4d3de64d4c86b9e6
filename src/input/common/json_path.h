#pragma once

#include <string>

#include "input/common/json.h"

namespace xtrace::json {

/// Where a value is below another one: keys, of lists the number of the item counted from 0, `*`
/// for the first member of an object, with `/` between them, and `|` between places that may hold
/// it in turn. Empty: nowhere.
using Path = std::string_view;

/// The first value that is there and not null. The empty path is no value; `.` is `from` itself.
bool follow(element from, Path path, element& value);
/// The first string that is there and not empty; of a number its digits.
std::string text_on(element from, Path path);
/// Is the first value that is there true?
bool is_true_on(element from, Path path);
/// Is it any number?
bool is_number(element value);
/// The first count that is there, a number or one written as text; `otherwise` if none is.
int64_t count_on(element from, Path path, int64_t otherwise);

}  // namespace xtrace::json
