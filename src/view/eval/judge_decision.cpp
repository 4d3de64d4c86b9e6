#include <fmt/format.h>

#include "settings/arguments.h"
#include "view/common/words.h"
#include "view/eval/judge.h"

namespace xtrace {

/// A tool that was never used is a decision
/// that was not made, and fails; unless the log ends with a request without an answer, or holds no
/// requests: then it may have been used.
Decision read_decision(const Case& scene, const DecisionSource& from, Verdict& verdict) {
  Decision decision;
  decision.what = from.tool.empty() ? "the reply"
                  : from.argument.empty()
                      ? scene.text(from.tool)
                      : fmt::format("{} of {}", scene.text(from.argument), scene.text(from.tool));
  auto cannot = [&](Judged status, std::string why) {
    verdict.status = status;
    verdict.score = 0;
    verdict.message = std::move(why);
    return decision;
  };
  if (from.tool.empty()) {
    decision.text = scene.actions.answer(decision.by);
    if (!decision.text) return cannot(Judged::insufficient, "no reply is recorded");
    decision.is_cut = is_cut(*decision.text);
  } else {
    for (const Action& used : scene.actions.tools())
      if (fits_wildcards(from.tool, used.name())) decision.by = &used;
    if (decision.by == nullptr) {
      const Action* torn = scene.actions.torn();
      if (!scene.actions.models().empty())
        verdict.evidence.push_back(
            scene.evidence_of(scene.actions.models().back(), "the last request"));
      bool is_known = torn == nullptr && !scene.actions.models().empty();
      return cannot(
          is_known ? Judged::failed : Judged::insufficient,
          fmt::format("{} was never used, so there is no decision{}", scene.text(from.tool),
                      torn == nullptr ? "" : "; the last request has no recorded reply"));
    }
    std::optional<std::string> given = scene.actions.arguments(*decision.by);
    verdict.evidence.push_back(scene.evidence_of(*decision.by, scene.text(decision.by->name())));
    if (!given)
      return cannot(Judged::insufficient,
                    fmt::format("the arguments of {} cannot be read", scene.text(from.tool)));
    std::optional<JsonValue> found = Arguments(*given).value_at(from.argument);
    if (!found) return cannot(Judged::failed, fmt::format("{} is missing", decision.what));
    decision.is_cut = is_cut(found->text);
    decision.text = std::move(found->text);
    decision.is_number = found->is_number;
    return decision;
  }
  verdict.evidence.push_back(scene.evidence_of(*decision.by, decision.what));
  return decision;
}

void judge_decision(const Case& scene, const DecisionExpected& expected, Verdict& verdict) {
  Decision decision = read_decision(scene, expected.from, verdict);
  if (!decision.text) return;
  std::string what =
      missed(scene, expected.must, {*decision.text, decision.is_number}, verdict.score);
  verdict.message = fmt::format("{} is as expected", decision.what);
  if (decision.is_cut && (!what.empty() || !expected.must.mentions_not.empty())) {
    verdict.status = Judged::insufficient;
    verdict.message = fmt::format("{} is cut in the input{}{}", decision.what,
                                  what.empty() ? "" : "; the rest ", what);
    return;
  }
  if (what.empty()) return;
  verdict.status = Judged::failed;
  verdict.message = fmt::format("{} {}{}", decision.what, what, scene.shown(*decision.text));
}

}  // namespace xtrace
