#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "view/common/add_face.h"
#include "view/common/field.h"
#include "view/common/filter.h"
#include "view/common/names.h"
#include "view/common/place.h"
#include "view/common/preface.h"
#include "view/common/selector.h"
#include "view/common/view.h"
#include "view/common/words.h"
#include "view/hops/hop_scene.h"
#include "view/hops/run_answers.h"
#include "view/hops/span_texts.h"
#include "view/why/cause_picture.h"
#include "view/why/cause_words.h"
#include "view/why/explain_call.h"
#include "view/why/explain_fields.h"
#include "view/why/explain_step.h"
#include "view/why/hop_target.h"
#include "view/why/listing.h"
#include "view/why/provenance.h"
#include "view/why/source_line.h"
#include "view/why/steps.h"

namespace xtrace {

namespace {

bool chooses_runs(const std::string& option) {
  return option.starts_with("--session ") || option.starts_with("--run ");
}

/// Filters choose hops by which an actor was reached; calls and turns are always explained in full.
/// Only filters by run or session apply to these: they decide which turn of that number is meant.
bool chooses_runs_alone(const Filter& filter) {
  const std::vector<std::pair<std::string, Filter>> each = filter.each();
  return !filter.chooses_edges() && filter.min_confidence == 0 &&
         std::ranges::all_of(each, [](const auto& one) { return chooses_runs(one.first); });
}

/// Of the calls those of runs that such filters choose.
std::vector<CallId> in_chosen_runs(const Filter& filter, const HopScene& scene,
                                   std::vector<CallId> calls) {
  if (!filter.any() || !chooses_runs_alone(filter)) return calls;
  std::erase_if(calls, [&](CallId id) {
    const Run& run = scene.hops.runs[scene.question.graph.session_of(id).number - 1];
    return std::ranges::none_of(run.hops, [&](HopId hop) { return scene.selection.shows(hop); });
  });
  return calls;
}

/// That the filter has no effect on what `node` names.
tl::unexpected<Error> takes_no_filter(const Filter& filter, const std::string& node) {
  std::string given = "a link filter";
  for (const auto& [option, alone] : filter.each())
    if (!chooses_runs(option)) {
      given = option;
      break;
    }
  return fail(Exit::usage,
              fmt::format("{} has no effect on '{}': filters select how an actor was reached, but "
                          "calls, turns and steps are always explained in full; remove the filter",
                          printable(given), printable(node)));
}

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

void add_tables(const Provenance& why, std::string_view asked, Document& document) {
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

Outline outline(const Provenance& why, std::string_view asked, bool unfold) {
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

/// Returns what the answers of similar runs have in common: everything but ids and times. Empty if
/// something failed or is uncertain, as such an answer is always shown.
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

/// Why did this happen?
class Explain final : public View {
 public:
  void declare(Options& options) override {
    options.add("--node", node_, "NAME",
                "actor, agent (Explore#3), turn (9), call, span, tool use, step, file:line or a "
                "unique part of a name");
    options.add("--source-line", source_line_, "FILE:LINE",
                "line of a source file: explain the edit that wrote it");
    options.add(
        "--blame", blame_, "FILE",
        "with --source-line: output of `git blame --porcelain` (`-`: standard input); edits "
        "after the line's commit are ignored");
    options.add("--parallel-window", window_, "T",
                "treat causes that start within T of each other as concurrent (100ms)");
    options.add("--unfold", unfold_,
                "show every run, and every call of a chain (text and pictures)");
    options.add("--all-paths", all_paths_,
                "list all chains of causes and effects (default: 100 of each)");
    filter_.declare_hops(options);
  }

  Status prepare(Preparation&) override {
    if (!source_line_.empty() && !node_.empty())
      return fail(Exit::usage, "--source-line and --node exclude each other; use one of them");
    if (source_line_.empty() && !blame_.empty())
      return fail(Exit::usage, "--blame requires --source-line FILE:LINE");
    if (source_line_.empty()) return {};
    Result<SourceLine> line = read_source_line(source_line_, blame_);
    if (!line) return tl::unexpected(line.error());
    line_ = *std::move(line);
    return {};
  }

  const Filter* filter() const override { return &filter_; }
  Result<Document> answer(const Question& question) const override {
    if (node_.empty() && !line_)
      return fail(Exit::usage,
                  "--node is required: a file, tool or agent, a call or span id, a turn ('turn 9') "
                  "or file:line");
    std::optional<Duration> window = parse_span(window_);
    if (!window)
      return fail(Exit::usage,
                  fmt::format("--parallel-window: '{}' is not a duration, such as 100ms or 2s",
                              printable(window_)));
    Listing listing;
    listing.unfold = unfold_;
    if (all_paths_) listing.most = SIZE_MAX;
    // Where `dag` shows a story, its steps come first.
    const Trace& trace = question.graph.trace();
    if (!line_ && reads_as_story(trace) && !filter_.any())
      if (Result<Document> step = explain_step(question, node_, listing)) return step;
    Result<std::shared_ptr<HopScene>> scene =
        scene_of(question.graph.joined_hops(), question, filter_, HopLinks::chains);
    if (!scene) return tl::unexpected(scene.error());
    if (line_) return explain_source_line(**scene, *line_, listing);
    const auto named = [&](unsigned meanings) {
      return find_calls(question.graph, node_, meanings, &(*scene)->names);
    };
    std::vector<CallId> calls = named(NameOf::calls);
    const auto explained = [&](CallId call, std::string_view asked) -> Result<Document> {
      if (!chooses_runs_alone(filter_)) return takes_no_filter(filter_, node_);
      return explain_call(**scene, call, asked, listing);
    };
    const Hops& hops = (*scene)->hops;
    HopSelection& selection = (*scene)->selection;
    if (calls.size() == 1) {
      // A call may be recorded at other places as well as its own.
      const std::optional<Place> place = Place::read(node_, trace);
      const bool is_elsewhere = place && trace[trace[calls.front()].id] != node_ &&
                                !place->is(trace, trace[calls.front()].source);
      return explained(calls.front(), is_elsewhere ? std::string_view(node_) : "");
    }
    // A turn's name, or a lone subagent's, may be part of other names as well.
    if (calls.empty() && find_meant(question.graph, node_, NameOf::targets).empty()) {
      std::vector<CallId> begin = in_chosen_runs(filter_, **scene, named(NameOf::turns));
      if (begin.empty()) begin = in_chosen_runs(filter_, **scene, named(NameOf::subagents));
      if (begin.size() == 1) return explained(begin.front(), node_);
    }
    Result<Meant> target = find_target(**scene, node_);
    if (!target) {
      if (calls.empty()) calls = in_chosen_runs(filter_, **scene, named(NameOf::other_calls));
      if (calls.size() == 1) return explained(calls.front(), node_);
      if (!calls.empty()) return which_call(**scene, node_, calls);
      Result<Document> step = explain_step(question, node_, listing);
      if (!step) step = explain_named_step(question, node_, listing);
      if (step) {
        if (filter_.any()) return takes_no_filter(filter_, node_);
        return step;
      }
      return tl::unexpected(target.error());
    }
    std::shared_ptr<const std::vector<bool>> shown =
        std::make_shared<std::vector<bool>>(selection.hops);
    // Runs in which the target does not occur have nothing to explain.
    selection.narrow(hops, [&](HopId id) { return target->is(hops, id); });
    if (std::find(selection.hops.begin(), selection.hops.end(), true) == selection.hops.end()) {
      if (selection.hidden.nodes > 0)
        return fail(Exit::no, fmt::format("filters hide all records of '{}': {}", printable(node_),
                                          plural(selection.hidden.nodes, "hop")));
      if (!target->actor)
        if (Result<Document> step = explain_step(question, node_, listing)) return step;
      return fail(Exit::no,
                  fmt::format("'{}' has no caller: it is a starting point", printable(node_)));
    }
    std::shared_ptr<const Paths> paths = std::make_shared<Paths>(hops);
    return answer_by_run("explain", "xtrace.explain/1", *scene, unfold_,
                         [paths, shown, wanted = *target, width = *window, listing, asked = node_](
                             const HopScene& about, const Run& run, Document& document) {
                           Provenance why(about, *paths, wanted, run, width, *shown, listing.most);
                           add_face(
                               about.question.face, document,
                               [&] { add_tables(why, asked, document); },
                               [&] { return picture_of_causes(why, *paths); },
                               [&] { return outline(why, asked, listing.unfold); });
                           return likeness_of(why);
                         });
  }

 private:
  std::string node_, source_line_, blame_, window_ = "100ms";
  std::optional<SourceLine> line_;
  bool unfold_ = false, all_paths_ = false;
  Filter filter_;
};

std::vector<Shape> shapes() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{table_of<kHead>({})}, Record{table_of<kSpanTexts>({})}, Record{{{}, run_columns()}},
       Record{table_of<kAccessors>({})}, table_of<kHopGroups>("cause_groups"),
       table_of<kParallel>("parallel_groups"), Record{table_of<kParallelOmitted>({})},
       table_of<kEffects>("effects"), Record{table_of<kOmitted>({})}, Record{table_of<kAnswer>({})},
       Record{table_of<kInstances>({})}, Record{table_of<kBeside>({})}, steps_table(),
       Record{table_of<kAgentRun>({})}, shape_of_source_line()},
      Meanings::always);
  return {kShape, shape_of_runs()};
}

}  // namespace

extern constinit const ViewEntry kExplainView = {
    .name = "explain",
    .summary = "show why something happened, and its effects",
    .about =
        "Shows every chain of causes that led to a node, with the evidence and "
        "confidence of each link, what ran concurrently, and the node's effects.",
    .examples =
        R"(  xtrace explain run.json --node resource:mock-database   why the database was reached
  xtrace explain run.json --node database                 the same, by part of its name
  xtrace explain run.json --node 7e59e0c13ee01236         why a span happened
  xtrace explain run.json --node database -f mermaid      draw the chains
  xtrace explain logs/ --source-line src/a.cpp:12         which edit wrote this line, and why
  xtrace explain logs/ --source-line a.cpp:12 --blame b.txt   b.txt: git blame --porcelain a.cpp
)",
    .make = make_view<Explain>,
    .shapes = shapes,
    .draws = true,
    .has_page = true,
};

}  // namespace xtrace
