#include "view/hops/actor_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "view/common/add_face.h"
#include "view/common/preface.h"
#include "view/common/short_names.h"
#include "view/common/words.h"
#include "view/hops/actor_nodes.h"
#include "view/hops/certainty.h"
#include "view/hops/run_answers.h"

namespace xtrace {

namespace {

struct Edge {
  ActorId from, to;
  StringId kind;
  std::set<std::string_view> tools;
  HopGroup calls;
  // Of all observations:
  int64_t count = 0;
  Time first = kNoTime, last = kNoTime;
  Duration total = kNoDuration;
};

/// Who took part in a run, and who called whom.
struct Actors {
  std::vector<ActorId> nodes;  ///< in order of appearance
  std::vector<Edge> edges;     ///< by first call
  std::vector<Edge> begun;     ///< likewise; who called is not on record

  Actors(const HopScene& scene, const Run& run) {
    std::map<std::tuple<ActorId, ActorId, StringId>, size_t> places;
    std::vector<bool> seen(scene.hops.actors.size());
    auto meet = [&](ActorId actor) {
      if (!actor || seen[actor.index]) return;
      seen[actor.index] = true;
      nodes.push_back(actor);
    };
    for (HopId id : run.hops) {
      const Hop& hop = scene.hops[id];
      if (!scene.selection.shows(id)) continue;
      meet(hop.from);
      meet(hop.to);
      if (!hop.to) continue;
      std::vector<Edge>& all = hop.from ? edges : begun;
      auto [place, is_new] = places.emplace(std::tuple(hop.from, hop.to, hop.kind), all.size());
      if (is_new) all.emplace_back(Edge{hop.from, hop.to, hop.kind, {}, {}});
      add(scene, id, all[place->second]);
    }
  }

 private:
  static void add(const HopScene& scene, HopId id, Edge& edge) {
    const Hop& hop = scene.hops[id];
    edge.calls.add(scene.hops, id);
    if (hop.tool) edge.tools.insert(scene.question.graph.trace()[hop.tool]);
    for (SpanId observation : scene.hops.observations_of(hop)) {
      const Span& span = scene.question.graph.trace()[observation];
      see(span.start, span.duration, edge);
    }
    if (hop.observations == 0) see(hop.start, hop.duration, edge);
  }

  static void see(Time start, Duration duration, Edge& edge) {
    ++edge.count;
    edge.total = sum_of_known(edge.total, duration);
    edge.first = earliest_known(edge.first, start);
    edge.last = std::max(edge.last, start);
  }
};

// The Trust DAG (link/hops/hops.h). Programs read its fields by name: none is ever renamed.

struct ActorRow {
  const HopScene& scene;
  ActorId id;
};
constexpr Field<ActorRow> kNodes[] = {
    {{"id", "user:, agent: or resource: followed by the name", Role::id, true},
     [](const ActorRow& row) -> Cell { return row.scene.actor(row.id); }},
    {{"type", "principal, agent or resource", Role::type, true},
     [](const ActorRow& row) -> Cell { return Door::own(word(row.scene.hops[row.id].type)); }},
    {{"label", "", Role::name, true},
     [](const ActorRow& row) -> Cell {
       return row.scene.names.text(row.scene.hops[row.id].label());
     }},
};

struct ActorEdgeRow {
  const HopScene& scene;
  const Edge& edge;
  Cell span_ids, tools;
};
constexpr Field<ActorEdgeRow> kEdges[] = {
    {{"source", "the caller", Role::source, true},
     [](const ActorEdgeRow& row) -> Cell { return row.scene.actor(row.edge.from); }},
    {{"target", "the actor called", Role::target, true},
     [](const ActorEdgeRow& row) -> Cell { return row.scene.actor(row.edge.to); }},
    {{"hop_kind", "", Role::type, true},
     [](const ActorEdgeRow& row) -> Cell { return row.scene.kind(row.edge.kind); }},
    {{"count", "number of observations; a call observed on both sides counts twice", Role::count,
      true},
     [](const ActorEdgeRow& row) -> Cell { return row.edge.count; }},
    {{"logical_count", "number of calls; each counts once, no matter how often it was observed",
      CellKind::integer, true},
     [](const ActorEdgeRow& row) -> Cell {
       return static_cast<int64_t>(row.edge.calls.hops.size());
     }},
    {{"span_ids", "span ids of the calls", CellKind::texts, true}, member<&ActorEdgeRow::span_ids>},
    {{"first_ts", "start of the earliest observation, in microseconds since 1970",
      CellKind::integer},
     [](const ActorEdgeRow& row) { return microseconds(row.edge.first); }},
    {{"last_ts", "start of the latest observation, in microseconds since 1970", CellKind::integer},
     [](const ActorEdgeRow& row) { return microseconds(row.edge.last); }},
    {{"total_duration_us", "total duration of all observations, in microseconds",
      CellKind::integer},
     [](const ActorEdgeRow& row) { return microseconds(row.edge.total); }},
    {{"errors", "failed calls", Role::errors},
     [](const ActorEdgeRow& row) { return some(row.edge.calls.errors); }},
    {{"via_tool", "tools that the agent used to reach the target", CellKind::texts},
     member<&ActorEdgeRow::tools>},
};

struct ActorSummary {
  const HopScene& scene;
  const Actors& actors;

