#include "view/eval/eval.h"

#include <fmt/format.h>

#include "base/text.h"
#include "settings/suite_file.h"
#include "view/eval/baseline_file.h"
#include "view/eval/eval_report.h"
#include "view/eval/history.h"
#include "view/eval/suite_draft.h"
#include "view/eval/unknown_tools.h"

namespace xtrace {

void Eval::declare(Options& options) {
  options.add("--scores", options_.scores, "FILE",
              "scores from a judge, for rubrics: {\"scenario\": {\"rubric\": 0.8}}");
  options.add("--baseline", options_.baseline, "FILE",
              "compare with FILE; a score that drops by more than 0.05 is a regression");
  options.add("--save-baseline", options_.save_baseline, "ID=FILE",
              "save status and scores of each scenario to FILE under the name ID");
  options.add("--history", options_.history, "DIR",
              "show the trend over the evaluations stored in DIR; with --save-baseline, also store "
              "this one");
  options.add("--fail-if", options_.fail_if, "METRIC=BOUND",
              "exit with 1 if METRIC exceeds the baseline by more than BOUND: cost=+20%, calls=+5, "
              "tokens=+1000, duration=+2s, errors=+0; overrides the suite (repeatable)");
  options.add("--accept-insufficient", options_.accepts_insufficient,
              "do not exit with 1 for insufficient evidence");
  options.add(
      "--init", options_.is_draft,
      "write a first suite of what these sessions have in common; omit SUITE; --level full adds "
      "tool arguments");
  options.add("--rules", options_.rules, "FILE",
              "with --init: also check the rules of FILE (AGENTS.md, CLAUDE.md) that a log can "
              "decide");
  options.add("--strict-suite", options_.is_strict,
              "exit with 2 if the suite names a tool that no run uses or declares");
}

Status Eval::prepare(Preparation& given) {
  if (!options_.rules.empty()) {
    if (!options_.is_draft)
      return fail(Exit::usage, "--rules requires --init, which writes a suite of these rules");
    Result<InstructionRules> rules = read_instruction_rules(options_.rules);
    if (!rules) return tl::unexpected(rules.error());
    rules_ = *std::move(rules);
    given.read.push_back(options_.rules);
  }
  if (options_.is_draft) return {};
  const BaselineToSave save = baseline_to_save();
  if (!options_.save_baseline.empty() && (save.id.empty() || save.path.empty()))
    return fail(Exit::usage,
                fmt::format("--save-baseline: '{}' is not of the form ID=FILE, such as v1=v1.json",
                            printable(options_.save_baseline)));
  Result<Suite> suite = read_suite(given.suite);
  if (!suite) return tl::unexpected(suite.error());
  given.read.push_back(given.suite);
  if (!options_.scores.empty()) {
    if (Status read = read_scores(options_.scores, *suite); !read) return read;
    given.read.push_back(options_.scores);
  }
  for (const std::string& text : options_.fail_if) {
    Result<Threshold> bound = read_threshold(text);
    if (!bound) return fail(Exit::usage, fmt::format("--fail-if: {}", bound.error().what));
    for (Scenario& scenario : suite->scenarios) set_bound(scenario.fail_if, *bound);
  }
  if (!options_.fail_if.empty() && options_.baseline.empty())
    return fail(Exit::usage, "--fail-if requires --baseline FILE (written by --save-baseline)");
  std::optional<Baseline> baseline;
  if (!options_.baseline.empty()) {
    Result<Baseline> read = read_baseline(options_.baseline, *suite);
    if (!read) return tl::unexpected(read.error());
    baseline = *std::move(read);
    // It may be replaced by what there is now.
    if (save.path != options_.baseline) given.read.push_back(options_.baseline);
  }
  if (!options_.history.empty()) {
    const bool may_begin = !save.path.empty();
    Result<std::vector<Baseline>> read = read_history(options_.history, *suite, may_begin);
    if (!read) return tl::unexpected(read.error());
    history_ = *std::move(read);
  }
  judge_by(*std::move(suite), std::move(baseline));
  return {};
}

BaselineToSave Eval::baseline_to_save() const {
  std::string_view text = options_.save_baseline;
  size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {text, {}, {}};
  return {text.substr(0, equals), text.substr(equals + 1), options_.history};
}

Result<Document> Eval::answer(const Question& question) const {
  const Graph& graph = question.graph;
  const Hops& hops = graph.joined_hops();
  Paths paths(hops);
  Readings readings(question);
  Names names(graph, question.door);
  if (options_.is_draft) {
    Outline draft;
    draft.head = suite_draft(question, names, rules_);
    Document document("eval");
    document.add(std::move(draft));
    return document;
  }

  EvalReport report{question,
                    names,
                    suite_,
                    {},
                    {},
                    baseline_ ? &*baseline_ : nullptr,
                    options_.accepts_insufficient,
                    !options_.save_baseline.empty(),
                    options_.history.empty() ? nullptr : &history_,
                    {}};
  auto judge_trial = [&](const Scenario& scenario, Trial& trial) {
    ScenarioResult result;
    result.of = &scenario;
    result.trial = question.door.name_once(trial.name).view();
    AgentActions actions(question, hops, paths, readings, std::move(trial.scope));
    if (!actions.missing().empty()) {
      result.status = Judged::insufficient;
      result.message = question.door.name_once(actions.missing()).view();
    } else {
      auto scores = suite_.scores.find(scenario.id);
      Case scene{question, names, actions,
                 scores == suite_.scores.end() ? nullptr : &scores->second};
      for (const Expectation& expectation : scenario.expectations)
        result.verdicts.push_back(judge(scene, expectation));
      result.took = actions.took();
      result.figures = figures_of(actions);
      weigh(result);
    }
    return result;
  };
  Scope all;
  for (CallId id : graph.timeline().in_order()) all.calls.push_back(id);
  for (size_t i = 0; i < graph.trace().spans.size(); ++i) all.spans.emplace_back(i);
  const AgentActions actions_of_all(question, hops, paths, readings, std::move(all));
  std::vector<std::string> misspelt;
  auto place = [&](const UnknownTool& one) { return report.place(one.at).view(); };
  for (const UnknownTool& one : unknown_tools(suite_, actions_of_all))
    misspelt.push_back(fmt::format("{}: tool '{}' is neither used nor declared in any run{}",
                                   place(one), report.text(one.name).view(),
                                   report.text(one.near).view()));
  for (const UnknownTool& one : unknown_actors(suite_, actions_of_all))
    misspelt.push_back(fmt::format("{}: no actor '{}' in any path{}", place(one),
                                   report.text(one.name).view(), report.text(one.near).view()));
  if (options_.is_strict && !misspelt.empty()) return fail(Exit::usage, misspelt.front());
  report.warnings.insert(report.warnings.end(), misspelt.begin(), misspelt.end());
  for (const Scenario& scenario : suite_.scenarios)
    if (!scenario.fail_if.empty() && !baseline_) {
      report.warnings.push_back(
          fmt::format("{}: fail_if requires --baseline FILE", report.place(scenario.at).view()));
      break;
    }
  ScopeFinder finder(question);
  for (const Scenario& scenario : suite_.scenarios) {
    std::vector<Trial> trials = finder.find_trials(scenario);
    if (scenario.each == Each::once || !trials.front().scope.missing.empty()) {
      report.results.push_back(judge_trial(scenario, trials.front()));
      continue;
    }
    ScenarioResult& result = report.results.emplace_back();
    result.of = &scenario;
    for (Trial& trial : trials) result.trials.push_back(judge_trial(scenario, trial));
    combine(result);
  }
  if (baseline_) report.comparison = compare(report.results, *baseline_);
  return report_of(report);
}

extern constinit const ViewEntry kEvalView = {
    .name = "eval",
    .summary = "check runs against a suite; find regressions",
    .about =
        "Checks recorded runs against a suite of scenarios (JSON or YAML): tools, "
        "their order and arguments, forbidden tools and delegation paths, reactions to "
        "failures, limits, decisions and their evidence, and claims of replies. Each verdict is "
        "passed, "
        "failed or insufficient evidence, with the records that decided it. `xtrace "
        "schema suite` lists all keys of a suite.",
    .examples = R"(  xtrace eval suite.yaml logs/                    check runs against a suite
  xtrace eval suite.yaml logs/ -f junit -o r.xml  JUnit, for CI
  xtrace eval suite.yaml logs/ -f sarif           for code scanning
  xtrace eval --init logs/ -o suite.yaml          write a first suite from recorded sessions
  xtrace schema suite                             all keys of a suite
  xtrace eval suite.yaml logs/ --save-baseline v1=v1.json   save the scores
  xtrace eval suite.yaml logs/ --baseline v1.json           compare with saved scores
)",
    .make = make_view<Eval>,
    .shapes = []() -> std::vector<Shape> { return {shape_of_report()}; },
    .has_page = true,
    .takes_suite = true,
    .gives_verdicts = true,
};

}  // namespace xtrace
