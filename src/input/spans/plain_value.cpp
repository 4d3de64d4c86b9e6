#include "input/spans/plain_value.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/digits.h"
#include "base/lower.h"
#include "base/number.h"
#include "base/one_of.h"

namespace xtrace {

namespace {

constexpr int kDeepest = 4;  ///< wrappings of one value

/// `string_value`, `StringValue` and `stringValue` as `stringvalue`.
std::string folded(std::string_view key) {
  std::string name = lower(key);
  std::erase(name, '_');
  return name;
}

/// Keys of the protocol, and `v…` of Jaeger's.
constexpr std::string_view kTypedKeys[] = {"stringvalue", "intvalue",    "doublevalue", "boolvalue",
                                           "arrayvalue",  "kvlistvalue", "bytesvalue",  "vstr",
                                           "vint64",      "vfloat64",    "vbool",       "vbinary"};
/// Keys whose value names the key or the type that counts.
constexpr std::string_view kChoosingKeys[] = {"$case", "case",      "oneofkind",
                                              "type",  "valuecase", "vtype"};
constexpr std::string_view kTypes[] = {
    "string",      "str",        "int",          "int64",       "long",        "integer",  "double",
    "float",       "float64",    "bool",         "boolean",     "array",       "kvlist",   "bytes",
    "stringslice", "int64slice", "float64slice", "boolslice",   "stringvalue", "intvalue", "binary",
    "doublevalue", "boolvalue",  "arrayvalue",   "kvlistvalue", "bytesvalue"};

struct Wrapping {
  json::element typed{}, plain{};
  std::string choice;
  int typed_keys = 0, plain_keys = 0;
  bool is_other = false;  ///< it has a key that no wrapping has

  void read(std::string_view name, json::element value) {
    const std::string key = folded(name);
    if (is_one_of(key, kChoosingKeys)) {
      choice = folded(json::text(value));
      is_other |= !choice.empty() && !is_one_of(choice, kTypes);
    } else if (is_one_of(key, kTypedKeys)) {
      read_typed(key, value);
    } else if (key == "value") {
      plain = value, ++plain_keys;
    } else {
      is_other = true;
    }
  }

  /// The chosen one of several, else the only one that is set.
  bool unwrap(json::element& value) const {
    if (is_other) return false;
    if (typed_keys > 0) return value = typed, true;
    return plain_keys == 1 && (value = plain, true);
  }

