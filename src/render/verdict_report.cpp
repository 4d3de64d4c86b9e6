#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "render/markdown_text.h"
#include "render/verdicts.h"

namespace xtrace {

namespace {

// As GitHub shows it in a step's summary, which may be 1 MiB long.

constexpr size_t kMostEvidence = 8;

std::string_view sign_of(Judged status) {
  return status == Judged::passed ? "✅" : status == Judged::failed ? "❌" : "⚠️";
}

std::string words_of(std::string_view key) {
  std::string words(key);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string shown(std::optional<double> score) {
  return score ? fmt::format("{:.2f}", *score) : "";
}

class Report {
 public:
  Report(const Verdicts& verdicts, std::ostream& out) : of_(verdicts), out_(out) {}

  void write() {
    write_head();
    if (of_.comparison) write_changes(*of_.comparison);
    bool is_first = true;
    for (const Verdicts::Subject& scenario : of_.subjects) {
      if (scenario.status == Judged::passed) continue;
      if (std::exchange(is_first, false)) out_ << "## Not passed\n\n";
      write_scenario(scenario);
    }
  }

 private:
  void write_head() {
    const std::vector<Verdicts::Subject>& scenarios = of_.subjects;
    auto passed = std::count_if(scenarios.begin(), scenarios.end(), [](const auto& scenario) {
      return scenario.status == Judged::passed;
    });
    out_ << fmt::format(
        "# {}: {} of {} passed\n\n", markdown_text(of_.suite.view()), passed,
        scenarios.size() == 1 ? "1 scenario" : fmt::format("{} scenarios", scenarios.size()));
    std::vector<size_t> known;
    for (size_t i = 0; i < of_.dimensions.size(); ++i)
      if (std::any_of(scenarios.begin(), scenarios.end(),
                      [&](const auto& scenario) { return scenario.scores[i].has_value(); }))
        known.push_back(i);
    bool has_trials = std::any_of(scenarios.begin(), scenarios.end(),
                                  [](const auto& scenario) { return scenario.tried.has_value(); });
    out_ << "| scenario | verdict | score |" << (has_trials ? " trials |" : "");
    for (size_t i : known) out_ << ' ' << words_of(of_.dimensions[i]) << " |";
    out_ << "\n| --- | --- | ---: |" << (has_trials ? " --- |" : "");
    for (size_t i = 0; i < known.size(); ++i) out_ << " ---: |";
    out_ << '\n';
    for (const Verdicts::Subject& scenario : scenarios) {
      out_ << fmt::format("| {} | {} {} | {} |", markdown_cell(scenario.id.view()),
                          sign_of(scenario.status), words_of(word(scenario.status)),
                          shown(scenario.score));
      if (has_trials)
        out_ << (scenario.tried ? fmt::format(" {} |", markdown_cell(scenario.tried->words.view()))
                                : "  |");
      for (size_t i : known) out_ << ' ' << shown(scenario.scores[i]) << " |";
      out_ << '\n';
    }
    out_ << '\n';
  }

  void write_changes(const Verdicts::Comparison& comparison) {
    if (comparison.baseline.empty()) return;
    out_ << fmt::format("## Since {}\n\n", markdown_text(comparison.baseline.view()));
    size_t before = lines_;
    list_changes("❌ regression", comparison.regressions);
    list_changes("✅ improvement", comparison.improvements);
    for (const Verdicts::Undecided& one : comparison.undecided) {
      out_ << fmt::format("- ⚠️ undecided: {}: {} (limit {}) is not recorded on both sides\n",
                          markdown_text(one.subject.view()), one.what.view(),
                          markdown_text(one.bound.view()));
      ++lines_;
    }
    for (const Verdicts::Delta& one : comparison.deltas) {
      if (one.before == one.now) continue;
      out_ << fmt::format("- {}: {}\n", markdown_text(one.subject.view()),
                          markdown_text(one.words.view()));
      ++lines_;
    }
    list_names("new", comparison.added);
    list_names("⚠️ missing", comparison.missing);
    out_ << (lines_ == before ? "Nothing changed.\n\n" : "\n");
  }

  void list_changes(std::string_view name, const std::vector<Verdicts::Change>& changes) {
    for (const Verdicts::Change& change : changes) {
      if (!change.bound.empty()) {
        out_ << fmt::format("- {}: {}: {} {}\n", name, markdown_text(change.subject.view()),
                            words_of(change.what.view()), markdown_text(change.words.view()));
        ++lines_;
        continue;
      }
      std::string before =
          change.before ? shown(change.before) : words_of(change.status_before.view());
      std::string now = change.before ? shown(change.now) : words_of(change.status_now.view());
      out_ << fmt::format("- {}: {}: {} {} → {}\n", name, markdown_text(change.subject.view()),
                          words_of(change.what.view()), markdown_text(before), now);
      ++lines_;
    }
  }

  void list_names(std::string_view name, const Texts& names) {
    for (Text one : names) out_ << fmt::format("- {}: {}\n", name, markdown_text(one.view()));
    lines_ += names.size();
  }

  void write_scenario(const Verdicts::Subject& scenario) {
    out_ << fmt::format("### {} {}\n\n", sign_of(scenario.status),
                        markdown_text(scenario.id.view()));
    for (Text text : {scenario.description, scenario.message})
      if (!text.empty()) out_ << markdown_text(text.view()) << "\n\n";
    write_findings(scenario);
    if (scenario.tried) out_ << markdown_text(scenario.tried->words.view()) << "\n\n";
    for (const Verdicts::Subject& trial : scenario.trials) {
      if (trial.status == Judged::passed) continue;
      out_ << fmt::format("#### {} {} {}\n\n", sign_of(trial.status), scenario.tried->each.view(),
                          markdown_text(trial.id.view()));
      if (!trial.message.empty()) out_ << markdown_text(trial.message.view()) << "\n\n";
      write_findings(trial);
      out_ << '\n';
    }
    out_ << '\n';
  }

  void write_findings(const Verdicts::Subject& scenario) {
    for (const Verdicts::Finding& finding : scenario.findings) {
      if (finding.status == Judged::passed) continue;
      out_ << fmt::format("- {} **{}**: {} (expected at {})\n", sign_of(finding.status),
                          words_of(finding.rule.view()), markdown_text(finding.message.view()),
                          markdown_text(finding.expected_at.view()));
      write_evidence(finding.evidence);
    }
  }

  void write_evidence(const std::vector<Verdicts::Evidence>& evidence) {
    for (size_t i = 0; i < evidence.size(); ++i) {
      if (i == kMostEvidence) {
        out_ << fmt::format("  - and {} more\n", evidence.size() - i);
        return;
      }
      out_ << fmt::format("  - {}: {} ({})\n", markdown_text(evidence[i].at.view()),
                          markdown_text(evidence[i].what.view()),
                          markdown_text(evidence[i].id.view()));
    }
  }

  const Verdicts& of_;
  std::ostream& out_;
  size_t lines_ = 0;  ///< of changes
};

}  // namespace

std::vector<Verdicts::Change> broken_bounds(const Verdicts& verdicts) {
  std::vector<Verdicts::Change> broken;
  if (verdicts.comparison)
    for (const Verdicts::Change& one : verdicts.comparison->regressions)
      if (!one.bound.empty()) broken.push_back(one);
  return broken;
}

void write_verdict_report(const Verdicts& verdicts, std::ostream& out) {
  Report(verdicts, out).write();
}

}  // namespace xtrace
