#include "base/number.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <version>

namespace xtrace {

#ifdef __cpp_lib_to_chars

std::from_chars_result read_double(std::string_view text, double& number) {
  return std::from_chars(text.data(), text.data() + text.size(), number);
}

#else

namespace {

size_t digits_at(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of("0123456789", at), text.size()) - at;
}

/// The characters of the number that a text begins with; 0: it begins with none.
size_t length_of_number(std::string_view text) {
  size_t at = text.starts_with('-') ? 1 : 0;
  size_t digits = digits_at(text, at);
  at += digits;
  if (text.substr(at).starts_with('.')) {
    const size_t decimals = digits_at(text, at + 1);
    digits += decimals;
    if (digits > 0) at += 1 + decimals;
  }
  if (digits == 0) return 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const size_t sign =
        at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') ? 1 : 0;
    if (const size_t power = digits_at(text, at + 1 + sign); power > 0) at += 1 + sign + power;
  }
  return at;
}

}  // namespace

std::from_chars_result read_double(std::string_view text, double& number) {
  const size_t length = length_of_number(text);
  if (length == 0) return {text.data(), std::errc::invalid_argument};
  const std::string digits(text.substr(0, length));  // strtod() reads up to a zero
  const double read = std::strtod(digits.c_str(), nullptr);
  const char* end = text.data() + length;
  const std::string_view mantissa = std::string_view(digits).substr(0, digits.find_first_of("eE"));
  const bool is_zero = mantissa.find_first_of("123456789") == mantissa.npos;
  if (!std::isfinite(read) || (read == 0 && !is_zero)) return {end, std::errc::result_out_of_range};
  number = read;
  return {end, std::errc()};
}

#endif

}  // namespace xtrace
