#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <unordered_map>

#include "view/common/add_face.h"
#include "view/common/preface.h"
#include "view/common/words.h"
#include "view/hops/actor_nodes.h"
#include "view/hops/paths.h"
#include "view/hops/run_answers.h"

namespace xtrace {

namespace {

/// The calls from one actor to another through one chain.
struct TrustEvent : HopGroup {
  PathId path;
  Paths::Others others;  ///< of all of its hops
};

/// Hops in order of time, but none before its cause: clocks may say otherwise.
std::vector<HopId> causal_order(const HopScene& scene, const Run& run) {
  std::unordered_map<uint32_t, std::vector<HopId>> waiting;
  using Entry = std::pair<Time, HopId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  auto push = [&](HopId id) { ready.emplace(scene.hops[id].start, id); };
  for (HopId id : run.hops) {
    HopId cause = scene.hops[id].cause;
    if (cause && scene.hops[cause].run == scene.hops[id].run)
      waiting[cause.index].push_back(id);
    else
      push(id);
  }
  std::vector<HopId> order;
  while (!ready.empty()) {
    HopId id = ready.top().second;
    ready.pop();
    order.push_back(id);
    if (auto effects = waiting.find(id.index); effects != waiting.end())
      for (HopId effect : effects->second) push(effect);
  }
  return order;
}

std::vector<TrustEvent> events_of(const HopScene& scene, const Paths& paths, const Run& run) {
  std::vector<TrustEvent> events;
  std::unordered_map<uint32_t, size_t> places;
  for (HopId id : causal_order(scene, run)) {
    if (!scene.selection.shows(id) || !scene.hops[id].is_call()) continue;
    PathId path = paths.of(id);
    auto [place, is_new] = places.emplace(path.index, events.size());
    if (is_new) events.emplace_back().path = path;
    TrustEvent& event = events[place->second];
    const Paths::Others& more = paths.others_of(id);
    event.others.ways = std::max(event.others.ways, more.ways);
    event.others.paths.insert(event.others.paths.end(), more.paths.begin(), more.paths.end());
    event.add(scene.hops, id);
    event.certainty.weaken(paths.certainty(id));
  }
  for (TrustEvent& event : events) {
    std::vector<PathId>& others = event.others.paths;
    std::ranges::sort(others);
    others.erase(std::unique(others.begin(), others.end()), others.end());
  }
  return events;
}

/// In order of how they are shown: a part of the log has other words where some of it is hidden.
Texts actors_of(const HopScene& scene, const std::vector<TrustEvent>& events, Actor::Type type) {
  std::set<std::string_view> seen;
  Texts texts;
  for (const TrustEvent& event : events)
    for (ActorId actor : {scene.hops[event.hops.front()].from, scene.hops[event.hops.front()].to})
      if (actor && scene.hops[actor].type == type && seen.insert(scene.hops[actor].id).second)
        texts.push_back(scene.names.text(scene.hops[actor].id));
  std::ranges::sort(texts, {}, &Text::view);
  return texts;
}

/// The actors of a chain, and how many of them are left out; none if `is_whole`.
std::pair<std::vector<ActorId>, size_t> chain_of(const Paths& paths, PathId path, bool is_whole) {
  if (is_whole) return {paths.actors(path), 0};
  PathTable::Ends ends = paths.ends(path);
  ends.first.insert(ends.first.end(), ends.last.begin(), ends.last.end());
  return {std::move(ends.first), ends.omitted};
}

struct TrustHead {
  const HopScene& scene;
  const std::vector<TrustEvent>& events;
  CellArena& arena;
};
constexpr Field<TrustHead> kHead[] = {
    {{"type", "topologically_ordered_event_list: causes precede their effects", CellKind::text,
      true},
     [](const TrustHead&) -> Cell { return Text("topologically_ordered_event_list"); }},
    {{"description", "description of the list", CellKind::text, true},
     [](const TrustHead&) -> Cell {
       return Text(
           "All causal hops in temporal order. Duplicate edges from different delegation paths "
           "appear separately.");
     }},
    {{"total_events",
      "number of events; one event contains all hops from the same source to the same target "
      "through the same chain",
      CellKind::integer, true},
     [](const TrustHead& row) -> Cell { return static_cast<int64_t>(row.events.size()); }},
    {{"agents_involved", "", CellKind::texts, true},
     [](const TrustHead& row) -> Cell {
       return row.arena.keep(actors_of(row.scene, row.events, Actor::Type::agent));
     }},
    {{"resources_accessed", "", CellKind::texts, true},
     [](const TrustHead& row) -> Cell {
       return row.arena.keep(actors_of(row.scene, row.events, Actor::Type::resource));
     }},
};

struct TrustRow {
  const HopScene& scene;
  const Paths& paths;
  const TrustEvent& event;
  int64_t step;
  bool is_whole;  ///< the middle of a long chain too, and all further chains
  std::pair<std::vector<ActorId>, size_t> chain;  ///< chain_of()
  Cell span_ids;
  CellArena& arena;

