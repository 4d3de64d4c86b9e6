#pragma once

#include <memory>
#include <string>
#include <vector>

#include "link/blame/blame.h"
#include "view/impact/impact_scene.h"

namespace xtrace {

/// Where a run went wrong, as candidates, free of any format.
struct Blame {
  std::shared_ptr<const ImpactScene> scene{};
  BlameFindings found{};
  size_t omitted = 0;        ///< candidates that are not listed
  bool needs_texts = false;  ///< no text could be read again

  const ImpactScene& of() const { return *scene; }
  std::string words_of_symptom() const;
  /// The step, with its agent: `main: Bash`.
  Text step_words(uint32_t step) const;
  /// What could not be looked at, a sentence each.
  Texts not_seen() const;
  /// The name of an argument, if it is one by its form: others may be content.
  Text argument(const FoundSignal& signal) const;
  /// What is odd, for people: `argument customer: nearly what find_customer gave`.
  std::string words(const FoundSignal& signal) const;
  std::string words(const BlameCandidate& one) const;
};

Outline outline_of(const Blame& blame, bool unfold);
Drawing drawing_of(const Blame& blame);
/// For formats of findings: a note or a warning at each place, never an error.
std::shared_ptr<const Verdicts> findings_of(const Blame& blame);

}  // namespace xtrace
