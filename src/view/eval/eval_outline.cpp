#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "view/common/words.h"
#include "view/eval/eval_report.h"

namespace xtrace {

namespace {

std::string percent(std::optional<double> share) {
  return share ? fmt::format("{:.2f}", *share) : "?";
}

/// What became of a verdict, for people.
std::string_view word_of(Judged status) {
  constexpr std::string_view kWords[] = {"passed", "FAILED", "insufficient evidence"};
  return kWords[static_cast<size_t>(status)];
}

class EvalOutlineBuilder {
 public:
  explicit EvalOutlineBuilder(const EvalReport& report) : report_(report) {
    if (report_.history != nullptr) verdicts_ = verdicts_of(report_);
  }

  Outline tell() {
    outline_.columns = {{"scenario", false, true},
                        {"verdict", false, false},
                        {"score", true, false},
                        {"at", false, false, 1, true}};
    for (const ScenarioResult& result : report_.results) tell(result);
    int64_t total = static_cast<int64_t>(report_.results.size());
    std::string passed = fmt::format("{}: {} of {} passed", report_.text(report_.suite.name).view(),
                                     report_.count(Judged::passed), plural(total, "scenario"));
    if (int64_t failed = report_.count(Judged::failed); failed > 0)
      passed += fmt::format(", {} failed", failed);
    if (int64_t open = report_.count(Judged::insufficient); open > 0)
      passed += fmt::format(", {} with insufficient evidence", open);
    outline_.foot.push_back(report_.words(passed));
    for (const std::string& warning : report_.warnings)
      outline_.foot.push_back(report_.words("warning: " + warning));
    std::string means;
    for (size_t i = 0; i < kDimensions; ++i)
      if (std::optional<double> mean = report_.mean_of(i))
        means += fmt::format("{}{} {}", means.empty() ? "mean scores: " : ", ", kDimensionWords[i],
                             percent(mean));
    if (!means.empty()) outline_.foot.push_back(report_.words(means));
    int64_t estimated = 0;
    for (const ScenarioResult& result : report_.results) {
      estimated += count_estimated(result);
      for (const ScenarioResult& trial : result.trials) estimated += count_estimated(trial);
    }
    if (estimated > 0)
      outline_.foot.push_back(report_.words(
          fmt::format("{} passed by an upper estimate, as the log has only lower bounds; -f json "
                      "shows the amounts",
                      plural(estimated, "limit"))));
    std::string flaky;
    for (const ScenarioResult& result : report_.results)
      if (result.rate.is_flaky())
        flaky += fmt::format("{}{}", flaky.empty() ? "" : ", ", report_.text(result.of->id).view());
    if (!flaky.empty())
      outline_.foot.push_back(
          report_.words(fmt::format("flaky (some trials passed, some failed): {}", flaky)));
    if (report_.comparison) tell(*report_.comparison);
    if (report_.history != nullptr) tell_history();
    return std::move(outline_);
  }

 private:
  static int64_t count_estimated(const ScenarioResult& result) {
    return std::ranges::count_if(result.verdicts,
                                 [](const Verdict& one) { return one.is_estimated; });
  }

  void tell(const ScenarioResult& result) {
    bool is_bad = result.status == Judged::failed;
    line(0, is_bad ? Tone::error : Tone::heading, report_.text(result.of->id),
         Door::own(word_of(result.status)), percent(result.score), report_.place(result.of->at));
    tell_findings(result, 1);
    if (result.trials.empty()) return;
    prose(0, Tone::quiet, words_of(result.rate));
    for (const ScenarioResult& trial : result.trials) {
      if (trial.status == Judged::passed) continue;
      line(1, trial.status == Judged::failed ? Tone::error : Tone::plain,
           Door::own(word(result.of->each)), Door::own(word_of(trial.status)), percent(trial.score),
           {});
      prose(1, Tone::plain, trial.trial);
      tell_findings(trial, 2);
    }
  }

  /// A line for what is expected; below it, as long as they are, what was found and what decided
  /// it.
  void tell_findings(const ScenarioResult& result, uint32_t depth) {
    if (!result.message.empty()) prose(depth - 1, Tone::quiet, result.message);
    for (const Verdict& verdict : result.verdicts) {
      if (verdict.status == Judged::passed) continue;
      line(depth, verdict.status == Judged::failed ? Tone::error : Tone::plain,
           Door::own(rule_of(*verdict.of)), Door::own(word_of(verdict.status)),
           verdict.status == Judged::insufficient ? "" : percent(verdict.score),
           report_.place(verdict.of->at));
      prose(depth, Tone::plain, verdict.message);
      constexpr size_t kMost = 8;  // lines for one expectation; -f json has all of them
      for (size_t i = 0; i < std::min(verdict.evidence.size(), kMost); ++i) {
        const EvidenceRecord& one = verdict.evidence[i];
        prose(depth, Tone::quiet,
              fmt::format("• {} ({}), {}", one.what, one.id, report_.names.at(one.at).view()));
      }
      if (verdict.evidence.size() > kMost)
        prose(depth, Tone::quiet,
              fmt::format("• {} more; -f json lists all", verdict.evidence.size() - kMost));
    }
  }

