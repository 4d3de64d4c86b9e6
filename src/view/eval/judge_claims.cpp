#include <fmt/format.h>

#include <algorithm>

#include "view/calls/claim_tables.h"
#include "view/common/words.h"
#include "view/eval/judge.h"

namespace xtrace {

namespace {

void add_claim_evidence(const Case& scene, const ReplyClaim& claim, Verdict& verdict) {
  const Trace& trace = scene.question.graph.trace();
  for (const ClaimEvidence& one : claim.evidence) {
    const StringId use = one.use ? trace.tool_uses[one.use.index].id : StringId();
    const std::string id =
        use ? scene.text(trace[use]) : std::string(scene.names.id(one.call).view());
    const std::string said = one.use ? "" : scene.shown(claim.sentence);
    verdict.evidence.push_back(
        {one.at, id, fmt::format("{}: {}{}", claim_words(claim.kind), one.what, said)});
  }
}

/// Is it open what its tool results say?
bool is_open(const ReplyClaim& claim) {
  return claim.reason == ClaimReason::no_result || claim.reason == ClaimReason::unclear;
}

}  // namespace

/// Nothing that the log does not have is held against an agent: a result that is not recorded, or
/// that shows neither success nor failure, leaves the verdict open. A claim whose tool use was
/// never made, or came before an edit, is not supported.
void judge_claims(const Case& scene, const ClaimsChecked& checked, Verdict& verdict) {
  const auto cannot = [&](std::string why) {
    verdict.status = Judged::insufficient;
    verdict.message = std::move(why);
  };
  const std::vector<Action>& models = scene.actions.models();
  if (std::ranges::all_of(models, [](const Action& one) { return bool(one.span); }))
    return cannot("claims are checked in logs of model calls, not in spans");
  std::vector<const ReplyClaim*> claims = scene.actions.claims();
  if (!checked.kinds.empty())
    std::erase_if(claims, [&](const ReplyClaim* one) {
      return std::ranges::find(checked.kinds, one->kind) == checked.kinds.end();
    });
  const Action* of = nullptr;
  if (claims.empty() && !scene.actions.answer(of)) return cannot("the replies cannot be read");
  std::vector<const ReplyClaim*> wrong, open;
  for (const ReplyClaim* one : claims) {
    const bool is_wrong = one->verdict == ClaimVerdict::contradicted ||
                          (checked.demand == ClaimsChecked::Demand::supported &&
                           one->verdict == ClaimVerdict::not_shown && !is_open(*one));
    if (is_wrong) wrong.push_back(one);
    if (!is_wrong && is_open(*one)) open.push_back(one);
  }
  const auto count = static_cast<int64_t>(claims.size());
  const auto listed = [&](const std::vector<const ReplyClaim*>& some) {
    std::string words;
    for (const ReplyClaim* one : some) {
      words += fmt::format("{}{} ({})", words.empty() ? "" : ", ", claim_words(one->kind),
                           reason_words(*one));
      add_claim_evidence(scene, *one, verdict);
    }
    return words;
  };
  if (!wrong.empty()) {
    verdict.status = Judged::failed;
    verdict.score = static_cast<double>(claims.size() - wrong.size()) / static_cast<double>(count);
    verdict.message = fmt::format("{} of {} {} {}: ", wrong.size(), plural(count, "claim"),
                                  wrong.size() == 1 ? "is" : "are",
                                  checked.demand == ClaimsChecked::Demand::supported
                                      ? "not supported by tool results"
                                      : "contradicted by tool results") +
                      listed(wrong);
    return;
  }
  if (!open.empty()) {
    std::string words = listed(open);
    return cannot(fmt::format("{} of {} cannot be compared with tool results: {}", open.size(),
                              plural(count, "claim"), words));
  }
  listed(claims);
  verdict.message =
      count == 0 ? "no claims in the replies"
      : checked.demand == ClaimsChecked::Demand::supported
          ? fmt::format("{}, all supported by tool results", plural(count, "claim"))
          : fmt::format("{}, none contradicted by tool results", plural(count, "claim"));
}

}  // namespace xtrace
