#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "view/common/view.h"

namespace xtrace {

/// What an answer of `eval -f json` says of its scenarios.
struct JudgedSuite {
  struct Scenario {
    std::string status;           ///< passed, failed or insufficient_evidence
    std::optional<double> score;  ///< 0 to 1
    size_t line = 0;              ///< of the file
  };
  std::string path;
  std::map<std::string, Scenario> scenarios;
};
/// Nothing: the file is no such answer. Exit::input: it is a damaged one.
Result<std::optional<JudgedSuite>> read_judged_suite(const std::string& path);

/// What became of a scenario.
struct VerdictChange {
  enum class Kind : uint8_t { newly_failing, missing, newly_passing, changed, added, equal };
  std::string scenario;
  Kind kind = Kind::equal;
  const JudgedSuite::Scenario *before = nullptr, *now = nullptr;  ///< null: it has none
};
inline constexpr std::string_view kVerdictChangeWords[] = {
    "newly_failing", "missing", "newly_passing", "changed", "added", "equal"};
constexpr std::string_view word(VerdictChange::Kind kind) {
  return kVerdictChangeWords[static_cast<size_t>(kind)];
}

/// Scenario by scenario, what matters most first. A scenario that passed and now has insufficient
/// evidence is newly failing, because it is no pass.
std::vector<VerdictChange> compare(const JudgedSuite& before, const JudgedSuite& now);

/// The answer about two of them. `fail_if`: newly_failing or missing, as `--fail-if` has them.
Result<Document> answer_about(const JudgedSuite& before, const JudgedSuite& now,
                              const Question& question, const std::vector<std::string>& fail_if,
                              bool exit_code);
Shape shape_of_verdict_diff();

}  // namespace xtrace
