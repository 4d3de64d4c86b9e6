#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/nearest.h"
#include "base/text.h"
#include "view/actor_nodes.h"
#include "view/hop_target.h"
#include "view/paths.h"
#include "view/preface.h"
#include "view/run_answers.h"
#include "view/words.h"

namespace xtrace {

namespace {

// Design 004's provenance, field for field, and how sure it is.

constexpr Column kHead[] = {
    {"question", "", CellKind::text, true},
    {"target", "", CellKind::text, true},
    {"target_type", "principal, agent, resource, hop or span", CellKind::text, true},
};
constexpr Column kAccessors[] = {
    {"direct_accessors", "who called the target", CellKind::texts, true},
};

constexpr Column kDelegated[] = {
    {"actor", "who delegated", CellKind::text, true},
    {"hop_kind", "", CellKind::text, true},
    {"first_ts", "start of the call, in microseconds since 1970", CellKind::integer},
};

constexpr Column kOthers[] = {
    {"span_id", "of the access", CellKind::text, true},
    {"source", "another hop it could have come from", CellKind::text, true},
    {"confidence", "", CellKind::number, true},
};

constexpr Column kGroups[] = {
    {"accessor", "who called the target directly", CellKind::text},
    {"hop_kind", "", CellKind::text, true},
    {"span_count", "accesses through this very chain; each access is in one group",
     CellKind::integer, true},
    {"span_ids", "of these accesses", CellKind::texts, true},
    {"first_ts", "in microseconds since 1970", CellKind::integer},
    {"last_ts", "in microseconds since 1970", CellKind::integer},
    {"total_duration_us", "sum over these accesses", CellKind::integer, true},
    {"full_path", "the chain from the principal to the target", CellKind::texts, true},
    {"delegated_by", "closest first: the immediate caller first, the principal last",
     CellKind::rows, true, kDelegated},
    {"confidence", "that all links of the chain are right, of the least sure access; 1: recorded",
     CellKind::number, true},
    {"alternatives", "other hops that could have led to these accesses", CellKind::rows, false,
     kOthers},
    {"at", "where the accesses stand", CellKind::texts, true},
};

constexpr Column kParallel[] = {
    {"cause_indices", "places in cause_groups, from 0", CellKind::integers, true},
    {"accessors", "", CellKind::texts, true},
    {"paths", "the distinct chains", CellKind::text_lists, true},
};

/// The accesses that came through one chain.
struct Cause {
  PathId path;
  std::vector<HopId> hops;
  Time first = Time::max(), last = kNoTime;
  Duration total{0};
  double confidence = 1;
};

std::vector<Cause> causes_of(const HopScene& scene, const Paths& paths, const Run& run,
                             const HopTarget& target) {
  std::map<std::pair<PathId, ActorId>, Cause> by_path;
  for (HopId id : run.hops) {
    const Hop& hop = scene.hops[id];
    if (!scene.selection.shows(id) || !target.is(scene.hops, id)) continue;
    Cause& cause = by_path[{paths.of(id), hop.from}];
    cause.path = paths.of(id);
    cause.hops.push_back(id);
    if (hop.start != kNoTime) {
      cause.first = std::min(cause.first, hop.start);
      cause.last = std::max(cause.last, hop.start);
    }
    if (hop.duration != kNoDuration) cause.total = plus(cause.total, hop.duration);
    cause.confidence = std::min(cause.confidence, paths.confidence(id));
  }
  std::vector<Cause> causes;
  for (auto& [key, cause] : by_path) causes.push_back(std::move(cause));
  std::sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
    return std::tuple(a.first, a.hops.front()) < std::tuple(b.first, b.hops.front());
  });
  return causes;
}

/// Causes that begin within the window after the first of them: indices, from 0.
std::vector<std::vector<size_t>> parallel(const std::vector<Cause>& causes, Duration window) {
  std::vector<std::vector<size_t>> groups;
  for (size_t i = 0; i < causes.size();) {
    size_t end = i + 1;
    if (causes[i].last != kNoTime)
      while (end < causes.size() && causes[end].last != kNoTime &&
             elapsed(causes[i].first, causes[end].first) < window)
        ++end;
    if (end - i >= 2) {
      groups.emplace_back();
      for (size_t at = i; at < end; ++at) groups.back().push_back(at);
    }
    i = end;
  }
  return groups;
}

/// Those who delegated, closest first: the calls that led to the first access.
struct Delegation {
  ActorId actor;
  StringId kind;
  Time first = kNoTime;
};
std::vector<Delegation> delegations(const HopScene& scene, const Paths& paths, const Cause& cause) {
  std::vector<Delegation> found;
  // Chains of one path have the same actors; the earliest call of each is told.
  for (HopId access : cause.hops) {
    size_t at = 0;
    for (HopId id = paths.caller_of(access); id; id = paths.caller_of(id), ++at) {
      const Hop& hop = scene.hops[id];
      if (!hop.from) break;
      if (at == found.size()) found.push_back({hop.from, hop.kind, hop.start});
      if (hop.start != kNoTime) found[at].first = std::min(found[at].first, hop.start);
    }
  }
  return found;
}

