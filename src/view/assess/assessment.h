#pragma once

#include <string>
#include <vector>

#include "view/assess/judge_run.h"

namespace xtrace {

/// What a run may be, from the best to the worst.
inline constexpr std::string_view kLevelWords[] = {
    "aligned", "unknown", "ok", "insufficient_evidence", "warn", "high", "overreach"};
inline constexpr size_t kInsufficient = 3, kHigh = 5, kOverreach = 6;  ///< of those

/// A run and what is found about it.
struct AssessedRun {
  const Run* run;
  std::vector<Reason> reasons{};     ///< against the baseline
  std::vector<CardVerdict> cards{};  ///< against the cards
  int64_t score = 0;
  std::string_view level{};
  bool fails = false;
  bool is_cost_incomplete = false;  ///< of some of its calls it is not known
};

/// When a run fails.
struct AssessLimits {
  std::string_view fail_on;          ///< any, warn or high
  std::vector<std::string> fail_if;  ///< rules that fail it alone
  bool fails_by(std::string_view rule) const;
};

/// Everything that the answer of `assess` is made from.
struct Assessment {
  /// `by`: a baseline, cards or both.
  Assessment(const HopScene& asked, const Standards& by, AssessLimits set);

  const HopScene& scene;
  const Standards& standards;
  AssessLimits limits;
  Paths paths;
  std::vector<AssessedRun> runs;
  std::vector<std::string> alike;   ///< names that redaction hides, here and in the baseline
  bool hides_alike = false;         ///< one of these is hidden in the input itself
  std::vector<std::string> unsure;  ///< names hidden there that may be learned or declared

  bool fails() const;
  /// `agent:archive, agent:search`: those without a card; empty: each has one.
  std::string without_card() const;
  /// Were too few runs learned to judge by?
  bool learned_too_few() const;
  int64_t highest_score() const;
  std::string_view worst_level() const;
  /// What a reader has to know of the verdict as a whole; empty: nothing.
  Text note() const;

  /// What is to be said of the baseline as a whole.
  void note_on_baseline(std::vector<std::string>& notes) const;
  Text text(const std::string& name) const { return scene.question.door.name_once(name); }
  Text words(std::string composed) const {
    return scene.question.door.composed(std::move(composed));
  }
  /// `user:ida -> agent:desk`
  std::string way(const PathName& path) const;
  /// What was seen, and what was expected.
  std::string detail(const Reason& reason) const;
  /// `$4.20; 12 learned runs cost $0.10 to $0.45`
  std::string figure_words(const Reason& reason) const;
  std::string detail(const EdgeName& violation) const;
  /// `cards.json:3`; empty: nowhere.
  Text expected_at(const Reason& reason) const;
  Text expected_at(const CardVerdict& card) const;
};

/// The calls of each run, of those that have any.
std::vector<std::pair<const Run*, RunTraits>> traits_of(const HopScene& scene, const Paths& paths,
                                                        std::optional<int64_t> group_paths);

/// For programs.
void add_assessment(const Assessment& assessment, Document& document);
Shape shape_of_assessment();

/// For people.
Outline outline_of(const Assessment& assessment);
Outline outline_of(const Profile& profile, const HopScene& scene);

}  // namespace xtrace
