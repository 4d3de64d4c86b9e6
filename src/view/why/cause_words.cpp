#include "view/why/cause_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "view/common/words.h"
#include "view/hops/hop_words.h"
#include "view/hops/run_answers.h"

namespace xtrace {

namespace {

/// Accesses in logs of agents are worded for people; for spans, the design specifies the exact
/// form.
bool is_for_people(const Provenance& why, HopId first) {
  return !why.scene.hops[first].span;
}
std::string_view arrow(bool is_for_people) {
  return is_for_people ? " → " : " -> ";
}

/// `9 accesses by main, 1.2s, 2 failed`
std::string facts_for_people(const Provenance& why, const Cause& cause) {
  const ActorId by = why.access(cause).from;
  const Text who = by ? why.scene.names.text(why.scene.hops[by].label()) : why.scene.caller(by);
  const auto count = static_cast<int64_t>(cause.hops.size());
  const bool is_resource = why.target.type(why.scene.hops) == "resource";
  const std::string times = !is_resource ? plural(count, "call")
                            : count == 1 ? "1 access"
                                         : fmt::format("{} accesses", count);
  std::string facts = fmt::format("{} by {}", times, who.view());
  if (cause.total != kNoDuration) facts += fmt::format(", {}", format_span(cause.total));
  if (cause.errors > 0) facts += fmt::format(", {} failed", cause.errors);
  if (int64_t retries = why.scene.retries_among(cause.hops); retries > 0)
    facts += fmt::format(", {} retried", retries);
  if (!is_sure(cause.certainty.confidence))
    facts += fmt::format(", confidence {:.0f}%", cause.certainty.confidence * 100);
  return facts;
}

std::string facts_of(const Provenance& why, const Cause& cause) {
  std::string facts = fmt::format(
      "accessor={}, spans={}", why.scene.caller(why.access(cause).from).view(), cause.hops.size());
  if (cause.total != kNoDuration)
    facts += fmt::format(", duration={}us", cause.total.count() / 1000);
  if (cause.errors > 0) facts += fmt::format(", failed={}", cause.errors);
  if (int64_t retries = why.scene.retries_among(cause.hops); retries > 0)
    facts += fmt::format(", retries={}", retries);
  if (!is_sure(cause.certainty.confidence))
    facts += fmt::format(", confidence={:.2f}", cause.certainty.confidence);
  return facts;
}

class Answer {
 public:
  explicit Answer(const Provenance& why) : why_(why) {}

  std::string describe() const {
    std::string text = fmt::format("{} {} because:\n", why_.scene.name(why_.target).view(),
                                   why_.target.actor ? "was accessed" : "happened");
    for (const std::vector<size_t>& group : why_.parallel.groups) text += parallel(group);
    if (const size_t omitted = why_.parallel.omitted; omitted > 0)
      text += fmt::format("  [PARALLEL] {}\n", plural(static_cast<int64_t>(omitted), "more group"));
    if (!why_.parallel.groups.empty()) text += '\n';
    size_t number = 0;
    for (const std::vector<size_t>& causes : by_accessor()) text += chains(++number, causes);
    return text + first_started();
  }

 private:
  std::string accessor(size_t cause) const {
    return std::string(why_.scene.caller(why_.access(why_.causes.all[cause]).from).view());
  }

  std::string chain(size_t cause) const {
    return joined(path_of(why_, why_.causes.all[cause]), " -> ");
  }

  std::string parallel(const std::vector<size_t>& group) const {
    std::vector<std::string> names;
    for (size_t cause : group)
      if (std::string name = accessor(cause); std::ranges::find(names, name) == names.end())
        names.push_back(std::move(name));
    const std::string chains =
        names.size() < group.size() ? fmt::format(" through {} chains", group.size()) : "";
    return fmt::format("  [PARALLEL] {} ran concurrently{}\n", fmt::join(names, ", "), chains);
  }

  /// Causes of one accessor together, as these came first.
  std::vector<std::vector<size_t>> by_accessor() const {
    std::vector<std::vector<size_t>> groups;
    std::map<ActorId, size_t> places;
    for (size_t i = 0; i < why_.causes.all.size(); ++i) {
      auto [place, is_new] = places.emplace(why_.access(why_.causes.all[i]).from, groups.size());
      if (is_new) groups.emplace_back();
      groups[place->second].push_back(i);
    }
    return groups;
  }

  std::string chains(size_t number, const std::vector<size_t>& causes) const {
    if (causes.size() == 1) return fmt::format("  {}. {}\n", number, chain(causes.front()));
    std::string text = fmt::format("  {}. {} accessed it via {} distinct paths:\n", number,
                                   accessor(causes.front()), causes.size());
    for (size_t i = 0; i < causes.size(); ++i)
      text += fmt::format("       {}.{}. {}\n", number, i + 1, chain(causes[i]));
    return text;
  }

