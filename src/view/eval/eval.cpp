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
              "scores that a judge gave, for rubrics: {\"scenario\": {\"rubric\": 0.8}}");
  options.add("--baseline", options_.baseline, "FILE",
              "compare with what --save-baseline kept: a score that drops by more than 0.05 is a "
              "regression");
  options.add("--save-baseline", options_.save_baseline, "ID=FILE",
              "keep status and scores of each scenario in FILE, under the name ID");
  options.add("--history", options_.history, "DIR",
              "tell the trend since the runs that are kept in DIR; with --save-baseline, keep this "
              "one too");
  options.add("--fail-if", options_.fail_if, "METRIC=BOUND",
              "how much worse than the baseline a scenario may be: cost=+20%, calls=+5, "
              "tokens=+1000, duration=+2s, errors=+0; may be given several times, and goes before "
              "fail_if of the suite");
  options.add("--accept-insufficient", options_.accepts_insufficient,
              "scenarios without enough evidence do not make the exit status 1");
  options.add("--init", options_.is_draft,
              "write a suite of what these runs did, to begin with; there is no SUITE then. With "
              "--level full it has the arguments of tools too");
  options.add("--strict-suite", options_.is_strict,
              "a tool in the suite that no run uses and no request declares is an error, exit "
              "status 2, and no warning");
}

Status Eval::prepare(Preparation& given) {
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
    Result<std::vector<Baseline>> read = read_history(options_.history, *suite);
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
  const Hops& hops = graph.told_hops();
  Paths paths(hops);
  Readings readings(question);
  Names names(graph, question.door);
  if (options_.is_draft) {
    Outline draft;
    draft.head = suite_draft(question, names);
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
      result.took = elapsed(actions.start(), actions.end());
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
  for (const Scenario& scenario : suite_.scenarios) {
    std::vector<Trial> trials = trials_of(question, scenario);
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
    .summary = "did the agents behave as a suite expects; what got worse",
    .about =
        "Judges recorded runs by a suite of scenarios, JSON or YAML: which tools are "
        "used, in which order and with which arguments; tools and chains of delegation "
        "that are forbidden; what is done about failures; how much it may take; what is "
        "decided, and on what grounds. Each verdict is passed, failed or insufficient "
        "evidence, with the records that decided it. With a baseline, what got worse is a "
        "regression. A scenario of a suite has an id and says what it is about (match), whether it "
        "is "
        "tried on each of several runs (each, pass_rate), and what is expected: tools, forbidden "
        "(tools, calls, paths), preceded, confirm, declared_arguments, errors, limits, decision; "
        "weights, pass and fail_if say what that counts for. xtrace schema suite has all keys. "
        "The exit status is 1 if anything failed, got worse or could not be "
        "judged.",
    .examples = R"(  xtrace eval suite.yaml logs/                    the verdicts, for people
  xtrace eval suite.yaml logs/ -f junit -o r.xml  for a build server
  xtrace eval suite.yaml logs/ -f sarif           for code scanning
  xtrace eval --init logs/ -o suite.yaml          write a suite of what they did
  xtrace schema suite                             the format of suites, key by key
  xtrace eval suite.yaml logs/ --save-baseline v1=v1.json   keep the scores
  xtrace eval suite.yaml logs/ --baseline v1.json           and compare with them
)",
    .make = make_view<Eval>,
    .shapes = []() -> std::vector<Shape> { return {shape_of_report()}; },
    .has_page = true,
    .takes_suite = true,
    .gives_verdicts = true,
};

}  // namespace xtrace