 private:
  void read_typed(const std::string& key, json::element value) {
    const bool is_chosen = !choice.empty() && (key == choice || key == "v" + choice ||
                                               (choice == "string" && key == "vstr"));
    if (value.is_null() || (typed_keys > 0 && !is_chosen)) return;
    typed = value, ++typed_keys;
  }
};

/// Takes off one wrapping; false if there is none.
bool unwrap(json::element value, json::element& inner) {
  constexpr size_t kMostFields = 10;
  json::object object;
  if (value.get_object().get(object) || object.size() > kMostFields || object.size() == 0)
    return false;
  if (const auto first = *object.begin();  // most values, soon
      object.size() == 1 && is_one_of(first.key, {"stringValue", "intValue", "string_value"}))
    return inner = first.value, true;
  Wrapping wrapping;
  for (const simdjson::dom::key_value_pair field : object) {
    wrapping.read(field.key, field.value);
    if (wrapping.is_other) return false;
  }
  return wrapping.unwrap(inner);
}

}  // namespace

json::element plain_value(json::element value) {
  for (int depth = 0; depth < kDeepest; ++depth)
    if (!json::is_object(value) || !unwrap(value, value)) break;
  return value;
}

bool read_key_value(json::element tag, std::string_view& key, json::element& value) {
  if (json::is_array(tag)) {
    size_t parts = 0;
    json::items(tag, [&](json::element part) {
      if (parts == 0) key = json::text(part);
      if (parts == 1) value = part;
      ++parts;
    });
    return parts == 2 && !key.empty();
  }
  bool has_value = false;
  json::fields(tag, [&](std::string_view name, json::element part) {
    if (name == "key" || name == "Key") key = json::text(part);
    if (name == "value" || name == "Value") value = part, has_value = true;
  });
  if (key.empty() || has_value) return has_value && !key.empty();
  Wrapping wrapping;
  json::fields(tag, [&](std::string_view name, json::element part) { wrapping.read(name, part); });
  wrapping.is_other = false;  // the key
  return wrapping.unwrap(value);
}

std::optional<int64_t> whole_number(json::element value) {
  int64_t number = 0;
  if (!value.get_int64().get(number)) return number;
  double real = 0;
  constexpr double kMost = 9e18;
  if (!value.get_double().get(real) && real > -kMost && real < kMost)
    return static_cast<int64_t>(real);
  if (const std::string_view digits = json::text(value); !digits.empty()) {
    if (std::optional<int64_t> whole = number_of<int64_t>(digits)) return whole;
    const std::optional<double> fraction = number_of<double>(digits);
    const bool is_whole = fraction && *fraction > -kMost && *fraction < kMost &&
                          static_cast<double>(static_cast<int64_t>(*fraction)) == *fraction;
    return is_whole ? std::optional(static_cast<int64_t>(*fraction)) : std::nullopt;
  }
  json::element low, high;
  int64_t low_half = 0, high_half = 0;
  if (!json::find(value, "low", low) || !json::find(value, "high", high) ||
      low.get_int64().get(low_half) || high.get_int64().get(high_half))
    return std::nullopt;
  const uint64_t bits =
      (static_cast<uint64_t>(high_half) << 32U) | (static_cast<uint64_t>(low_half) & UINT32_MAX);
  return static_cast<int64_t>(bits);
}

std::optional<double> number_in(json::element value) {
  double number = 0;
  return value.get_double().get(number) ? number_of<double>(json::text(value)) : number;
}

std::string id_text(json::element value) {
  if (json::is_string(value)) return std::string(json::text(value));
  if (uint64_t number = 0; !value.get_uint64().get(number)) return std::to_string(number);
  std::string hex;
  bool are_bytes = true;
  auto take = [&](json::element byte) {
    const int64_t number = json::count(byte, INT64_MAX);
    are_bytes &= number <= UINT8_MAX;
    if (are_bytes) hex += fmt::format("{:02x}", number);
  };
  json::element data;
  if (json::find(value, "data", data)) value = data;  // of a Buffer
  if (json::is_object(value))
    json::fields(value, [&](std::string_view, json::element byte) { take(byte); });
  json::items(value, take);
  return are_bytes ? hex : std::string();
}

namespace {

std::string_view name_of_type(json::element value) {
  if (json::is_string(value)) return "text";
  if (value.is_null()) return "null";
  return value.is_bool() ? "true or false" : "number";
}

void write_shape(json::element value, int depth, std::string& out) {
  constexpr size_t kMostKeys = 4, kLongestKey = 32;
  if (json::is_array(value)) {
    json::array items;
    if (value.get_array().get(items) || items.size() == 0) {
      out += "[]";
    } else {
      out += '[';
      write_shape(*items.begin(), depth, out);
      out += items.size() > 1 ? ", …]" : "]";
    }
  } else if (!json::is_object(value)) {
    out += name_of_type(value);
  } else if (depth == 0) {
    out += "{…}";
  } else {
    out += '{';
    size_t keys = 0;
    json::fields(value, [&](std::string_view key, json::element inner) {
      if (++keys > kMostKeys) return;
      out += keys > 1 ? ", \"" : "\"";
      out += key.substr(0, kLongestKey);
      out += "\": ";
      write_shape(inner, depth - 1, out);
    });
    out += keys > kMostKeys ? ", …}" : "}";
  }
}

}  // namespace

std::string shape_of(json::element value) {
  std::string out;
  write_shape(value, 3, out);
  return out;
}

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
