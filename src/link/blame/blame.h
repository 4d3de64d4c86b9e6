#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "facts/payloads.h"
#include "link/blame/signals.h"
#include "link/blame/tokens.h"
#include "link/reach/step_graph.h"

namespace xtrace {

/// Of steps.
inline constexpr uint32_t kNoStep = CauseGraph::kNone;

/// Something odd about a step, with the place it is compared with.
struct FoundSignal {
  BlameSignal signal = BlameSignal::error;
  uint32_t step = kNoStep;
  /// The step that gave the value, changed the file, repeated the call or failed; kNoStep: none
  /// did.
  uint32_t other = kNoStep;
  std::string argument{};           ///< name of the argument of the tool
  std::optional<TokenKind> kind{};  ///< of the value
  uint32_t times = 0;               ///< how often; 0: it is no number of times
  bool goes_on = false;  ///< of a failure: the tool succeeded later, with whatever it was given
};

/// What is known of good runs: of one for the same task, or of others.
struct KnownRuns {
  const Graph& graph;
  const Payloads* payloads = nullptr;
  bool is_same_task = false;
};

/// Where the symptom is from.
enum class SymptomFrom : uint8_t { given, verdict, error, last };
inline constexpr std::string_view kSymptomWords[] = {"given", "verdict", "error", "last"};

/// What candidates are looked for in.
struct BlameSources {
  const Graph& graph;
  const Payloads* payloads = nullptr;  ///< nullptr: no text can be compared
  const StepGraph& steps;
  std::optional<uint32_t> symptom{};  ///< that the user gave
  std::vector<uint32_t> verdicts{};   ///< evidence of failed expectations
  const KnownRuns* known = nullptr;
};

struct BlameCandidate {
  uint32_t step = 0;
  Strength strength = Strength::weak;
  double weight = 0;  ///< sum of those of its signals
  bool in_slice = false;
  bool dominates_symptom = false;
  std::vector<uint32_t> explains{};  ///< steps
  uint32_t explained_by = kNoStep;
  std::vector<uint32_t> path{};  ///< to the symptom, the surest; empty: there is none
  double confidence = 0;         ///< of that path
  std::vector<FoundSignal> signals{};
};

struct BlameFindings {
  uint32_t symptom = kNoStep;  ///< kNoStep: there is no step
  SymptomFrom from = SymptomFrom::last;
  std::vector<BlameCandidate> candidates;  ///< the most telling first
  size_t looked_at = 0, in_slice = 0;      ///< steps
  size_t missing_results = 0;              ///< tool uses whose result is not on record
  size_t unread_calls = 0;                 ///< whose text could not be read
  size_t elsewhere = 0;                    ///< failed spans of other runs, which are no candidates
  size_t plain_spans = 0;  ///< of no model and no tool, of which only failures are known
};

/// Nobody checks more; paths are found for these alone.
inline constexpr size_t kMostSuspects = 100;

/// Finds where a run first looks odd: candidates for why it failed, and never who is guilty. Walks
/// back from the symptom along links and along values that steps reuse.
BlameFindings find_candidates(const BlameSources& from);

}  // namespace xtrace