class Answer {
 public:
  Answer(const HopScene& scene, const Paths& paths, const HopTarget& target, const Run& run,
         std::vector<Cause> causes, Duration window, Shelf& shelf)
      : scene_(scene),
        paths_(paths),
        target_(target),
        run_(run),
        causes_(std::move(causes)),
        parallel_(parallel(causes_, window)),
        shelf_(shelf) {}

  void add_tables(Document& document) const {
    document.add(Record{
        {{}, kHead, {question(), target_.name(scene_), Door::own(target_.type(scene_.hops))}}});
    document.add(run_record(scene_, run_));
    std::set<std::string_view> accessors;
    for (const Cause& cause : causes_)
      if (ActorId from = scene_.hops[cause.hops.front()].from)
        accessors.insert(scene_.hops[from].id);
    Texts names;
    for (std::string_view id : accessors) names.push_back(scene_.names.text(id));
    document.add(Record{{{}, kAccessors, {shelf_.keep(std::move(names))}}});
    document.add(groups());
    document.add(parallel_groups());
  }

  Outline text() const {
    Door& door = scene_.question.door;
    Outline outline;
    outline.head.push_back(
        door.composed(fmt::format("{}  ({})", question().view(), run_heading(scene_, run_))));
    size_t number = 0;
    for (const Cause& cause : causes_) {
      outline.head.push_back({});
      std::string label = fmt::format("Cause {}: ", ++number);
      std::string indent(label.size(), ' ');
      const Hop& first = scene_.hops[cause.hops.front()];
      outline.head.push_back(door.composed(label + joined(path_of(cause), " -> ")));
      std::string facts = fmt::format("{}accessor={}, spans={}, duration={}us", indent,
                                      first.from ? scene_.actor(first.from).view() : "unknown",
                                      cause.hops.size(), cause.total.count() / 1000);
      if (cause.confidence < 0.9995) facts += fmt::format(", sure={:.2f}", cause.confidence);
      outline.head.push_back(door.composed(std::move(facts)));
      std::vector<Delegation> by = delegations(scene_, paths_, cause);
      Texts chain;
      for (const Delegation& one : by) chain.push_back(scene_.actor(one.actor));
      if (!chain.empty())
        outline.head.push_back(
            door.composed(fmt::format("{}delegated_by: {}", indent, joined(chain, " <- "))));
      outline.head.push_back(door.composed(fmt::format(
          "{}at {}{}", indent, scene_.at(first).view(),
          cause.hops.size() > 1 ? fmt::format(" and {} more", cause.hops.size() - 1) : "")));
    }
    for (const std::vector<size_t>& group : parallel_) {
      std::string numbers;
      for (size_t i : group) numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", i + 1);
      outline.head.push_back({});
      outline.head.push_back(door.composed(fmt::format("Parallel: causes {}", numbers)));
    }
    return outline;
  }

  Drawing draw() const {
    Drawing drawing;
    drawing.title = run_title(scene_, run_);
    ActorNodes nodes(scene_, drawing);
    std::map<std::pair<uint32_t, uint32_t>, size_t> edges;
    size_t number = 0;
    for (const Cause& cause : causes_) {
      std::vector<ActorId> actors = paths_.actors(cause.path);
      ++number;
      for (size_t i = 0; i < actors.size(); ++i) {
        uint32_t to = nodes.of(actors[i]);
        if (i == 0) continue;
        uint32_t from = nodes.of(actors[i - 1]);
        auto [known, is_new] = edges.emplace(std::pair(from, to), drawing.edges.size());
        if (is_new) drawing.edges.push_back({from, to, {}, Drawing::Stroke::solid, false, 1});
        Drawing::Edge& edge = drawing.edges[known->second];
        edge.label = scene_.question.door.composed(
            edge.label.empty() ? fmt::format("{}", number)
                               : fmt::format("{}, {}", edge.label.view(), number));
        if (cause.confidence < 0.99) edge.stroke = Drawing::Stroke::dotted;
      }
    }
    return drawing;
  }

 private:
  Text question() const {
    return scene_.question.door.composed(fmt::format("Why {} {} {}?", target_.actor ? "was" : "did",
                                                     target_.name(scene_).view(),
                                                     target_.actor ? "accessed" : "happen"));
  }

  Texts path_of(const Cause& cause) const {
    Texts names = names_of(scene_, paths_.actors(cause.path));
    if (!target_.actor && !scene_.hops[cause.hops.front()].is_call())
      names.push_back(target_.name(scene_));
    return names;
  }

