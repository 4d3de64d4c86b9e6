#include "view/why/provenance_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "base/text.h"
#include "view/common/field.h"
#include "view/common/words.h"
#include "view/hops/run_answers.h"
#include "view/hops/span_texts.h"
#include "view/why/cause_words.h"
#include "view/why/explain_fields.h"
#include "view/why/listing.h"
#include "view/why/steps.h"

namespace xtrace {

namespace {

Text question(const Provenance& why) {
  const Meant& target = why.target;
  const Text name = why.scene.name(target);
  const std::string_view type = target.type(why.scene.hops);
  Door& door = why.scene.question.door;
  if (!target.actor) return door.say("Why did {} {} happen?", type, name.view());
  // The design gives the question about actors of spans to the letter.
  const std::vector<Cause>& causes = why.causes.all;
  const bool is_of_calls = !causes.empty() && !why.scene.hops[causes.front().hops.front()].span;
  return door.say("Why was {} {}?", name.view(),
                  is_of_calls && type != "resource" ? "called" : "accessed");
}

/// From the first access back.
Texts cause_ids(const Provenance& why, const Cause& cause) {
  Texts ids;
  const Hops& hops = why.scene.hops;
  for (HopId id = hops[cause.hops.front()].cause; id; id = hops[id].cause)
    ids.push_back(why.scene.name(id));
  return ids;
}

Texts more_cause_ids(const Provenance& why, const Cause& cause) {
  Texts ids;
  for (HopId id : why.more_causes(cause)) ids.push_back(why.scene.name(id));
  return ids;
}

/// Of the least sure access.
double direct_confidence(const Provenance& why, const Cause& cause) {
  double least = 1;
  for (HopId id : cause.hops) least = std::min(least, why.scene.hops[id].confidence);
  return least;
}

Texts accessors(const Provenance& why) {
  std::set<std::string_view> ids;
  for (ActorId from : why.causes.accessors) ids.insert(why.scene.hops[from].id);
  Texts names;
  for (std::string_view id : ids) names.push_back(why.scene.names.text(id));
  return names;
}

Text kind_of(const HopScene& scene, const Delegation& by) {
  return by.kind ? scene.kind(by.kind)
                 : Door::own(kind_between(scene.hops[by.actor].type, Actor::Type::agent));
}

ChainCalls chain_calls(const HopScene& scene, const HopGroup& group, CellArena& arena) {
  Texts ids, places;
  for (HopId id : group.hops) {
    ids.push_back(scene.name(id));
    places.push_back(scene.at(scene.hops[id]));
  }
  return {.ids = arena.keep(std::move(ids)),
          .places = arena.keep(std::move(places)),
          .first = group.first,
          .last = group.last,
          .total = group.total,
          .errors = group.errors};
}

Table cause_groups(const Provenance& why, CellArena& arena) {
  const HopScene& scene = why.scene;
  Table table = table_of<kHopGroups>("cause_groups");
  for (const Cause& cause : why.causes.all) {
    const Hop& first = why.access(cause);
    Door::At at(scene.question.door, scene.names.place(first.at));
    // Before other names pass, as replacements are numbered in the order in which they pass.
    const ChainCalls calls = chain_calls(scene, cause, arena);
    Table delegated = table_of<kDelegated>({});
    for (const Delegation& by : cause.delegated_by)
      add_fields(kDelegated, {scene.actor(by.actor), kind_of(scene, by), by.first}, delegated);
    add_fields(kHopGroups,
               {.calls = calls,
                .actor = scene.actor(first.from),
                .hop_kind = scene.kind(first.kind),
                .path = arena.keep(path_of(why, cause)),
                .certainty = cause.certainty,
                .direct_confidence = direct_confidence(why, cause),
                .delegated_by = arena.keep(std::move(delegated)),
                .alternatives = other_causes(scene, cause.hops, arena),
                .retries = scene.retries_among(cause.hops),
                .cause_ids = some(cause_ids(why, cause), arena),
                .more_causes = some(more_cause_ids(why, cause), arena)},
               table);
  }
  return table;
}

Table parallel_table(const Provenance& why, CellArena& arena) {
  Table table = table_of<kParallel>("parallel_groups");
  std::vector<Texts> paths;
  for (const Cause& cause : why.causes.all)
    if (!why.parallel.groups.empty()) paths.push_back(path_of(why, cause));
  for (const std::vector<size_t>& group : why.parallel.groups) {
    Integers indices;
    Texts sources;
    TextLists chains;
    for (size_t i : group) {
      indices.push_back(static_cast<int64_t>(i));
      const Text source = why.scene.actor(why.access(why.causes.all[i]).from);
      if (std::ranges::find(sources, source) == sources.end()) sources.push_back(source);
      chains.push_back(paths[i]);
    }
    add_fields(kParallel,
               {.causes = arena.keep(std::move(indices)),
                .accessors = arena.keep(std::move(sources)),
                .paths = arena.keep(std::move(chains))},
               table);
  }
  return table;
}

constexpr Field<size_t> kParallelOmitted[] = {
    {{"parallel_groups_omitted",
      "number of groups not listed; the list ends when its groups have 100,000 members in total",
      CellKind::integer},
     [](const size_t& count) { return Cell(static_cast<int64_t>(count)); }},
};

Table effects(const Provenance& why, CellArena& arena) {
  const HopScene& scene = why.scene;
  Table table = table_of<kEffects>("effects");
  for (const HopEffect& effect : why.effects.all)
    add_fields(kEffects,
               {.calls = chain_calls(scene, effect, arena),
                .actor = scene.actor(effect.chain.back()),
                .hop_kind = scene.kind(scene.hops[effect.hops.front()].kind),
                .path = arena.keep(path_of(why, effect)),
                .certainty = effect.certainty},
               table);
  return table;
}

/// Returns the steps by which model calls did it; none if spans record it.
std::vector<HistoryStep> steps_to(const Provenance& why) {
  const Hops& hops = why.scene.hops;
  const Graph& graph = why.scene.question.graph;
  if (!why.target.actor || why.causes.all.empty() || why.access(why.causes.all.front()).span)
    return {};
  const size_t run = static_cast<size_t>(&why.run - hops.runs.data());
  if (run >= graph.sessions().size()) return {};
  return find_steps_with(graph, graph.sessions()[run],
                         std::vector<std::string>{std::string(hops[why.target.actor].id)});
}

/// How each instance in the run is called that somebody started, where the target is an agent that
/// was asked for by its type: `Explore#1`, behind its session where there are several.
Texts instances(const Provenance& why, std::string_view asked) {
  const Hops& hops = why.scene.hops;
  const Graph& graph = why.scene.question.graph;
  if (!why.target.actor || hops[why.target.actor].type != Actor::Type::agent) return {};
  const size_t run = static_cast<size_t>(&why.run - hops.runs.data());
  if (run >= graph.sessions().size()) return {};
  Texts names;
  for (const Agent& agent : graph.agents()) {
    if (!agent.spawned || agent.type != asked) continue;
    const Session& session = graph.session_of(agent.calls.front());
    if (session.number - 1 != run) continue;
    const Text name = why.scene.names.agent(agent);
    names.push_back(graph.sessions().size() == 1
                        ? name
                        : why.scene.question.door.say(
                              "{}/{}", why.scene.names.session(session).view(), name.view()));
  }
  return names;
}

}  // namespace

void add_provenance_tables(const Provenance& why, std::string_view asked, Document& document) {
  CellArena& arena = document.arena();
  document.add(record_of<kHead>({}, {.question = question(why),
                                     .target = why.scene.name(why.target),
                                     .target_type = Door::own(why.target.type(why.scene.hops))}));
  document.add(record_of<kSpanTexts>(
      {}, why.target.actor ? SpanTexts() : texts_of_span(why.scene, why.target.hop)));
  document.add(run_record(why.scene, why.run, arena));
  document.add(record_of<kAccessors>({}, arena.keep(accessors(why))));
  document.add(cause_groups(why, arena));
  document.add(parallel_table(why, arena));
  if (why.parallel.omitted > 0) document.add(record_of<kParallelOmitted>({}, why.parallel.omitted));
  document.add(effects(why, arena));
  document.add(record_of<kOmitted>({}, {.causes = why.causes.omitted,
                                        .accesses = why.causes.accesses_omitted,
                                        .effects = why.effects.omitted}));
  document.add(record_of<kAnswer>({}, why.scene.question.door.composed(describe_answer(why))));
  document.add(record_of<kInstances>({}, some(instances(why, asked), arena)));
  document.add(steps_table(why.scene, steps_to(why), arena));
}

namespace {

/// Adds how to ask what one of several instances did.
void add_instances(const Provenance& why, std::string_view asked, std::vector<Text>& lines) {
  constexpr size_t kNamed = 5;  // enough to see the form of their names
  Texts names = instances(why, asked);
  if (names.empty()) return;
  const size_t more = names.size() - std::min(names.size(), kNamed);
  names.resize(names.size() - more);
  lines.push_back({});
  lines.push_back(why.scene.question.door.say("To explain a single instance: --node {}{}",
                                              joined(names, ", or --node "),
                                              more > 0 ? fmt::format(", and {} more", more) : ""));
}

}  // namespace

Outline provenance_outline(const Provenance& why, std::string_view asked, bool unfold) {
  Door& door = why.scene.question.door;
  Outline shown;
  shown.head.push_back(door.say("{}  ({})", question(why).view(), run_heading(why.scene, why.run)));
  if (!why.target.actor) add_span_texts(why.scene, why.target.hop, shown.head);
  std::vector<Text> links;
  for (size_t i = 0; i < why.causes.all.size(); ++i) {
    links.push_back({});
    add_cause_lines(why, why.causes.all[i], i + 1, links);
  }
  add_omitted(door, why.causes.all.size(), why.causes.omitted, links);
  for (const std::vector<size_t>& group : why.parallel.groups) {
    std::string numbers;
    for (size_t i : group) numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", i + 1);
    links.push_back({});
    links.push_back(door.say("Parallel: causes {}", numbers));
  }
  if (why.parallel.omitted > 0) {
    links.push_back({});
    links.push_back(
        door.say("Parallel: {}", plural(static_cast<int64_t>(why.parallel.omitted), "more group")));
  }
  add_effect_lines(why, links);
  add_omitted(door, why.effects.all.size(), why.effects.omitted, links);
  add_instances(why, asked, links);
  add_steps(why.scene, steps_to(why), unfold, links, shown);
  return shown;
}

std::string likeness_of(const Provenance& why) {
  std::string text;
  auto add = [&](std::span<const ActorId> chain, size_t count) {
    for (ActorId actor : chain) text += fmt::format("{} ", actor.index);
    text += fmt::format("x{}\n", count);
  };
  for (const Cause& cause : why.causes.all) {
    if (cause.errors > 0 || !is_sure(cause.certainty.confidence)) return {};
    add(cause.chain, cause.hops.size());
  }
  for (const HopEffect& effect : why.effects.all) {
    if (effect.errors > 0 || !is_sure(effect.certainty.confidence)) return {};
    add(effect.chain, effect.hops.size());
  }
  for (const std::vector<size_t>& group : why.parallel.groups)
    for (size_t cause : group) text += fmt::format("{} ", cause);
  return text + fmt::format("and {} {} {}", why.parallel.omitted, why.causes.accesses_omitted,
                            why.effects.omitted);
}

std::vector<Section> shape_of_provenance() {
  return {Record{table_of<kHead>({})},
          Record{table_of<kSpanTexts>({})},
          Record{{{}, run_columns()}},
          Record{table_of<kAccessors>({})},
          table_of<kHopGroups>("cause_groups"),
          table_of<kParallel>("parallel_groups"),
          Record{table_of<kParallelOmitted>({})},
          table_of<kEffects>("effects"),
          Record{table_of<kOmitted>({})},
          Record{table_of<kAnswer>({})},
          Record{table_of<kInstances>({})},
          Record{table_of<kBeside>({})},
          steps_table(),
          Record{table_of<kAgentRun>({})}};
}

}  // namespace xtrace