  /// Causes are in order of their first accesses.
  std::string first_started() const {
    if (why_.causes.all.size() < 2 || why_.causes.all.front().first == kNoTime) return {};
    constexpr size_t kNamed = 3;
    const std::vector<ActorId>& chain = why_.causes.all.front().chain;
    size_t named = std::min(chain.size(), kNamed);
    return fmt::format("\n  Temporal: path {}{} started first",
                       joined(names_of(why_.scene, std::span(chain).first(named)), " -> "),
                       named < chain.size() ? "..." : "");
  }

  const Provenance& why_;
};

}  // namespace

void add_cause_lines(const Provenance& why, const Cause& cause, size_t number,
                     std::vector<Text>& lines) {
  Door& door = why.scene.question.door;
  const Hop& first = why.access(cause);
  Door::At at(door, why.scene.names.place(first.at));
  std::string label = fmt::format("Cause {}: ", number), indent(label.size(), ' ');
  const bool for_people = is_for_people(why, cause.hops.front());
  lines.push_back(door.composed(label + joined(path_of(why, cause), arrow(for_people))));
  lines.push_back(
      door.composed(indent + (for_people ? facts_for_people(why, cause) : facts_of(why, cause))));
  Texts chain;
  for (const Delegation& by : cause.delegated_by) chain.push_back(why.scene.actor(by.actor));
  if (!chain.empty())
    lines.push_back(door.say("{}{}: {}", indent, for_people ? "delegated by" : "delegated_by",
                             joined(chain, for_people ? " ← " : " <- ")));
  // The span around one that is explained is part of the path; who called it from elsewhere is not.
  const bool is_in_path = first.cause && !first.is_call() && !why.scene.hops[first.cause].is_call();
  if (!why.target.actor && first.cause && !is_in_path)
    lines.push_back(door.say("{}{}: {} [{}], {}", indent, for_people ? "caused by" : "caused_by",
                             what_it_was(why.scene, first.cause).view(),
                             why.scene.name(first.cause).view(), word(first.rule)));
  Texts more;
  for (HopId id : why.more_causes(cause)) {
    const ActorId to = why.scene.hops[id].to;
    more.push_back(to ? door.say("{} [{}]", why.scene.actor(to).view(), why.scene.name(id).view())
                      : why.scene.name(id));
  }
  if (!more.empty()) lines.push_back(door.say("{}also caused by: {}", indent, joined(more, ", ")));
  if (cause.certainty.is_incomplete) {
    ActorId first_agent = cause.chain[cause.certainty.is_told ? 1 : 0];
    lines.push_back(door.say("{}the cause of {} is not in the input{}", indent,
                             why.scene.actor(first_agent).view(),
                             cause.certainty.is_told ? "; its span names the principal" : ""));
  }
  std::string place = fmt::format("{}at {}", indent, why.scene.names.shown_at(first.at).view());
  if (cause.hops.size() > 1) place += fmt::format(" and {} more", cause.hops.size() - 1);
  lines.push_back(door.composed(std::move(place)));
}

void add_effect_lines(const Provenance& why, std::vector<Text>& lines) {
  if (why.effects.all.empty()) return;
  Door& door = why.scene.question.door;
  lines.push_back({});
  lines.push_back(Door::own("Led to:"));
  for (const HopEffect& effect : why.effects.all) {
    const bool for_people = is_for_people(why, effect.hops.front());
    std::string text = "  " + joined(path_of(why, effect), arrow(for_people));
    text += fmt::format("  ({}", plural(static_cast<int64_t>(effect.hops.size()), "call"));
    if (effect.total != kNoDuration)
      text += for_people ? ", " + format_span(effect.total)
                         : fmt::format(", duration={}us", effect.total.count() / 1000);
    if (effect.errors > 0)
      text += for_people ? fmt::format(", {} failed", effect.errors)
                         : fmt::format(", failed={}", effect.errors);
    if (const double confidence = effect.certainty.confidence; !is_sure(confidence))
      text += for_people ? fmt::format(", confidence {:.0f}%", confidence * 100)
                         : fmt::format(", confidence={:.2f}", confidence);
    lines.push_back(door.composed(text + ")"));
  }
}

Texts path_of(const Provenance& why, const HopEffect& effect) {
  Texts path = names_of(why.scene, effect.chain);
  path.insert(path.begin(), why.scene.name(why.target));
  return path;
}

std::string describe_answer(const Provenance& why) {
  return Answer(why).describe();
}

}  // namespace xtrace
