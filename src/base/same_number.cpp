#include "base/same_number.h"

#include <cstdint>
#include <optional>
#include <string>

#include "base/number.h"

namespace xtrace {

namespace {

/// 0.`digits` × 10^`exponent`; the digits neither begin nor end with a zero, and zero has none.
struct Decimal {
  bool is_negative = false;
  std::string digits;
  int64_t exponent = 0;

  bool operator==(const Decimal&) const = default;
};

std::optional<Decimal> decimal_of(std::string_view text) {
  Decimal number;
  if (text.starts_with('-') || text.starts_with('+')) {
    number.is_negative = text.front() == '-';
    text.remove_prefix(1);
  }
  bool is_behind_point = false, has_digit = false;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !is_behind_point) {
      is_behind_point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    has_digit = true;
    const bool is_leading = c == '0' && number.digits.empty();
    if (!is_leading) number.digits += c;
    number.exponent += is_behind_point ? -int64_t{is_leading} : int64_t{!is_leading};
  }
  if (!has_digit) return std::nullopt;
  if (text = text.substr(at); !text.empty()) {
    if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
    text.remove_prefix(1);
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const std::optional<int32_t> by = number_of<int32_t>(text);
    if (!by) return std::nullopt;
    number.exponent += *by;
  }
  while (number.digits.ends_with('0')) number.digits.pop_back();
  return number.digits.empty() ? Decimal() : number;
}

}  // namespace

bool same_number(std::string_view one, std::string_view other) {
  const std::optional<Decimal> number = decimal_of(one);
  return number && number == decimal_of(other);
}

}  // namespace xtrace
