#pragma once

#include <span>
#include <string_view>

#include "input/json.h"

namespace xtrace {

struct Exchange;

/// A way in which programs write down what they did. To add one: a file with `fits` and `read`, and
/// a line in formats.cpp.
struct Format {
  std::string_view name;
  std::string_view summary;
  /// Is this record of the format? Asked of every record, so a log may change its shape half-way.
  bool (*fits)(json::element record);
  /// Finds the request, the answer and what is known about them.
  void (*read)(json::element record, Exchange& exchange);
};

/// All formats, the more particular ones first: the first that fits reads a record.
std::span<const Format> formats();
/// The format of a record; nullptr: of no known shape.
const Format* format_of(json::element record);
const Format* find_format(std::string_view name);

bool fits_claude_trace(json::element record);
void read_claude_trace(json::element record, Exchange& exchange);
bool fits_call_log(json::element record);
void read_call_log(json::element record, Exchange& exchange);
bool fits_proxy_log(json::element record);
void read_proxy_log(json::element record, Exchange& exchange);

}  // namespace xtrace
