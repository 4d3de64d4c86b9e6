#include <fmt/format.h>

#include <algorithm>

#include "base/one_of.h"
#include "link/graph/resource.h"
#include "view/common/hidden_names.h"
#include "view/common/words.h"
#include "view/eval/judge.h"

namespace xtrace {

namespace {

/// What a name that is hidden in the input counts as.
enum class HiddenName : uint8_t { another, perhaps_this };

/// `user:ada` is named by that, by `ada`, by `user`, and by wildcards for the whole.
bool is_step(std::string_view step, const Actor& actor, HiddenName hidden) {
  return fits_wildcards(step, actor.id) || step == actor.label() ||
         step == actor.id.substr(0, actor.id.find(':')) ||
         (hidden == HiddenName::perhaps_this &&
          (may_fit_wildcards(step, actor.id) || may_fit_wildcards(step, actor.label())));
}

/// A principal whom nobody names is any user, and no particular one.
bool is_step(const Hops& hops, std::string_view step, ActorId actor, HiddenName hidden) {
  return actor ? is_step(step, hops[actor], hidden)
               : is_one_of(step, {"user", "user:*", "principal"});
}

/// The chain of a call. nowhere, at its beginning: a principal whom nobody names.
std::vector<ActorId> chain_of(const Case& scene, HopId id) {
  const Hops& hops = scene.actions.all_hops();
  const Paths& paths = scene.actions.paths();
  std::vector<ActorId> chain = paths.actors(paths.of(id));
  HopId first = id;
  while (HopId before = paths.caller_of(first)) first = before;
  bool by_principal = hops.words[hops[first].kind].starts_with(word(Actor::Type::principal));
  if (!hops[first].from && by_principal) chain.insert(chain.begin(), ActorId());
  return chain;
}

/// Is the chain all of the path? `*` stands for any number of actors.
bool fits(const Hops& hops, std::span<const std::string> path, std::span<const ActorId> chain,
          HiddenName hidden = HiddenName::another) {
  if (path.empty()) return chain.empty();
  if (path.front() == "*") {
    for (size_t skipped = 0; skipped <= chain.size(); ++skipped)
      if (fits(hops, path.subspan(1), chain.subspan(skipped), hidden)) return true;
    return false;
  }
  return !chain.empty() && is_step(hops, path.front(), chain.front(), hidden) &&
         fits(hops, path.subspan(1), chain.subspan(1), hidden);
}

/// May somebody who has a hop in this run, or an agent that its records name, be that step?
bool is_there(const Case& scene, std::string_view step) {
  const Hops& hops = scene.actions.all_hops();
  const Activities& activities = scene.question.graph.activities();
  auto may_be = [&](ActorId actor) {
    return actor && is_step(step, hops[actor], HiddenName::perhaps_this);
  };
  auto is_of = [&](const ActingAgent& agent) {
    return agent.is_agent() && !agent.name.empty() &&
           is_step(step, Actor{fmt::format("agent:{}", agent.name), Actor::Type::agent},
                   HiddenName::perhaps_this);
  };
  auto is_done_by = [&](const Action& action) { return is_of(action.done->agent); };
  return is_step(hops, step, ActorId(), HiddenName::perhaps_this) ||
         std::ranges::any_of(
             scene.actions.hops(),
             [&](HopId id) { return may_be(hops[id].from) || may_be(hops[id].to); }) ||
         std::ranges::any_of(scene.actions.spans(),
                             [&](SpanId id) {
                               const ActivityId told = activities.of_span[id.index];
                               return told && is_of(activities[told].agent);
                             }) ||
         std::ranges::any_of(scene.actions.models(), is_done_by) ||
         std::ranges::any_of(scene.actions.tools(), is_done_by);
}

/// Tools without spans have no hop; the agents before them have, or are named where a model asks
/// for the tool, and without one of those there is no such chain. Could a chain to a tool be the
/// path? Then that tool: who called it is not told. nullptr: none.
const Action* unseen_end(const Case& scene, const PathForbidden& forbidden) {
  for (const std::string& step : std::span(forbidden.steps).first(forbidden.steps.size() - 1))
    if (step != "*" && !is_there(scene, step)) return nullptr;
  for (const Action& used : scene.actions.tools()) {
    if (used.asked == nullptr) continue;
    std::vector<std::string> ids = {fmt::format("resource:tool:{}", used.name())};
    for (const std::string& target : used.asked->targets) ids.push_back(resource_named(target));
    for (const std::string& id : ids)
      if (forbidden.steps.back() == "*" ||
          is_step(forbidden.steps.back(), Actor{id, Actor::Type::resource},
                  HiddenName::perhaps_this))
        return &used;
  }
  return nullptr;
}

}  // namespace

/// A chain that is forbidden fails the scenario where each of its links is sure. One whose links
/// are guesses, that ends as the forbidden one does and begins with something that is not on
/// record, or in which names are hidden may be it: then there is not enough evidence, which is no
/// pass. Whoever forbids a chain wants to hear of that.
void judge_absence(const Case& scene, const PathForbidden& forbidden, Verdict& verdict) {
  const Hops& hops = scene.actions.all_hops();
  std::vector<HopId> sure, unsure;
  for (HopId id : scene.actions.hops()) {
    if (!hops[id].is_call()) continue;
    std::vector<ActorId> chain = chain_of(scene, id);
    const Certainty& certainty = scene.actions.paths().certainty(id);
    bool is_certain = is_sure(certainty.confidence) && !certainty.is_incomplete;
    bool is_it = fits(hops, forbidden.steps, chain);
    bool reaches =
        !chain.empty() && is_step(hops, forbidden.steps.back(), chain.back(), HiddenName::another);
    if (is_it && is_certain)
      sure.push_back(id);
    else if (is_it || (reaches && !is_certain) ||
             fits(hops, forbidden.steps, chain, HiddenName::perhaps_this))
      unsure.push_back(id);
  }
  std::string text = scene.text(forbidden.text);
  verdict.message = fmt::format("no chain matches {}", text);
  if (hops.all.empty() || scene.actions.hops().empty()) {
    verdict.status = Judged::insufficient;
    verdict.message = fmt::format(
        "no calls between actors are recorded, so it is unknown whether a chain matches {}", text);
    return;
  }
  if (sure.empty() && unsure.empty()) {
    const Action* unseen = unseen_end(scene, forbidden);
    if (unseen == nullptr) return;
    verdict.status = Judged::insufficient;
    verdict.message = fmt::format(
        "{} was requested, but no span records its execution, so it is unknown whether a chain to "
        "it matches {}",
        scene.text(unseen->name()), text);
    return verdict.evidence.push_back(scene.evidence_of(*unseen, scene.text(unseen->name())));
  }
  const std::vector<HopId>& found = sure.empty() ? unsure : sure;
  verdict.status = sure.empty() ? Judged::insufficient : Judged::failed;
  verdict.score = 0;
  // The whole chain of the first, so that one sees how it came about.
  std::vector<HopId> back;
  for (HopId at = found.front(); at; at = scene.actions.paths().caller_of(at)) back.push_back(at);
  for (auto at = back.rbegin(); at != back.rend(); ++at)
    verdict.evidence.push_back(scene.evidence_of(*at));
  for (size_t i = 1; i < found.size(); ++i) verdict.evidence.push_back(scene.evidence_of(found[i]));
  std::string chain;
  for (ActorId actor : chain_of(scene, found.front()))
    chain += (chain.empty() ? "" : " → ") + (actor ? scene.text(hops[actor].id) : "user");
  const Certainty& certainty = scene.actions.paths().certainty(found.front());
  if (sure.empty() && is_sure(certainty.confidence) && !certainty.is_incomplete)
    verdict.message =
        fmt::format("{} may match {}, but a name is hidden in the input", chain, text);
  else if (sure.empty())
    verdict.message =
        fmt::format("{} may match {}, but its cause is {}", chain, text,
                    certainty.is_incomplete
                        ? std::string("not in the input")
                        : fmt::format("uncertain (confidence {:.2f})", certainty.confidence));
  else
    verdict.message = fmt::format("{} matches {}, {}", chain, text,
                                  plural(static_cast<int64_t>(found.size()), "time"));
}

}  // namespace xtrace