  /// Wrapped, and never cut.
  void prose(uint32_t depth, Tone tone, const std::string& passed) {
    Outline::Line text{depth, tone, {report_.words(passed)}};
    text.is_prose = true;
    outline_.lines.push_back(std::move(text));
  }

  void line(uint32_t depth, Tone tone, Text what, Text status, const std::string& score, Text at) {
    auto cell = [](Text text) { return text.empty() ? Cell() : Cell(text); };
    outline_.lines.push_back(
        {depth, tone, {what, cell(status), cell(report_.words(score)), cell(at)}});
  }

  void tell(const Comparison& comparison) {
    std::string_view id = report_.text(report_.baseline->id).view();
    auto add = [&](std::string_view name, const std::vector<Change>& changes) {
      for (const Change& change : changes) {
        if (change.bound != nullptr) {
          const Threshold& bound = *change.bound;
          outline_.foot.push_back(report_.words(
              fmt::format("{}: {}: {} {} → {} since {}: {} (limit {})", name,
                          report_.text(change.scenario).view(), change.what,
                          shown(bound.of, *change.before), shown(bound.of, *change.now), id,
                          moved(bound, *change.before, *change.now), bound.text)));
          continue;
        }
        outline_.foot.push_back(report_.words(
            change.before
                ? fmt::format("{}: {}: {} {} → {} since {}", name,
                              report_.text(change.scenario).view(), change.what,
                              percent(change.before), percent(change.now), id)
                : fmt::format("{}: {}: {} → {} since {}", name,
                              report_.text(change.scenario).view(),
                              report_.text(change.status_before).view(), change.status_now, id)));
      }
    };
    add("regression", comparison.regressions);
    add("improvement", comparison.improvements);
    for (const auto& [scenario, bound] : comparison.unknown)
      outline_.foot.push_back(
          report_.words(fmt::format("undecided: {}: {} (limit {}) is not recorded on both sides",
                                    report_.text(scenario).view(), word(bound->of), bound->text)));
    tell_deltas(comparison, id);
    for (const std::string& one : comparison.added)
      outline_.foot.push_back(report_.words(fmt::format("new: {}", report_.text(one).view())));
    for (const std::string& one : comparison.missing)
      outline_.foot.push_back(report_.words(fmt::format("missing: {}", report_.text(one).view())));
    if (comparison.regressions.empty())
      outline_.foot.push_back(report_.words(fmt::format("no regressions since {}", id)));
  }

  /// How many passed, run by run, and since when what does not pass does not.
  void tell_history() {
    std::string line = "history:";
    for (const Verdicts::Run& run : verdicts_->history)
      line += fmt::format("{} {} {} of {}", line.ends_with(':') ? "" : ",", run.id.view(),
                          run.passed, run.scenarios);
    outline_.foot.push_back(report_.words(line));
    for (const Verdicts::FirstBad& one : verdicts_->first_bad)
      outline_.foot.push_back(report_.words(
          fmt::format("{} has not passed since {}{}", one.subject.view(),
                      one.run.empty() ? "this run" : one.run.view(),
                      one.newest.empty() ? "" : fmt::format(" ({})", one.newest.view()))));
  }

  /// What moved, a line for each scenario.
  void tell_deltas(const Comparison& comparison, std::string_view id) {
    std::string line;
    for (size_t i = 0; i < comparison.deltas.size(); ++i) {
      const FigureDelta& one = comparison.deltas[i];
      if (one.before != one.now) {
        Threshold as_share{one.of, 0, true, false, {}};
        line += fmt::format("{}{} {} → {} ({})", line.empty() ? "" : ", ", word(one.of),
                            shown(one.of, one.before), shown(one.of, one.now),
                            moved(as_share, one.before, one.now));
      }
      bool is_last =
          i + 1 == comparison.deltas.size() || comparison.deltas[i + 1].scenario != one.scenario;
      if (is_last && !line.empty())
        outline_.foot.push_back(report_.words(fmt::format(
            "{} since {}: {}", report_.text(one.scenario).view(), id, std::exchange(line, {}))));
    }
  }

  const EvalReport& report_;
  std::shared_ptr<const Verdicts> verdicts_;
  Outline outline_;
};

}  // namespace

Outline outline_of(const EvalReport& report) {
  return EvalOutlineBuilder(report).tell();
}

}  // namespace xtrace
