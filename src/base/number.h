#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <type_traits>

namespace xtrace {

/// Reads the number that a text begins with, as std::from_chars does, which some standard libraries
/// have for integers only. Infinities and NaN may be no numbers.
std::from_chars_result read_double(std::string_view text, double& number);

/// The number that a text is, all of it: `12`, `-1`, `0.5`, in every locale with a point. Nothing:
/// it is none, it does not fit, or it is not finite.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = [&] {
    if constexpr (std::is_same_v<Number, double>)
      return read_double(text, number);
    else
      return std::from_chars(text.data(), text.data() + text.size(), number);
  }();
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>)
    if (!std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace xtrace
