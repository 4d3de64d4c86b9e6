#include "view/eval/eval.h"

#include "view/eval/eval_report.h"

namespace xtrace {

void Eval::declare(Options& options) {
  options.add("--scores", options_.scores, "FILE",
              "scores that a judge gave, for rubrics: {\"scenario\": {\"rubric\": 0.8}}");
  options.add("--baseline", options_.baseline, "FILE",
              "compare with what --save-baseline kept: a score that drops by more than 0.05 is a "
              "regression");
  options.add("--save-baseline", options_.save_baseline, "ID=FILE",
              "keep status and scores of each scenario in FILE, under the name ID");
  options.add("--accept-insufficient", options_.accepts_insufficient,
              "scenarios without enough evidence do not make the exit status 1");
}

Result<Document> Eval::answer(const Question& asked) const {
  Question question = asked;
  question.tells_all = true;
  const Graph& graph = question.graph;
  const Hops& hops = graph.told_hops();
  Paths paths(hops);
  Names names(graph, question.door);

  EvalReport report{question,
                    names,
                    suite_,
                    {},
                    {},
                    baseline_ ? &*baseline_ : nullptr,
                    options_.accepts_insufficient,
                    !options_.save_baseline.empty()};
  for (const Scenario& scenario : suite_.scenarios) {
    ScenarioResult result;
    result.of = &scenario;
    AgentActions actions(question, hops, paths, scenario.match);
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
      weigh(result);
    }
    report.results.push_back(std::move(result));
  }
  if (baseline_) report.comparison = compare(report.results, *baseline_);
  return report_of(report);
}

std::unique_ptr<View> make_eval() {
  return std::make_unique<Eval>();
}

std::vector<Shape> shapes_of_eval() {
  return {shape_of_report()};
}

}  // namespace xtrace
