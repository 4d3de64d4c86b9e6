#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

namespace xtrace {

/// What looks odd about a step, in the order of kSignals.
enum class BlameSignal : uint8_t {
  near_miss,
  contradicts_report,
  retry_storm,
  error_unmended,
  stale_read,
  diverged,
  ungrounded,
  unread_evidence,
  verdict,
  novel,
  interrupted,
  assigned,
  hedged,
  error,
  most_new,
  final_value,
  wrote_code,
  declined
};

enum class Strength : uint8_t { weak, medium, strong };
inline constexpr std::string_view kStrengthWords[] = {"weak", "medium", "strong"};
constexpr std::string_view word(Strength strength) {
  return kStrengthWords[static_cast<size_t>(strength)];
}

/// All that is known of a signal, so that a new one is a new row.
struct SignalRow {
  std::string_view word;     ///< in answers
  std::string_view meaning;  ///< of the step that has it
  Strength strength = Strength::weak;
  /// Candidates of one strength are ordered by the sum of their weights.
  double weight = 0;
  double error = 0;  ///< the standard error of the weight; 0: it was not fitted
  /// It is about values or a failure, which later steps may have from earlier ones: another step
  /// can explain it.
  bool is_inherited = false;
};

// Where the weights are from. Those with a standard error are fitted: a conditional logit over the
// steps of each of 94 failed runs of groups of agents (64 generated, 30 written by hand) of
// Who&When, whose annotators marked one step; standard errors over 20 resampled sets of runs. In
// 5-fold cross-validation, five times, the marked step is first, and among the first three, in 47 %
// and 83 % of the generated runs, 23 % and 55 % of the others. The other weights are not fitted:
// in runs with one planted fault, values from 1 to 4 give the same order, as strength goes first.
inline constexpr SignalRow kSignals[] = {
    {"near_miss", "a value is nearly one that an earlier step gave, and no step gave it",
     Strength::strong, 2, 0, true},
    {"contradicts_report", "the report contains a number that nothing its agent read contains",
     Strength::strong, 2, 0, true},
    {"retry_storm", "the same use of a tool, at least three times, with the same failure or result",
     Strength::strong, 2, 0, true},
    {"error_unmended", "it failed, and no later step did what it was to do", Strength::strong, 2, 0,
     true},
    {"stale_read", "uses what was read from a file that another agent then changed",
     Strength::strong, 2, 0, true},
    {"diverged", "the first step that differs from the baseline", Strength::strong, 2},
    {"ungrounded", "a value that nothing before it contains", Strength::medium, 1, 0, true},
    {"unread_evidence", "a default value, though a result gave one that no step used",
     Strength::medium, 1, 0, true},
    {"verdict", "evidence of a failed expectation", Strength::medium, 1},
    {"novel", "no learned run uses this tool, or this agent does not", Strength::medium, 1},
    {"interrupted", "the user stopped the model and spoke", Strength::medium, 1},
    {"assigned", "does what another agent, which directs all others, asked for", Strength::weak,
     1.4, 0.3},
    {"hedged", "words such as assume, simulate, unable, placeholder (English)", Strength::weak, 1.2,
     0.3},
    {"error", "it failed and was mended or only looked, or asked for the first code that failed",
     Strength::weak, 1.1, 0.4, true},
    {"most_new", "more values that nothing before it contains than in any other step",
     Strength::weak, 1.1, 0.4},
    {"final_value", "the first to contain a third or more of the values in the last reply",
     Strength::weak, 1.0, 0.6},
    {"wrote_code", "contains code for another agent to run", Strength::weak, 0.9, 0.4},
    {"declined", "a person or a rule refused it, or it was cancelled", Strength::weak, 0.5},
};
static_assert(std::size(kSignals) == static_cast<size_t>(BlameSignal::declined) + 1);
constexpr const SignalRow& row_of(BlameSignal signal) {
  return kSignals[static_cast<size_t>(signal)];
}
constexpr std::string_view word(BlameSignal signal) {
  return row_of(signal).word;
}

}  // namespace xtrace
