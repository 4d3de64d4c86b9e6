#include "base/dollars.h"

#include <fmt/format.h>

#include "base/number.h"

namespace xtrace {

namespace {

constexpr int64_t kDollar = 1'000'000'000;
constexpr size_t kDecimals = 9;

}  // namespace

std::string format_dollars(Dollars amount) {
  bool is_negative = amount.billionths < 0;
  uint64_t magnitude = is_negative ? 0 - static_cast<uint64_t>(amount.billionths)
                                   : static_cast<uint64_t>(amount.billionths);
  std::string text =
      fmt::format("{}{}.{:09}", is_negative ? "-" : "", magnitude / kDollar, magnitude % kDollar);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string show_dollars(Dollars amount) {
  if (amount.bound != Dollars::Bound::exact) {
    const std::string exact = show_dollars({amount.billionths});
    if (amount.bound == Dollars::Bound::estimated) return "~" + exact;
    return exact.starts_with('<') ? ">$0" : "≥" + exact;
  }
  if (amount.billionths < 0) return "-" + show_dollars({-amount.billionths});
  constexpr int64_t kLeast = kDollar / 10'000;  // of what four decimals can show
  double dollars = static_cast<double>(amount.billionths) / kDollar;
  if (amount.billionths == 0) return "$0";
  if (amount.billionths < kLeast) return "<$0.0001";
  if (dollars < 0.99995) return fmt::format("${:.4f}", dollars);
  return dollars < 999.995 ? fmt::format("${:.2f}", dollars) : fmt::format("${:.0f}", dollars);
}

std::optional<Dollars> parse_dollars(std::string_view text) {
  if (text.starts_with('$')) text.remove_prefix(1);
  size_t point = text.find('.');
  std::string_view whole = text.substr(0, point);
  std::string decimals(point == std::string_view::npos ? "" : text.substr(point + 1));
  if (text.empty() || text == "." || decimals.size() > kDecimals) return std::nullopt;
  decimals.resize(kDecimals, '0');
  int64_t dollars = 0, billionths = 0;
  auto read = [](std::string_view digits, int64_t& number) {
    if (digits.empty()) return true;
    number = number_of<int64_t>(digits).value_or(-1);
    return number >= 0 && digits.front() != '-';
  };
  if (!read(whole, dollars) || !read(decimals, billionths) || dollars >= kDollar)
    return std::nullopt;
  return Dollars{dollars * kDollar + billionths};
}

}  // namespace xtrace
