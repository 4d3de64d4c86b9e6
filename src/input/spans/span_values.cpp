#include "input/spans/span_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/digits.h"
#include "base/lower.h"
#include "input/spans/plain_value.h"

namespace xtrace {

namespace {

/// The 8 or 16 bytes of an id in hex digits; empty if it is none in base64.
std::string from_base64(std::string_view id) {
  std::string_view digits = id.substr(0, id.find('='));
  bool of_span = digits.size() == 11 && id.size() == 12;
  bool of_trace = digits.size() == 22 && id.size() == 24;
  if (!of_span && !of_trace) return {};
  const std::string bytes = base64_bytes(digits);
  if (bytes.size() != (of_span ? 8U : 16U)) return {};
  std::string hex;
  for (const char byte : bytes)
    fmt::format_to(std::back_inserter(hex), "{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

/// The id of a trace as OpenTelemetry has it: X-Ray writes `1-`, 8 digits, `-`, 24 digits.
std::string from_x_ray(std::string_view id) {
  constexpr size_t kSize = 35, kDash = 10;
  if (id.size() != kSize || !id.starts_with("1-") || id[kDash] != '-') return {};
  return std::string(id.substr(2, kDash - 2)) + std::string(id.substr(kDash + 1));
}

}  // namespace

std::string read_span_id(std::string_view id) {
  const std::string x_ray = from_x_ray(id);
  if (!x_ray.empty()) id = x_ray;
  if (id.starts_with("0x") || id.starts_with("0X")) id.remove_prefix(2);
  std::string hex(id);
  bool is_hex = std::all_of(id.begin(), id.end(), [](char c) { return hex_digit(c) >= 0; });
  if (is_hex)
    for (char& c : hex) c = "0123456789abcdef"[hex_digit(c)];
  else if (std::string read = from_base64(id); !read.empty())
    hex = std::move(read);
  return hex.find_first_not_of('0') == std::string::npos ? std::string() : hex;
}

StringId intern_span_id(std::string_view id, Shard& shard) {
  return shard.intern(read_span_id(id));
}

SpanKind read_span_kind(std::string_view word) {
  size_t prefix = word.find_last_of("_.");
  if (prefix != std::string_view::npos) word.remove_prefix(prefix + 1);
  const std::string kind = lower(word);
  if (kind == "client") return SpanKind::client;
  if (kind == "server") return SpanKind::server;
  if (kind == "producer") return SpanKind::producer;
  if (kind == "consumer") return SpanKind::consumer;
  return kind == "internal" ? SpanKind::internal : SpanKind::unknown;
}

SpanKind read_span_kind(json::element value) {
  constexpr SpanKind kKinds[] = {SpanKind::unknown, SpanKind::internal, SpanKind::server,
                                 SpanKind::client,  SpanKind::producer, SpanKind::consumer};
  if (json::is_string(value)) return read_span_kind(json::text(value));
  const int64_t number = json::count(value, 0);
  return number < static_cast<int64_t>(std::size(kKinds)) ? kKinds[number] : SpanKind::unknown;
}

StringId intern_span_id(json::element id, Shard& shard) {
  if (json::is_string(id)) return intern_span_id(json::text(id), shard);
  return intern_span_id(id_text(id), shard);
}

bool read_units(json::element value, int64_t unit, Duration& length) {
  const int64_t most = INT64_MAX / unit;
  const std::optional<int64_t> count = whole_number(value);
  if (!count || *count > most || *count < -most) return false;
  length = Duration(*count * unit);
  return true;
}

}  // namespace xtrace