  Table groups() const {
    Table table{"cause_groups", kGroups};
    for (const Cause& cause : causes_) {
      const Hop& first = scene_.hops[cause.hops.front()];
      Texts ids, places;
      Table delegated{{}, kDelegated}, others{{}, kOthers};
      for (HopId id : cause.hops) {
        ids.push_back(scene_.name(id));
        places.push_back(scene_.at(scene_.hops[id]));
        for (const OtherCause& other : scene_.hops.alternatives_of(scene_.hops[id]))
          others.cells.insert(others.cells.end(), {scene_.name(id), scene_.name(other.cause),
                                                   thousandths(other.confidence)});
      }
      for (const Delegation& by : delegations(scene_, paths_, cause))
        delegated.cells.insert(delegated.cells.end(), {scene_.actor(by.actor), scene_.kind(by.kind),
                                                       microseconds(by.first)});
      bool timed = cause.last != kNoTime;
      Cell alternatives = others.cells.empty() ? Cell() : Cell(shelf_.keep(std::move(others)));
      table.cells.insert(table.cells.end(),
                         {known(scene_.actor(first.from)), scene_.kind(first.kind),
                          static_cast<int64_t>(cause.hops.size()), shelf_.keep(std::move(ids)),
                          timed ? microseconds(cause.first) : Cell(), microseconds(cause.last),
                          microseconds(cause.total), shelf_.keep(path_of(cause)),
                          shelf_.keep(std::move(delegated)), thousandths(cause.confidence),
                          alternatives, shelf_.keep(std::move(places))});
    }
    return table;
  }

  Table parallel_groups() const {
    Table table{"parallel_groups", kParallel};
    for (const std::vector<size_t>& group : parallel_) {
      Integers indices;
      Texts accessors;
      TextLists chains;
      for (size_t i : group) {
        indices.push_back(static_cast<int64_t>(i));
        accessors.push_back(scene_.actor(scene_.hops[causes_[i].hops.front()].from));
        chains.push_back(path_of(causes_[i]));
      }
      table.cells.insert(table.cells.end(),
                         {shelf_.keep(std::move(indices)), shelf_.keep(std::move(accessors)),
                          shelf_.keep(std::move(chains))});
    }
    return table;
  }

  const HopScene& scene_;
  const Paths& paths_;
  const HopTarget& target_;
  const Run& run_;
  std::vector<Cause> causes_;
  std::vector<std::vector<size_t>> parallel_;
  Shelf& shelf_;
};

/// Why did this happen?
class Explain final : public View {
 public:
  void declare(Options& options) override {
    options.add(
        "--node", node_, "NAME",
        "what to explain: an actor (resource:db), a span id, file:line or file@offset, or a "
        "unique part of a name");
    options.add("--parallel-window", window_, "T",
                "causes that begin this close together ran at the same time (100ms)");
    filter_.declare_hops(options);
  }

  Result<Document> answer(const Question& question) const override {
    if (node_.empty())
      return fail(Exit::usage, "explain what? --node takes an actor, a span id or file:line");
    std::optional<Duration> window = parse_span(window_);
    if (!window)
      return fail(Exit::usage, fmt::format("--parallel-window: '{}' is no length of time; write "
                                           "100ms or 2s",
                                           printable(window_)));
    Result<std::shared_ptr<HopScene>> scene = hop_scene(question, filter_);
    if (!scene) return tl::unexpected(scene.error());
    const Hops& hops = (*scene)->hops;
    std::vector<bool>& shown = (*scene)->selection.hops;
    Result<HopTarget> target = find_target(question.graph, hops, node_);
    if (!target) return tl::unexpected(target.error());
    // Runs in which the target does not occur have nothing to explain.
    for (size_t i = 0; i < hops.all.size(); ++i)
      if (!target->is(hops, HopId(i))) shown[i] = false;
    if (std::find(shown.begin(), shown.end(), true) == shown.end())
      return fail(Exit::no, fmt::format("nobody called '{}': it is where things begin, or a filter "
                                        "hides the calls",
                                        printable(node_)));
    std::shared_ptr<const Paths> paths = std::make_shared<Paths>(hops);
    return answer_by_run("explain", "xtrace.explain/1", *scene,
                         [paths, wanted = *target, width = *window](
                             const HopScene& about, const Run& run, Document& document) {
                           Answer answer(about, *paths, wanted, run,
                                         causes_of(about, *paths, run, wanted), width,
                                         document.shelf());
                           switch (about.question.face) {
                             case Face::tables: answer.add_tables(document); break;
                             case Face::drawing: document.add(answer.draw()); break;
                             case Face::outline: document.add(answer.text()); break;
                           }
                         });
  }

 private:
  std::string node_, window_ = "100ms";
  Filter filter_;
};

}  // namespace

std::unique_ptr<View> make_explain() {
  return std::make_unique<Explain>();
}

std::vector<Shape> shapes_of_explain() {
  static const Section kShape[] = {
      Record{{{}, preface_columns()}},      Table{"inputs", input_columns()},
      Table{"warnings", warning_columns()}, Record{{{}, kHead}},
      Record{{{}, run_columns()}},          Record{{{}, kAccessors}},
      Table{"cause_groups", kGroups},       Table{"parallel_groups", kParallel},
  };
  return {kShape, shape_of_runs()};
}

}  // namespace xtrace
