#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/pattern.h"
#include "base/time.h"
#include "facts/call.h"
#include "facts/claim_kind.h"
#include "settings/json_schema.h"
#include "settings/threshold.h"

namespace xtrace {

// What a suite of evaluations says. Read by the command line; nothing here knows files, places are
// texts for people.

/// What is judged: which tools were used and how, what was decided, how failures were dealt with,
/// and whether it took no more than it may.
enum class Dimension : uint8_t { tool_usage, decision_quality, error_handling, limits };
inline constexpr std::string_view kDimensionWords[] = {"tool_usage", "decision_quality",
                                                       "error_handling", "limits"};
inline constexpr size_t kDimensions = std::size(kDimensionWords);
constexpr std::string_view word(Dimension dimension) {
  return kDimensionWords[static_cast<size_t>(dimension)];
}

/// A place in a suite.
struct SuitePlace {
  std::string path;
  uint32_t line = 0;
};

/// What a value has to be; what is not said is not asked for.
struct Requirement {
  std::optional<std::string> is;      ///< the very text or word; a number by its value
  std::vector<std::string> one_of;    ///< one of these
  std::optional<Pattern> matches;     ///< found in it
  std::vector<Pattern> mentions;      ///< each of them found in it
  std::vector<Pattern> mentions_not;  ///< none of them
};

/// An argument of a tool use: `findings`, `findings.0`, `options.depth`.
struct ArgumentRequirement {
  std::string name;
  Requirement must;
};

/// A tool use that is expected.
struct ExpectedTool {
  std::string name;  ///< `*` matches anything in it
  std::vector<ArgumentRequirement> arguments;
  std::optional<JsonSchema> schema;  ///< of all of them
  std::optional<Pattern> target;     ///< the file or address it works on
  SuitePlace at;
  std::string note{};  ///< what its pattern means, in the suite's words
  std::string
      text{};  ///< what verdicts call it: `Bash(git push:*)`, its name and note or arguments
};

/// Which tools are used, and in which order.
struct ToolsExpected {
  enum class Order : uint8_t { exact, in_order, same, any };
  Order order = Order::in_order;
  std::vector<ExpectedTool> tools;
};
inline constexpr std::string_view kOrderWords[] = {"exact-order", "contains-in-order", "same-tools",
                                                   "contains-any-order"};

/// A tool that must not be used.
struct ToolForbidden {
  std::string name;  ///< `*` matches anything in it
};

/// A call that must not be made: a tool with certain arguments, or on a certain target.
struct CallForbidden {
  ExpectedTool call;
};

/// Each use of a tool comes after one of another: what is edited was read before, what is committed
/// was tested.
struct Preceded {
  ExpectedTool tool;
  std::vector<ExpectedTool> by;  ///< one of these
  bool same_target = false;      ///< and on the same file or address
};

/// Before each use of these tools, the last word of the user is a consent to it.
struct Confirmed {
  std::vector<std::string> tools;  ///< `*` matches anything in them
};

/// Arguments fit the schema that the request itself declared for the tool.
struct DeclaredArguments {};

/// A chain of delegation that must not come about: names of actors, of which `*` is any number.
struct PathForbidden {
  std::vector<std::string> steps;
  std::string text;  ///< as it was written
};

/// What failed is tried again, or followed by something else.
struct FailuresHandled {};

/// What cannot get better is not tried again.
struct NoRetryOf {
  std::vector<int> statuses;  ///< of HTTP
};

/// How often and how patiently what failed is tried again.
struct Retries {
  int64_t max_attempts = kNoCount;
  Duration initial = kNoDuration, most = kNoDuration;
  double factor = 0;      ///< 0: any
  double jitter = 0.25;   ///< a wait may be shorter or longer by this share
  bool expected = false;  ///< there must be one
};

/// How much it may take.
struct Limit {
  enum class Of : uint8_t { calls, tool_calls, depth, tokens, cost, time, errors };
  Of of = Of::calls;
  double most = 0;  ///< calls, edges, tokens, dollars, seconds, or failures
};
inline constexpr std::string_view kLimitWords[] = {"calls",    "tool_calls", "depth", "tokens",
                                                   "cost_usd", "time",       "errors"};
constexpr std::string_view word(Limit::Of of) {
  return kLimitWords[static_cast<size_t>(of)];
}

/// Where a decision is read from: an argument of the last use of a tool, or the last answer.
struct DecisionSource {
  std::string tool;  ///< empty: the answer
  std::string argument;
};

/// What was decided.
struct DecisionExpected {
  DecisionSource from;
  Requirement must;
};

/// Nothing is claimed that no tool result or prompt says: numbers with what they are of, names and
/// quotations, or what a pattern finds.
struct Grounded {
  DecisionSource from;
  std::optional<Pattern> claims;  ///< without: numbers, names and quotations
  bool may_be_none = false;       ///< a text that claims nothing is as expected
};

/// What replies claim at the end of turns ("tests pass", "fixed") is what tool results show.
struct ClaimsChecked {
  enum class Demand : uint8_t {
    supported,        ///< they show each claim
    not_contradicted  ///< they contradict none
  };
  Demand demand = Demand::supported;
  std::vector<ClaimKind> kinds;  ///< empty: all
};
inline constexpr std::string_view kClaimDemandWords[] = {"supported", "not_contradicted"};

/// A score that somebody gave it, in a file or in the log (`gen_ai.evaluation.*`).
struct RubricExpected {
  std::string name;
  double at_least = 0;
  double of = 1;                    ///< the best there is; the least is 0
  std::vector<std::string> labels;  ///< the judge's word has to be one of these; empty: any
};

struct Expectation {
  Dimension dimension = Dimension::tool_usage;
  double weight = 1;
  bool is_must = false;  ///< fails the scenario, whatever else is right
  SuitePlace at;
  std::variant<ToolsExpected, ToolForbidden, PathForbidden, FailuresHandled, NoRetryOf, Retries,
               Limit, DecisionExpected, Grounded, RubricExpected, CallForbidden, Preceded,
               Confirmed, DeclaredArguments, ClaimsChecked>
      what;
};

/// Which part of the input a scenario is about; what is empty is not asked for. `*` matches
/// anything.
struct Match {
  std::string session, run, query, agent, file;
  bool any() const {
    return !(session.empty() && run.empty() && query.empty() && agent.empty() && file.empty());
  }
};

/// What of the input a scenario is tried on: all of it at once, or each of these by itself.
enum class Each : uint8_t { once, session, run, query, file };
inline constexpr std::string_view kEachWords[] = {"once", "session", "run", "query", "file"};
constexpr std::string_view word(Each each) {
  return kEachWords[static_cast<size_t>(each)];
}

/// By dimension.
using ByDimension = std::array<double, kDimensions>;

struct Scenario {
  std::string id, description;
  Match match;
  Each each = Each::once;
  double pass_rate = 1;  ///< the least share of its trials that pass
  ByDimension weights{1, 1, 1, 1};
  ByDimension marks{1, 1, 1, 1};  ///< the least score with which it passes
  double mark = 0;                ///< of all dimensions together
  std::vector<Expectation> expectations;
  std::vector<Threshold> fail_if;  ///< how much worse than a baseline it may be, a metric each
  SuitePlace at;
};

/// Scores by scenario, then by name.
using Scores = std::map<std::string, std::map<std::string, double>, std::less<>>;

/// How a scenario was judged before.
struct BaselineScenario {
  std::string id, status;
  std::optional<double> score;
  std::array<std::optional<double>, kDimensions> scores;
  std::array<std::optional<double>, std::size(kThresholdWords)> figures{};  ///< by metric
};

/// Sets the bound of a metric, in the place of the one it had.
void set_bound(std::vector<Threshold>& bounds, Threshold bound);

struct Baseline {
  std::string id;
  std::vector<BaselineScenario> scenarios;
  std::string digest{};  ///< of suite and runs, if a history keeps it
  std::string newest{};  ///< when the last of its runs ended, as RFC 3339; empty: not known
};

struct Suite {
  std::string name;
  std::vector<Scenario> scenarios;
  Scores scores;
  std::string digest;  ///< of its file
};

/// A drop of more than this, of shares from 0 to 1, is a regression; less may be chance.
inline constexpr double kRegression = 0.05;

}  // namespace xtrace
