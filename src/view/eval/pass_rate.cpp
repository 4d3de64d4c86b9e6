#include "view/eval/pass_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "view/common/words.h"

namespace xtrace {

std::optional<double> PassRate::share() const {
  if (judged() == 0) return std::nullopt;
  return static_cast<double>(passed) / static_cast<double>(judged());
}

Interval wilson_interval(int64_t passed, int64_t judged) {
  if (judged == 0) return {};
  constexpr double z = 1.959963984540054;  // of the normal distribution, for 95%
  double n = static_cast<double>(judged), share = static_cast<double>(passed) / n;
  double middle = share + z * z / (2 * n);
  double spread = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  double scale = 1 + z * z / n;
  // At either end the formula gives 0 and 1 exactly; floating point does not.
  double low = passed == 0 ? 0 : (middle - spread) / scale;
  double high = passed == judged ? 1 : (middle + spread) / scale;
  return {std::clamp(low, 0.0, 1.0), std::clamp(high, 0.0, 1.0)};
}

std::optional<double> pass_hat(const PassRate& rate, int64_t k) {
  if (k < 1 || k > rate.judged()) return std::nullopt;
  double chance = 1;
  for (int64_t i = 0; i < k; ++i)
    chance *= static_cast<double>(std::max<int64_t>(rate.passed - i, 0)) /
              static_cast<double>(rate.judged() - i);
  return chance;
}

std::string words_of(const PassRate& rate) {
  std::string words = fmt::format("{} of {} passed", rate.passed, plural(rate.trials(), "trial"));
  if (rate.open > 0) words += fmt::format(", {} with insufficient evidence", rate.open);
  if (rate.judged() == 0) return words;
  Interval interval = wilson_interval(rate.passed, rate.judged());
  words += fmt::format("; pass rate {:.2f}, 95% confidence interval {:.2f} to {:.2f}",
                       *rate.share(), interval.low, interval.high);
  constexpr int64_t kMost = 4;  // -f json has more
  for (int64_t k = 2; k <= std::min(kMost, rate.judged()); ++k)
    words += fmt::format("{}pass^{} {:.2f}", k == 2 ? "; " : ", ", k, *pass_hat(rate, k));
  return rate.is_flaky() ? words + "; flaky" : words;
}

}  // namespace xtrace
