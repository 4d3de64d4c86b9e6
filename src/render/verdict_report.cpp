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

constexpr std::string_view kDimensions[] = {"tool_usage", "decision_quality", "error_handling",
                                            "limits"};
constexpr size_t kMostWitnesses = 8;

std::string_view sign_of(std::string_view status) {
  return status == "passed" ? "✅" : status == "failed" ? "❌" : "⚠️";
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
  Report(const Document& document, std::ostream& out)
      : document_(document), scenarios_(*find_table(document, "scenarios")), out_(out) {}

  void write() {
    write_head();
    write_changes();
    bool is_first = true;
    for (size_t i = 0; i < scenarios_.rows(); ++i) {
      KeyedRow scenario(scenarios_, i);
      if (scenario.text("status") == "passed") continue;
      if (std::exchange(is_first, false)) out_ << "## What did not pass\n\n";
      write_scenario(scenario);
    }
  }

 private:
  void write_head() {
    size_t passed = 0;
    for (size_t i = 0; i < scenarios_.rows(); ++i)
      passed += KeyedRow(scenarios_, i).text("status") == "passed";
    out_ << fmt::format(
        "# {}: {} of {} passed\n\n", markdown_text(top_text(document_, "suite")), passed,
        scenarios_.rows() == 1 ? "1 scenario" : fmt::format("{} scenarios", scenarios_.rows()));
    std::vector<std::string_view> known;
    for (std::string_view dimension : kDimensions)
      for (size_t i = 0; i < scenarios_.rows(); ++i)
        if (score_of(i, dimension) && (known.empty() || known.back() != dimension))
          known.push_back(dimension);
    out_ << "| scenario | verdict | score |";
    for (std::string_view dimension : known) out_ << ' ' << words_of(dimension) << " |";
    out_ << "\n| --- | --- | ---: |";
    for (size_t i = 0; i < known.size(); ++i) out_ << " ---: |";
    out_ << '\n';
    for (size_t i = 0; i < scenarios_.rows(); ++i) {
      KeyedRow scenario(scenarios_, i);
      out_ << fmt::format("| {} | {} {} | {} |", markdown_text(scenario.text("id")),
                          sign_of(scenario.text("status")), words_of(scenario.text("status")),
                          shown(scenario.real("score")));
      for (std::string_view dimension : known) out_ << ' ' << shown(score_of(i, dimension)) << " |";
      out_ << '\n';
    }
    out_ << '\n';
  }

  std::optional<double> score_of(size_t scenario, std::string_view dimension) const {
    return KeyedRow(scenarios_, scenario).real(fmt::format("scores.{}", dimension));
  }

  void write_changes() {
    const Table* analysis = find_table(document_, "regression_analysis");
    if (analysis == nullptr || analysis->rows() == 0) return;
    KeyedRow row(*analysis, 0);
    if (row.text("baseline").empty()) return;
    out_ << fmt::format("## Since {}\n\n", markdown_text(row.text("baseline")));
    size_t before = lines_;
    list_changes("❌ regression", row.rows("regressions"));
    list_changes("✅ improvement", row.rows("improvements"));
    list_names("new", row.texts("new_scenarios"));
    list_names("⚠️ missing", row.texts("missing_scenarios"));
    out_ << (lines_ == before ? "Nothing changed.\n\n" : "\n");
  }

  void list_changes(std::string_view name, const Table* changes) {
    for (size_t i = 0; changes != nullptr && i < changes->rows(); ++i) {
      KeyedRow change(*changes, i);
      bool is_score = change.real("before").has_value();
      std::string before =
          is_score ? shown(change.real("before")) : words_of(change.text("status_before"));
      std::string now = is_score ? shown(change.real("now")) : words_of(change.text("status_now"));
      out_ << fmt::format("- {}: {}: {} {} → {}\n", name, markdown_text(change.text("id")),
                          words_of(change.text("what")), markdown_text(before), now);
      ++lines_;
    }
  }

  void list_names(std::string_view name, const Texts* names) {
    for (size_t i = 0; names != nullptr && i < names->size(); ++i, ++lines_)
      out_ << fmt::format("- {}: {}\n", name, markdown_text((*names)[i].view()));
  }

  void write_scenario(const KeyedRow& scenario) {
    out_ << fmt::format("### {} {}\n\n", sign_of(scenario.text("status")),
                        markdown_text(scenario.text("id")));
    for (std::string_view key : {"description", "message"})
      if (std::string_view text = scenario.text(key); !text.empty())
        out_ << markdown_text(text) << "\n\n";
    const Table* verdicts = scenario.rows("verdicts");
    for (size_t i = 0; verdicts != nullptr && i < verdicts->rows(); ++i) {
      KeyedRow verdict(*verdicts, i);
      if (verdict.text("status") == "passed") continue;
      out_ << fmt::format("- {} **{}**: {} (expected at {})\n", sign_of(verdict.text("status")),
                          words_of(verdict.text("rule")), markdown_text(verdict.text("message")),
                          markdown_text(verdict.text("expected_at")));
      write_evidence(verdict.rows("evidence"));
    }
    out_ << '\n';
  }

  void write_evidence(const Table* evidence) {
    for (size_t i = 0; evidence != nullptr && i < evidence->rows(); ++i) {
      if (i == kMostWitnesses) {
        out_ << fmt::format("  - and {} more\n", evidence->rows() - i);
        return;
      }
      KeyedRow evidence_row(*evidence, i);
      out_ << fmt::format("  - {}: {} ({})\n", markdown_text(evidence_row.text("at")),
                          markdown_text(evidence_row.text("what")),
                          markdown_text(evidence_row.text("id")));
    }
  }

  const Document& document_;
  const Table& scenarios_;
  std::ostream& out_;
  size_t lines_ = 0;  ///< of changes
};

}  // namespace

bool has_verdicts(const Document& document) {
  return document.view() == "eval" && find_table(document, "scenarios") != nullptr;
}

void write_verdict_report(const Document& document, std::ostream& out) {
  Report(document, out).write();
}

}  // namespace xtrace
