#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "link/blame/blame.h"
#include "link/reuse/use_records.h"
#include "view/common/use_words.h"
#include "view/impact/impact_scene.h"

namespace xtrace {

/// Where a run went wrong, as candidates, free of any format.
struct Blame {
  std::shared_ptr<const ImpactScene> scene{};
  BlameFindings found{};
  size_t omitted = 0;        ///< candidates that are not listed
  bool needs_texts = false;  ///< no text could be read again
  std::shared_ptr<UseRecords> places{};
  std::shared_ptr<ErrorWords> errors{};
  std::set<std::pair<uint32_t, uint32_t>> shared_lines{};  ///< file and line of several steps

  const ImpactScene& of() const { return *scene; }
  /// The record of a step: of a tool use its own, where the log has a line for it.
  Extent record(uint32_t step) const;
  Text at(uint32_t step) const { return of().names().at(record(step)); }
  Text shown_at(uint32_t step) const { return shown_at(record(step)); }
  /// With the byte behind `@`, where several steps are on one line.
  Text shown_at(const Extent& record) const;
  void note_shared_lines();
  /// The record with the result of a tool use, if the log has a line for it.
  std::optional<Extent> result(uint32_t step) const;
  /// `why main: Bash failed`
  std::string words_of_symptom() const;
  /// What is looked back from, and whether it failed.
  Text symptom_sentence() const;
  /// The step, with its agent: `main: Bash`.
  Text step_words(uint32_t step) const;
  /// That the log has no status of tools; empty: it has.
  Text no_status() const;
  /// What could not be looked at, a sentence each.
  Texts not_seen() const;
  /// The name of an argument, if it is one by its form: others may be content.
  Text argument(const FoundSignal& signal) const;
  /// What is odd, for people: `argument customer: nearly what find_customer gave`.
  std::string words(const FoundSignal& signal) const;
  std::string words(const BlameCandidate& one) const;
  /// Why a candidate comes late: `follows from 2`, `not on the path to the failure`; empty: it does
  /// not.
  std::string place_words(const BlameCandidate& one) const;
  /// What the step said or was given, at level full; the first words of a command, where they may
  /// be seen.
  Text text(uint32_t step) const;
  /// What the tool reported that failed; likewise.
  Text error_text(uint32_t step) const;
  /// `exit code 1`, `timeout`; empty: nothing is known of the failure.
  std::string failure_words(uint32_t step) const;
  /// The program that a command runs, if it is a usual one; else empty.
  std::string_view program(uint32_t step) const;

 private:
  /// `failed (exit code 1)`
  std::string failed(uint32_t step) const;
};

Outline outline_of(const Blame& blame, bool unfold);
Drawing drawing_of(const Blame& blame);
/// For formats of findings: a note or a warning at each place, never an error.
std::shared_ptr<const Verdicts> findings_of(const Blame& blame);

}  // namespace xtrace
