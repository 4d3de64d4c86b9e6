#pragma once

#include <string>
#include <vector>

#include "doc/verdicts.h"
#include "settings/arguments.h"
#include "view/common/names.h"
#include "view/eval/agent_actions.h"

namespace xtrace {

/// A record that has a say in a verdict.
struct EvidenceRecord {
  Extent at;
  std::string id;    ///< has passed the Door
  std::string what;  ///< likewise
};

/// What became of an expectation.
struct Verdict {
  const Expectation* of = nullptr;
  Judged status = Judged::passed;
  double score = 1;     ///< 0 to 1; of one that is insufficient, 0
  std::string message;  ///< has passed the Door
  std::vector<EvidenceRecord> evidence;
  bool is_estimated = false;  ///< a limit that an upper estimate keeps; the amount is not recorded
};

/// What users call the kind of an expectation.
std::string_view rule_of(const Expectation& expectation);
/// All kinds, with a line on each.
struct RuleWords {
  std::string_view name, summary;
  /// The risk of the OWASP Top 10 for Agentic Applications (2026) that it guards against; empty:
  /// none of them.
  std::string_view risk{};
};
std::span<const RuleWords> eval_rules();

/// What all verdicts on a scenario are made from.
struct Case {
  const Question& question;
  const Names& names;
  const AgentActions& actions;
  const std::map<std::string, double>* scores;  ///< of rubrics; null: nobody gave any

  std::string text(std::string_view input) const {
    return std::string(question.door.name_once(std::string(input)).view());
  }
  EvidenceRecord evidence_of(const Action& action, std::string what) const;
  EvidenceRecord evidence_of(HopId id) const;
  /// Its value in a message, where payload may be shown: ` ("low")`.
  std::string shown(std::string_view payload) const;
};

Verdict judge(const Case& scene, const Expectation& expectation);

/// The most that there can have been of what a limit is about.
struct UpperAmount {
  double amount = 0;
  bool is_estimated = false;  ///< the log has a lower bound only
};
/// Nothing: not even an estimate is known.
std::optional<UpperAmount> upper_amount(const Case& scene, Limit::Of of);

// The verdicts by kind, each in a file of its own kind.
void judge_tools(const Case& scene, const ToolsExpected& expected, Verdict& verdict);
void judge_absence(const Case& scene, const ToolForbidden& forbidden, Verdict& verdict);
void judge_absence(const Case& scene, const CallForbidden& forbidden, Verdict& verdict);
void judge_preceded(const Case& scene, const Preceded& preceded, Verdict& verdict);
void judge_confirmed(const Case& scene, const Confirmed& confirmed, Verdict& verdict);
void judge_arguments(const Case& scene, Verdict& verdict);
void judge_absence(const Case& scene, const PathForbidden& forbidden, Verdict& verdict);
void judge_failures(const Case& scene, Verdict& verdict);
void judge_no_retry(const Case& scene, const NoRetryOf& none, Verdict& verdict);
void judge_retries(const Case& scene, const Retries& retries, Verdict& verdict);
void judge_limit(const Case& scene, const Limit& limit, Verdict& verdict);
void judge_decision(const Case& scene, const DecisionExpected& expected, Verdict& verdict);
void judge_grounds(const Case& scene, const Grounded& grounded, Verdict& verdict);
void judge_claims(const Case& scene, const ClaimsChecked& checked, Verdict& verdict);
void judge_rubric(const Case& scene, const RubricExpected& rubric, Verdict& verdict);

/// Does a use fit? It may not be known, where arguments cannot be read.
enum class Fit : uint8_t { no, perhaps, yes };
Fit fit(const Case& scene, const ExpectedTool& tool, const Action& used);

/// Does the text, or a text in its JSON, end with the mark that `convert` leaves where it cuts one
/// (--max-text), and many tools do? What stood behind that is not known, and decides nothing.
bool is_cut(std::string_view text);

/// A text in which something was decided, and the action that says it.
struct Decision {
  std::optional<std::string> text;
  bool is_number = false;  ///< and not a text of digits
  bool is_cut = false;     ///< some of it is missing
  const Action* by = nullptr;
  std::string what;  ///< it is called, in words
};
/// Reads it, or says in the verdict why that cannot be.
Decision read_decision(const Case& scene, const DecisionSource& from, Verdict& verdict);

/// What of a requirement a value misses, in words; empty: nothing. `share` of it is met.
std::string missed(const Case& scene, const Requirement& must, const JsonValue& value,
                   double& share);

}  // namespace xtrace