  const Hop& first() const { return scene.hops[event.hops.front()]; }
  std::span<const PathId> listed() const {
    constexpr size_t kMost = 100;
    const std::span<const PathId> all = event.others.paths;
    return is_whole ? all : all.first(std::min(all.size(), kMost));
  }
};
constexpr Field<TrustRow> kEvents[] = {
    {{"step", "position in causal order, from 1", CellKind::integer, true},
     member<&TrustRow::step>},
    {{"hop_kind", "", CellKind::text, true},
     [](const TrustRow& row) -> Cell { return row.scene.kind(row.first().kind); }},
    // Who reads a chain asks each hop for its source.
    {{"source", "the caller; null: not recorded", CellKind::text_or_null, true},
     [](const TrustRow& row) {
       const Text source = row.scene.actor(row.first().from);
       return source.empty() ? Cell(nullptr) : Cell(source);
     }},
    {{"target", "the actor called", CellKind::text, true},
     [](const TrustRow& row) -> Cell { return row.scene.actor(row.first().to); }},
    {{"span_duration_us", "duration of its first call only", CellKind::integer},
     [](const TrustRow& row) { return microseconds(row.first().duration); }},
    {{"causal_path", "delegation chain from the principal to the target", CellKind::texts, true},
     [](const TrustRow& row) -> Cell {
       return row.arena.keep(names_of(row.scene, row.chain.first));
     }},
    {{"span_id", "span id of the first of its calls", CellKind::text, true},
     [](const TrustRow& row) -> Cell { return row.scene.name(row.event.hops.front()); }},
    {{"start_ts", "start of the first of its calls, in microseconds since 1970", CellKind::integer},
     [](const TrustRow& row) { return microseconds(row.first().start); }},
    {kChainConfidence,
     [](const TrustRow& row) -> Cell { return thousandths(row.event.certainty.confidence); }},
    {kChainMethod, [](const TrustRow& row) { return method(row.event.certainty); }},
    {kChainIncomplete,
     [](const TrustRow& row) { return if_true(row.event.certainty.is_incomplete); }},
    {kChainTold, [](const TrustRow& row) { return if_true(row.event.certainty.is_told); }},
    {kChainAlternatives,
     [](const TrustRow& row) { return other_causes(row.scene, row.event.hops, row.arena); }},
    {{"errors", "failed calls", Role::errors},
     [](const TrustRow& row) { return some(row.event.errors); }},
    {{"at", "location of the first span", CellKind::text, true},
     [](const TrustRow& row) -> Cell { return row.scene.at(row.first()); }},
    {{"occurrences",
      "number of calls from the same source to the same target through the same chain",
      CellKind::integer, true},
     [](const TrustRow& row) -> Cell { return static_cast<int64_t>(row.event.hops.size()); }},
    {{"span_ids", "span ids of all these calls", CellKind::texts, true},
     member<&TrustRow::span_ids>},
    {{"last_ts", "start of the last of these calls, in microseconds since 1970", CellKind::integer},
     [](const TrustRow& row) { return microseconds(row.event.last); }},
    {kRetries, [](const TrustRow& row) { return some(row.scene.retries_among(row.event.hops)); }},
    {{"path_omitted",
      "number of actors omitted from the middle of causal_path; --all-paths lists them",
      CellKind::integer},
     [](const TrustRow& row) { return some(static_cast<int64_t>(row.chain.second)); }},
    {{"other_paths", "further chains that lead to it, because its spans record several causes",
      CellKind::text_lists},
     [](const TrustRow& row) {
       TextLists others;
       for (PathId other : row.listed())
         others.push_back(names_of(row.scene, chain_of(row.paths, other, row.is_whole).first));
       return others.empty() ? Cell() : Cell(row.arena.keep(std::move(others)));
     }},
    {{"other_paths_omitted", "number of chains omitted after the first 100; --all-paths lists them",
      CellKind::integer},
     [](const TrustRow& row) {
       return some(static_cast<int64_t>(row.event.others.paths.size() - row.listed().size()));
     }},
    {{"ways", "number of chains of recorded causes that lead to it", CellKind::integer},
     [](const TrustRow& row) {
       const uint64_t ways = row.event.others.ways;
       return ways > 1 ? Cell(static_cast<int64_t>(std::min<uint64_t>(ways, INT64_MAX))) : Cell();
     }},
};

void add_tables(const HopScene& scene, const Paths& paths, const Run& run,
                const std::vector<TrustEvent>& events, bool is_whole, Document& document) {
  CellArena& arena = document.arena();
  document.add(run_record(scene, run, arena));
  document.add(record_of<kHead>({}, {scene, events, arena}));
  Table table = table_of<kEvents>("trust_chain");
  int64_t step = 0;
  for (const TrustEvent& event : events) {
    Door::At at(scene.question.door, scene.names.place(scene.hops[event.hops.front()].at));
    // Before other names pass, as replacements are numbered in the order in which they pass.
    Texts ids;
    for (HopId id : event.hops) ids.push_back(scene.name(id));
    add_fields(kEvents,
               {.scene = scene,
                .paths = paths,
                .event = event,
                .step = ++step,
                .is_whole = is_whole,
                .chain = chain_of(paths, event.path, is_whole),
                .span_ids = arena.keep(std::move(ids)),
                .arena = arena},
               table);
  }
  document.add(std::move(table));
}

/// Of a chain that is longer than anybody reads, both ends: agents may be nested thousands deep,
/// and each of them has a chain.
std::string chain_words(const HopScene& scene, const PathTable::Ends& chain) {
  constexpr size_t kEnd = 8;
  const std::span<const ActorId> first = chain.first;
  const std::span<const ActorId> last = chain.omitted > 0 ? chain.last : chain.first;
  const size_t all = chain.first.size() + chain.omitted + chain.last.size();
  if (all <= 2 * kEnd + 1) return joined(names_of(scene, first), " -> ");
  return fmt::format("{} -> … {} more … -> {}", joined(names_of(scene, first.first(kEnd)), " -> "),
                     all - 2 * kEnd, joined(names_of(scene, last.last(kEnd)), " -> "));
}

/// `  (also via: user:ada -> agent:b -> agent:c; 4 more)`
std::string other_ways(const HopScene& scene, const Paths& paths, const Paths::Others& others) {
  constexpr size_t kNamed = 3;
  if (others.paths.empty()) return {};
  std::string text = "  (also via: ";
  const size_t named = std::min(others.paths.size(), kNamed);
  for (size_t i = 0; i < named; ++i)
    text += (i == 0 ? "" : "; ") + chain_words(scene, paths.ends(others.paths[i]));
  if (others.paths.size() > named) text += fmt::format("; {} more", others.paths.size() - named);
  return text + ")";
}

/// In logs of agents nobody is named who asked: a user mostly, but who knows.
Text who_called(const HopScene& scene, const Hop& hop) {
  return hop.from || hop.span ? scene.caller(hop.from) : Text("(caller not recorded)");
}

Outline list(const HopScene& scene, const Paths& paths, const Run& run,
             const std::vector<TrustEvent>& events) {
  Door& door = scene.question.door;
  Outline outline;
  outline.head.push_back(door.say("{}: {}", run_heading(scene, run),
                                  plural(static_cast<int64_t>(events.size()), "event")));
  // The same pair through another chain is told by the chain.
  std::map<std::pair<ActorId, ActorId>, size_t> pairs;
  size_t widest = 0;
  for (const TrustEvent& event : events) {
    const Hop& hop = scene.hops[event.hops.front()];
    ++pairs[{hop.from, hop.to}];
    widest = std::max(widest, scene.hops.words[hop.kind].size());
  }
  size_t step = 0, digits = std::to_string(events.size()).size();
  for (const TrustEvent& event : events) {
    const Hop& hop = scene.hops[event.hops.front()];
    Door::At at(door, scene.names.place(hop.at));
    std::string_view kind = scene.kind(hop.kind).view();
    std::string text =
        fmt::format("{:>{}}. {:<{}} {} -> {}", ++step, digits, fmt::format("[{}]", kind),
                    widest + 2, who_called(scene, hop).view(), scene.actor(hop.to).view());
    if (event.hops.size() > 1) text += fmt::format("  (x{})", event.hops.size());
    if (event.errors > 0)
      text += event.hops.size() == 1 ? "  (failed)" : fmt::format("  ({} failed)", event.errors);
    if (int64_t retries = scene.retries_among(event.hops); retries > 0)
      text += event.hops.size() == 1 ? "  (retry)" : fmt::format("  ({} retried)", retries);
    if (pairs[{hop.from, hop.to}] > 1)
      text += fmt::format("  (via: {})", chain_words(scene, paths.ends(event.path)));
    text += other_ways(scene, paths, event.others);
    if (!is_sure(event.certainty.confidence))
      text += fmt::format("  (confidence: {:.2f})", event.certainty.confidence);
    if (event.certainty.is_incomplete && !hop.cause)
      text +=
          event.certainty.is_told
              ? fmt::format("  (on behalf of {}, according to its span; cause not in the input)",
                            scene.actor(paths.ends(event.path).first.front()).view())
              : "  (cause not in the input)";
    outline.list.push_back(door.composed(std::move(text)));
  }
  return outline;
}

/// What the answer says but for ids and times. What failed, or is not sure, is to be seen.
std::string said(const HopScene& scene, const std::vector<TrustEvent>& events) {
  std::string text;
  for (const TrustEvent& event : events) {
    if (event.errors > 0 || !is_sure(event.certainty.confidence)) return {};
    // One for all runs, and equal only if the chains are.
    text += fmt::format("{} {} {}\n", event.path.index, scene.hops[event.hops.front()].kind.index,
                        event.hops.size());
  }
  return text;
}

Drawing draw(const HopScene& scene, const Run& run, const std::vector<TrustEvent>& events) {
  Drawing drawing;
  drawing.title = run_title(scene, run);
  ActorNodes nodes(scene, run, drawing);
  int64_t step = 0;
  for (const TrustEvent& event : events) {
    const Hop& hop = scene.hops[event.hops.front()];
    Drawing::Edge edge;
    edge.from = nodes.of(hop.from);
    edge.to = nodes.of(hop.to);
    edge.label = scene.question.door.say("{}", ++step);
    edge.detail = scene.kind(hop.kind);
    edge.times = static_cast<int64_t>(event.hops.size());
    edge.error = event.errors > 0;
    if (!is_sure(event.certainty.confidence)) {
      edge.stroke = Drawing::Stroke::dotted;
      edge.detail = scene.question.door.say("{} (confidence {:.2f})", edge.detail.view(),
                                            event.certainty.confidence);
    }
    edge.relation = "CALLS";
    edge.properties.add("step", step);
    edge.properties.add("hop_kind", scene.kind(hop.kind));
    edge.properties.add("confidence", thousandths(event.certainty.confidence));
    drawing.edges.push_back(std::move(edge));
  }
  nodes.label();
  return drawing;
}

/// Which actors did each call pass?
class Trust final : public View {
 public:
  void declare(Options& options) override {
    options.add("--unfold", unfold_,
                "show every run instead of folding similar ones (text and pictures)");
    options.add("--all-paths", all_paths_,
                "list all actors of a chain and all chains to a target (default: 100 of each)");
    filter_.declare_hops(options);
  }

