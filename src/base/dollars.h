#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xtrace {

/// An amount of money, in whole billionths of a dollar, so that sums come out exactly.
struct Dollars {
  enum class Bound : uint8_t { exact, at_least, estimated };
  int64_t billionths = 0;
  Bound bound = Bound::exact;  ///< for people; formats for programs have other fields for it

  bool operator==(const Dollars&) const = default;
};

/// All its digits and no more: `0.0042`, `12`.
std::string format_dollars(Dollars amount);
/// As an eye compares them: `$0.0042`, `≥$12.50`, `~$1234`; `>$0` is at least too little to show.
std::string show_dollars(Dollars amount);
/// `0.05`, or `$0.05`; none for what is no amount, or has more digits than a billionth.
std::optional<Dollars> parse_dollars(std::string_view text);

}  // namespace xtrace
