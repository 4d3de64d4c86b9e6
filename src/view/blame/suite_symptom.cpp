#include "view/blame/suite_symptom.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/nearest.h"
#include "base/number.h"
#include "base/text.h"
#include "view/eval/judge.h"
#include "view/eval/readings.h"
#include "view/eval/scope.h"
#include "view/hops/paths.h"

namespace xtrace {

namespace {

/// By its id, or its number from 1.
const Scenario* find_scenario(const Suite& suite, const std::string& name) {
  for (const Scenario& one : suite.scenarios)
    if (one.id == name) return &one;
  const std::optional<size_t> number = number_of<size_t>(name);
  if (number && *number >= 1 && *number <= suite.scenarios.size())
    return &suite.scenarios[*number - 1];
  return suite.scenarios.size() == 1 && name.empty() ? &suite.scenarios.front() : nullptr;
}

/// Tool uses before their call: evidence names both by the place of the call.
std::vector<uint32_t> steps_of(const ImpactScene& scene, const EvidenceRecord& record) {
  std::vector<uint32_t> by_place;
  for (uint32_t at = 0; at < scene.steps().size(); ++at) {
    if (scene.id(at).view() == record.id) return {at};
    const Extent& place = scene.place(at);
    if (place.file == record.at.file && place.offset == record.at.offset) by_place.push_back(at);
  }
  if (by_place.size() > 1) by_place.resize(1);
  return by_place;
}

}  // namespace

Result<std::vector<uint32_t>> find_failed_steps(const ImpactScene& scene, const Suite& suite,
                                                const std::string& scenario) {
  const Scenario* asked = find_scenario(suite, scenario);
  if (asked == nullptr) {
    std::vector<std::string_view> names;
    for (const Scenario& one : suite.scenarios) names.emplace_back(one.id);
    const std::string wrong = scenario.empty()
                                  ? "--suite requires --scenario NAME"
                                  : fmt::format("--scenario: '{}' is not a scenario of the suite{}",
                                                printable(scenario), did_you_mean(scenario, names));
    return fail(Exit::usage, fmt::format("{}; scenarios: {}", wrong, fmt::join(names, ", ")));
  }
  const Question& question = scene.question();
  const Hops& hops = question.graph.joined_hops();
  const Paths paths(hops);
  Readings readings(question);
  std::set<uint32_t> steps;
  for (Trial& trial : ScopeFinder(question).find_trials(*asked)) {
    const AgentActions actions(question, hops, paths, readings, std::move(trial.scope));
    if (!actions.missing().empty()) continue;
    const Case about{question, scene.names(), actions, nullptr};
    for (const Expectation& expectation : asked->expectations) {
      const Verdict verdict = judge(about, expectation);
      if (verdict.status != Judged::failed) continue;
      for (const EvidenceRecord& record : verdict.evidence)
        for (uint32_t step : steps_of(scene, record)) steps.insert(step);
    }
  }
  if (steps.empty())
    return fail(Exit::no, fmt::format("scenario '{}' has no failed expectation with evidence",
                                      printable(asked->id)));
  return std::vector<uint32_t>(steps.begin(), steps.end());
}

}  // namespace xtrace