  const Filter* filter() const override { return &filter_; }
  Result<Document> answer(const Question& question) const override {
    Result<std::shared_ptr<HopScene>> scene =
        scene_of(question.graph.joined_hops(), question, filter_, HopLinks::chains);
    if (!scene) return tl::unexpected(scene.error());
    std::shared_ptr<const Paths> paths = std::make_shared<Paths>((*scene)->hops);
    return answer_by_run(
        "trust", "xtrace.trust/1", *scene, unfold_,
        [paths, is_whole = all_paths_](const HopScene& about, const Run& run, Document& document) {
          std::vector<TrustEvent> events = events_of(about, *paths, run);
          add_face(
              about.question.face, document,
              [&] { add_tables(about, *paths, run, events, is_whole, document); },
              [&] { return draw(about, run, events); },
              [&] { return list(about, *paths, run, events); });
          return said(about, events);
        });
  }

 private:
  bool unfold_ = false, all_paths_ = false;
  Filter filter_;
};

std::vector<Shape> shapes() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{{{}, run_columns()}}, Record{table_of<kHead>({})}, table_of<kEvents>("trust_chain")},
      Meanings::always);
  return {kShape, shape_of_runs()};
}

}  // namespace

extern constinit const ViewEntry kTrustView = {
    .name = "trust",
    .summary = "show who called whom, with the full delegation chain",
    .about =
        "Lists the hops in causal order. All hops from the same source to the same target through "
        "the same delegation chain form one event.",
    .examples = R"(  xtrace trust run.json                   the hops, numbered
  xtrace trust run.json -f json           as JSON
  xtrace trust run.json -f sequence       a Mermaid sequence diagram
)",
    .make = make_view<Trust>,
    .shapes = shapes,
    .draws = true,
    .has_page = true,
    .tells_order = true,
};

}  // namespace xtrace
