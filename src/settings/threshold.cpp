#include "settings/threshold.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "base/number.h"
#include "base/text.h"
#include "base/time.h"

namespace xtrace {

namespace {

/// A baseline keeps decimals, and 0.1 + 0.2 is not 0.3: what is that near to a bound is on it.
constexpr double kClose = 1e-9;

std::string_view example_of(Threshold::Of of) {
  switch (of) {
    case Threshold::Of::cost: return "+20% or +0.05 (dollars)";
    case Threshold::Of::calls: return "+20% or +5";
    case Threshold::Of::tokens: return "+20% or +5000";
    case Threshold::Of::duration: return "+20%, +500ms or +2s";
    case Threshold::Of::errors: return "+0 or +2";
  }
  return {};
}

/// Without its sign and its `%`; nothing: it is no amount of that metric.
std::optional<double> amount_of(Threshold::Of of, std::string_view text, bool is_share) {
  if (text.empty() || text.front() == '-' || text.front() == '+') return std::nullopt;
  if (of == Threshold::Of::duration && !is_share) {
    std::optional<Duration> length = parse_span(text);
    if (!length) return std::nullopt;
    return std::chrono::duration<double>(*length).count();
  }
  if (of == Threshold::Of::cost && !is_share && text.front() == '$') text.remove_prefix(1);
  std::optional<double> amount = number_of<double>(text);
  if (!amount || *amount < 0) return std::nullopt;
  bool counts = of != Threshold::Of::cost && !is_share;
  if (counts && std::trunc(*amount) != *amount) return std::nullopt;
  return is_share ? *amount / 100 : *amount;
}

}  // namespace

Result<Threshold> read_threshold(std::string_view metric, std::string_view bound) {
  const auto* found = std::find(std::begin(kThresholdWords), std::end(kThresholdWords), metric);
  if (found == std::end(kThresholdWords))
    return fail(Exit::usage, fmt::format("unknown metric '{}'; metrics: {}{}", printable(metric),
                                         fmt::join(kThresholdWords, ", "),
                                         did_you_mean(metric, kThresholdWords)));
  Threshold threshold;
  threshold.of = static_cast<Threshold::Of>(found - std::begin(kThresholdWords));
  threshold.text = bound;
  auto wrong = [&] {
    return fail(Exit::usage,
                fmt::format("{}: '{}' is not a bound; use an allowed increase, such as {}", metric,
                            printable(bound), example_of(threshold.of)));
  };
  if (bound.empty() || (bound.front() != '+' && bound.front() != '-')) return wrong();
  threshold.is_fall = bound.front() == '-';
  threshold.is_share = bound.ends_with('%');
  std::string_view digits = bound.substr(1, bound.size() - 1 - (threshold.is_share ? 1 : 0));
  std::optional<double> amount = amount_of(threshold.of, digits, threshold.is_share);
  if (!amount) return wrong();
  threshold.most = *amount;
  return threshold;
}

Result<Threshold> read_threshold(std::string_view text) {
  size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return fail(Exit::usage, fmt::format("'{}' is not of the form METRIC=BOUND, such as cost=+20%",
                                         printable(text)));
  return read_threshold(text.substr(0, equals), text.substr(equals + 1));
}

/// A figure that is only known from below may be any larger one: then it has moved further in any
/// case, or in no case, or it is undecided.
std::optional<bool> is_beyond(const Threshold& threshold, const MeasuredFigure& before,
                              const MeasuredFigure& now) {
  if (!before.amount || !now.amount) return std::nullopt;
  const double was = *before.amount, is = *now.amount;
  const double way = threshold.is_fall ? was - is : is - was;
  const double most = threshold.is_share ? threshold.most * was : threshold.most;
  const bool beyond = way > most + kClose * std::max(1.0, std::abs(most));
  // More now is further where growth is bounded, and less far where a fall is; more before is the
  // other way round, but for a fall by more than all there was, which no figure is.
  const bool no_fall_is = threshold.is_fall && threshold.is_share && threshold.most >= 1;
  const bool may_be_further = threshold.is_fall ? before.is_low && !no_fall_is : now.is_low;
  const bool may_be_less_far = threshold.is_fall ? now.is_low : before.is_low;
  if (beyond ? may_be_less_far : may_be_further) return std::nullopt;
  return beyond;
}

std::string moved(const Threshold& threshold, double before, double now) {
  double difference = now - before;
  std::string_view sign = difference < 0 ? "-" : "+";
  double size = std::abs(difference);
  if (threshold.is_share && before > 0) return fmt::format("{}{:.4g}%", sign, size / before * 100);
  switch (threshold.of) {
    case Threshold::Of::cost: return fmt::format("{}${:.6g}", sign, size);
    case Threshold::Of::duration:
      return fmt::format(
          "{}{}", sign,
          format_span(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(size))));
    default: return fmt::format("{}{:.0f}", sign, size);
  }
}

}  // namespace xtrace