  Cell count(Actor::Type type) const {
    return static_cast<int64_t>(
        std::ranges::count(actors.nodes, type, [this](ActorId id) { return scene.hops[id].type; }));
  }
};
constexpr Field<ActorSummary> kSummary[] = {
    {{"total_nodes", "", CellKind::integer, true},
     [](const ActorSummary& row) { return Cell(static_cast<int64_t>(row.actors.nodes.size())); }},
    {{"total_edges", "", CellKind::integer, true},
     [](const ActorSummary& row) { return Cell(static_cast<int64_t>(row.actors.edges.size())); }},
    {{"principals", "", CellKind::integer, true},
     [](const ActorSummary& row) { return row.count(Actor::Type::principal); }},
    {{"agents", "", CellKind::integer, true},
     [](const ActorSummary& row) { return row.count(Actor::Type::agent); }},
    {{"resources", "", CellKind::integer, true},
     [](const ActorSummary& row) { return row.count(Actor::Type::resource); }},
};

void add_tables(const HopScene& scene, const Run& run, const Actors& actors, Document& document) {
  document.add(run_record(scene, run, document.arena()));
  Table nodes = table_of<kNodes>("nodes");
  for (ActorId id : actors.nodes) add_fields(kNodes, {scene, id}, nodes);
  Table edges = table_of<kEdges>("edges");
  for (const Edge& edge : actors.edges) {
    // Before other names pass, as replacements are numbered in the order in which they pass.
    Texts ids;
    Texts tools;
    for (std::string_view tool : edge.tools) tools.push_back(scene.names.text(tool));
    for (HopId id : edge.calls.hops) ids.push_back(scene.name(id));
    add_fields(kEdges,
               {.scene = scene,
                .edge = edge,
                .span_ids = document.arena().keep(std::move(ids)),
                .tools = some(std::move(tools), document.arena())},
               edges);
  }
  document.add(std::move(nodes));
  document.add(std::move(edges));
  document.add(record_of<kSummary>("summary", {scene, actors}));
}

Drawing draw(const HopScene& scene, const Run& run, const Actors& actors) {
  Drawing drawing;
  drawing.title = run_title(scene, run);
  ActorNodes nodes(scene, run, drawing);
  for (ActorId id : actors.nodes) nodes.of(id);
  for (const Edge& edge : actors.edges) {
    Drawing::Edge drawn;
    drawn.from = nodes.of(edge.from);
    drawn.to = nodes.of(edge.to);
    drawn.label = scene.kind(edge.kind);
    drawn.times = static_cast<int64_t>(edge.calls.hops.size());
    drawn.error = edge.calls.errors > 0;
    drawn.relation = "CALLS";
    drawing.edges.push_back(std::move(drawn));
  }
  nodes.label();
  return drawing;
}

/// As they stand in the table.
std::map<ActorId, std::string> names_in_table(const HopScene& scene, const Actors& actors) {
  std::vector<std::string_view> names;
  for (ActorId id : actors.nodes) names.push_back(scene.actor(id).view());
  std::vector<std::string> shorts = scene.question.shortens
                                        ? short_names(names)
                                        : std::vector<std::string>(names.begin(), names.end());
  std::map<ActorId, std::string> by_actor;
  for (size_t i = 0; i < shorts.size(); ++i) by_actor[actors.nodes[i]] = std::move(shorts[i]);
  return by_actor;
}

Outline outline(const HopScene& scene, const Run& run, const Actors& actors) {
  Door& door = scene.question.door;
  Outline outline;
  outline.head.push_back(door.composed(run_heading(scene, run)));
  outline.columns = {{"actor", false, true},   {"calls", true},
                     {"took", Role::duration}, {"first", true, false, 1},
                     {"failed", Role::errors}, {"kind", false, false, 2}};
  std::map<ActorId, std::string> names = names_in_table(scene, actors);
  auto add_calls = [&](Text who, const std::vector<Edge>& edges, ActorId from) {
    bool is_first = true;
    for (const Edge& edge : edges) {
      if (edge.from != from) continue;
      if (std::exchange(is_first, false)) outline.lines.push_back({0, Tone::agent, {who}});
      const HopGroup& calls = edge.calls;
      Tone tone = calls.errors > 0 ? Tone::error : Tone::plain;
      outline.lines.push_back(
          {1,
           tone,
           {door.composed("→ " + names[edge.to]), static_cast<int64_t>(calls.hops.size()),
            known(calls.total), known(Moment{edge.first, 6}), some(calls.errors),
            scene.kind(edge.kind)}});
    }
  };
  add_calls(Text(kNotOnRecord), actors.begun, {});
  for (ActorId id : actors.nodes) add_calls(scene.actor(id), actors.edges, id);
  return outline;
}

/// What the answer says but for ids and times. What failed, or is not sure, is to be seen.
std::string said(const HopScene& scene, const Run& run, const Actors& actors) {
  for (HopId id : run.hops)
    if (scene.selection.shows(id) &&
        (scene.hops[id].outcome == Outcome::error || !is_sure(scene.hops[id].confidence)))
      return {};
  std::string text;
  for (ActorId actor : actors.nodes) text += fmt::format("{} ", actor.index);
  for (const Edge& edge : actors.edges)
    text += fmt::format("\n{} {} {} x{}", edge.from.index, edge.to.index, edge.kind.index,
                        edge.calls.hops.size());
  return text;
}

}  // namespace

Result<Document> graph_of_actors(const Question& question, const Filter& filter, bool unfold) {
  Result<std::shared_ptr<HopScene>> scene =
      scene_of(question.graph.joined_hops(), question, filter, HopLinks::chains);
  if (!scene) return tl::unexpected(scene.error());
  return answer_by_run(
      "dag", "xtrace.dag/1", *scene, unfold,
      [](const HopScene& about, const Run& run, Document& document) {
        Actors actors(about, run);
        add_face(
            about.question.face, document, [&] { add_tables(about, run, actors, document); },
            [&] { return draw(about, run, actors); }, [&] { return outline(about, run, actors); });
        return said(about, run, actors);
      });
}

Shape shape_of_actors() {
  static const std::vector<Section> kShape =
      shape_of_answer({Record{{{}, run_columns()}}, table_of<kNodes>("nodes"),
                       table_of<kEdges>("edges"), Record{table_of<kSummary>("summary")}},
                      Meanings::always);
  return kShape;
}

}  // namespace xtrace
