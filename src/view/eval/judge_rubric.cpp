#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "view/eval/judge.h"

namespace xtrace {

namespace {

/// What became of one score.
struct Marked {
  Judged status = Judged::passed;
  double score = 1;  ///< 0 to 1
  std::string words;
};

std::string known_score(const std::optional<double>& score) {
  return score ? fmt::format("{:.2f}", *score) : "no score";
}

Marked mark(const Case& scene, const RubricExpected& rubric, const Evaluation& given) {
  Marked marked;
  marked.words = known_score(given.score);
  if (!given.label.empty()) marked.words += fmt::format(", '{}'", scene.text(given.label));
  bool asks_score = rubric.labels.empty() || rubric.at_least > 0;
  bool is_score = given.score && *given.score >= 0 && *given.score <= rubric.of;
  if (is_score) marked.score = *given.score / rubric.of;
  bool lacks_label = !rubric.labels.empty() && given.label.empty();
  if (lacks_label || (asks_score && !is_score)) {
    marked.status = Judged::insufficient;
    if (given.score && !is_score) marked.words += fmt::format(", not between 0 and {}", rubric.of);
    return marked;
  }
  bool is_right = rubric.labels.empty() || std::find(rubric.labels.begin(), rubric.labels.end(),
                                                     given.label) != rubric.labels.end();
  if (is_right && (!asks_score || *given.score >= rubric.at_least)) return marked;
  marked.status = Judged::failed;
  if (!is_right || !is_score) marked.score = 0;
  return marked;
}

/// What is asked, in words.
std::string asked(const Case& scene, const RubricExpected& rubric) {
  std::string words;
  if (rubric.labels.empty() || rubric.at_least > 0)
    words = fmt::format(", expected at least {:.2f}", rubric.at_least);
  for (size_t i = 0; i < rubric.labels.size(); ++i)
    words +=
        fmt::format("{}'{}'", i == 0 ? ", expected label " : " or ", scene.text(rubric.labels[i]));
  return words;
}

void say_none(const Case& scene, const std::string& name,
              const std::vector<std::pair<SpanId, Evaluation>>& all, Verdict& verdict) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& [span, one] : all) names.push_back(scene.text(one.name));
  std::vector<std::string_view> known(names.begin(), names.end());
  verdict.status = Judged::insufficient;
  std::string near = did_you_mean(name, known);
  verdict.message = fmt::format("no score for {}{}", name,
                                near.empty() ? "; pass scores with --scores FILE, or record them "
                                               "in spans as gen_ai.evaluation.score.value"
                                             : near);
}

}  // namespace

void judge_rubric(const Case& scene, const RubricExpected& rubric, Verdict& verdict) {
  std::string name = scene.text(rubric.name);
  std::vector<std::pair<SpanId, Evaluation>> all, given;
  if (scene.scores != nullptr && scene.scores->contains(rubric.name)) {
    Evaluation one;
    one.score = scene.scores->at(rubric.name);
    // A file has no words for it.
    if (rubric.at_least > 0 && !rubric.labels.empty()) one.label = rubric.labels.front();
    given.emplace_back(SpanId(), std::move(one));
  } else {
    all = scene.actions.evaluations();
    for (const auto& one : all)
      if (one.second.name == rubric.name) given.push_back(one);
  }
  if (given.empty()) return say_none(scene, name, all, verdict);

  // The worst one counts: each answer that was judged has to be good enough.
  Marked worst;
  worst.score = 2;
  for (const auto& [span, one] : given) {
    Marked marked = mark(scene, rubric, one);
    if (span) {
      const Trace& trace = scene.question.graph.trace();
      verdict.evidence.push_back({one.at, scene.text(trace[trace[span].shown_id()]),
                                  fmt::format("{}: {}", name, marked.words)});
    }
    auto rank = [](const Marked& of) {
      return of.status == Judged::failed ? 0 : of.status == Judged::insufficient ? 1 : 2;
    };
    if (std::pair(rank(marked), marked.score) < std::pair(rank(worst), worst.score))
      worst = std::move(marked);
  }
  verdict.status = worst.status;
  verdict.score = worst.score;
  verdict.message = fmt::format("{}: {}{}", name, worst.words, asked(scene, rubric));
}

}  // namespace xtrace
