#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace xtrace {

/// How much worse a figure may get between two runs: `cost=+20%`, `calls=+5`, `duration=+2s`. What
/// a baseline and a newer run are held against, in `eval` and in `diff` alike.
struct Threshold {
  enum class Of : uint8_t { cost, calls, tokens, duration, errors };

  Of of = Of::cost;
  /// How far it may move: a share of what it was before (0.2 for `20%`), or else dollars, calls,
  /// tokens, seconds or errors. Never less than 0.
  double most = 0;
  bool is_share = false;
  bool is_fall = false;  ///< `-20%`: it is falling that must not be further than that
  std::string text;      ///< the bound as it was written: `+20%`
};
inline constexpr std::string_view kThresholdWords[] = {"cost", "calls", "tokens", "duration",
                                                       "errors"};
constexpr std::string_view word(Threshold::Of of) {
  return kThresholdWords[static_cast<size_t>(of)];
}

/// The bound of one metric, as a table has it: `cost` and `+20%`. Exit::usage says what it should
/// have been, without its place.
Result<Threshold> read_threshold(std::string_view metric, std::string_view bound);
/// Both in one text, as an option has it: `cost=+20%`.
Result<Threshold> read_threshold(std::string_view text);

/// What was measured, in the units of Threshold::most. Nothing: it is not known.
struct MeasuredFigure {
  std::optional<double> amount;
  bool is_low = false;  ///< it was that much or more
};

/// Has it moved further than it may? From 0 on, any growth is further than any share. Nothing: one
/// of the figures is not known, or what it is at least does not decide.
std::optional<bool> is_beyond(const Threshold& threshold, const MeasuredFigure& before,
                              const MeasuredFigure& now);
inline std::optional<bool> is_beyond(const Threshold& threshold, std::optional<double> before,
                                     std::optional<double> now) {
  return is_beyond(threshold, MeasuredFigure{before}, MeasuredFigure{now});
}

/// How it moved, in the terms of the threshold: `+25%`, `-3`, `+1.5s`, `+$0.02`; from 0, where
/// there is no share, the plain difference.
std::string moved(const Threshold& threshold, double before, double now);

}  // namespace xtrace
