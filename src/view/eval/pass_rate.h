#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace xtrace {

/// How often trials of one scenario passed. Those that could not be judged are in no share.
struct PassRate {
  int64_t passed = 0, failed = 0, open = 0;

  int64_t judged() const { return passed + failed; }
  int64_t trials() const { return judged() + open; }
  /// Nothing: none could be judged.
  std::optional<double> share() const;
  /// Passed some and failed some: an agent that may or may not do it.
  bool is_flaky() const { return passed > 0 && failed > 0; }
};

/// Where the true share lies, in 95 of 100 such samples.
struct Interval {
  double low = 0, high = 1;
};
/// By Wilson (Probable inference, the law of succession, and statistical inference, 1927), which
/// keeps its promise for few trials and for shares near 0 and 1, where the usual one does not.
Interval wilson_interval(int64_t passed, int64_t judged);

/// The chance that `k` trials in a row pass, estimated without bias from all of them:
/// C(passed, k) / C(judged, k), as in tau-bench (Yao et al., 2024: pass^k). Nothing: there are
/// fewer than k.
std::optional<double> pass_hat(const PassRate& rate, int64_t k);

/// `3 of 4 trials passed; pass rate 0.75, 95% of 0.30 to 0.95; pass^2 0.50; flaky`.
std::string words_of(const PassRate& rate);

}  // namespace xtrace
