#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "doc/document.h"

namespace xtrace {

enum class Judged : uint8_t { passed, failed, insufficient };
/// As answers have them.
inline constexpr std::string_view kJudgedWords[] = {"passed", "failed", "insufficient_evidence"};
constexpr std::string_view word(Judged judged) {
  return kJudgedWords[static_cast<size_t>(judged)];
}

/// What was judged and what became of it. The tables of the answer say the same; formats and files
/// that are about verdicts read it here, by its fields.
struct Verdicts {
  /// How much a finding weighs; none: all is as expected.
  enum class Severity : uint8_t { none, note, warning, error };

  /// A record that decided a finding.
  struct Evidence {
    Text at, path;
    std::optional<int64_t> line;  ///< nothing: not known
    Text id, what;                ///< either may be empty
  };
  /// What was found about one thing that is expected.
  struct Finding {
    Text rule;
    Text dimension{};
    Judged status = Judged::passed;
    Severity severity = Severity::none;
    std::optional<double> score{};  ///< 0 to 1
    double weight = 0;              ///< within its dimension
    Text message{};
    Text expected_at{};                ///< `suite.yaml:12`; empty: no file says so
    std::vector<Evidence> evidence{};  ///< causes first
  };
  /// How trials of one scenario went.
  struct Trials {
    Text each;   ///< session, run, query or file
    Text words;  ///< all of what follows, for people
    int64_t passed = 0, failed = 0, open = 0;
    std::optional<double> share, low, high;  ///< of those judged; the bounds of 95%
    std::vector<double> in_a_row;            ///< the chance that 1, 2, … trials in a row pass
    bool is_flaky = false;
  };
  /// A scenario of a suite, or a run that was held against others.
  struct Subject {
    Text id, description{};
    Judged status = Judged::passed;
    std::optional<double> score{};
    std::vector<std::optional<double>> scores{};  ///< a place for each of `dimensions`
    Text message{};                               ///< reason why xtrace could not judge the run
    std::optional<Duration> took{};
    /// A place for each of `metrics`.
    std::vector<std::optional<double>> figures{};
    Text written_at{};  ///< where a file says what is expected of it; empty: nowhere
    Text at{};          ///< its own place; empty: none
    std::vector<Finding> findings{};
    /// Where it was tried on each of several parts of the input; `id` of each is the part.
    std::vector<Subject> trials{};
    std::optional<Trials> tried{};
  };
  /// A score, or a status, that is not what it was.
  struct Change {
    Text subject, what;
    std::optional<double> before, now, delta;  ///< of a score or figure
    Text status_before, status_now;            ///< of a status
    Text bound;                                ///< of a figure: what it may be
    Text words;                                ///< of a figure: how it moved, for people
  };
  /// What runs took, beside what they took before.
  struct Delta {
    Text subject, what;
    double before = 0, now = 0, delta = 0;
    std::optional<double> share;  ///< of before
    Text words;                   ///< for people
  };
  /// A bound of a figure that is not on record.
  struct Undecided {
    Text subject, what, bound;
  };
  /// Beside what was kept of an earlier answer.
  struct Comparison {
    Text baseline;
    std::vector<Change> regressions, improvements;
    std::vector<Delta> deltas;
    std::vector<Undecided> undecided;
    Texts added, missing;  ///< subjects that only the one has, or only the other
  };

  /// A kind of finding.
  struct Rule {
    Text name, summary;
    std::vector<Text> tags{};  ///< of catalogues of risks, as `external/owasp-agentic/asi02`
  };
  /// A run that was judged before.
  struct Run {
    Text id, newest;
    int64_t passed = 0, scenarios = 0;
    std::optional<double> score;                   ///< the mean of those known
    std::vector<std::optional<double>> figures{};  ///< sums, a place for each of `metrics`
  };
  /// Since when a subject does not pass.
  struct FirstBad {
    Text subject, run, newest;  ///< no run: this one
  };

  std::string_view kind;  ///< of its subjects: scenario or run
  Text suite{};           ///< its name; empty: there is none
  std::span<const std::string_view> dimensions{};
  std::span<const std::string_view> metrics{};
  std::vector<Rule> rules{};  ///< of which findings may be; empty: nothing is said of them
  std::vector<Subject> subjects{};
  std::optional<Comparison> comparison{};
  std::vector<Run> history{};  ///< in order of time, this one last; empty: nobody asked for it
  std::vector<FirstBad> first_bad{};
  std::string digest{}, newest{};  ///< of suite and runs; when the last of these ended
};

}  // namespace xtrace
