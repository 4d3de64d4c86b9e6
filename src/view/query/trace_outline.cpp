#include <fmt/format.h>

#include <algorithm>

#include "base/count.h"
#include "base/text.h"
#include "view/calls/costs.h"
#include "view/common/counted.h"
#include "view/common/shown_arguments.h"
#include "view/common/words.h"
#include "view/query/trace_faces.h"
#include "view/query/turn_words.h"

namespace xtrace {

namespace {

class StepTree {
 public:
  explicit StepTree(const TraceScene& scene)
      : scene_(scene), door_(scene.question.door), children_(scene.trace.steps.size()) {
    for (size_t i = 0; i < children_.size(); ++i) {
      size_t parent = scene.trace.steps[i].parent;
      (parent == Step::kNone ? roots_ : children_[parent]).push_back(i);
    }
  }

  Outline write() {
    outline_.columns = {{"step", false, true},      {"start", false, false, 4},
                        {"took", Role::duration},   {"in", Role::input, 3},
                        {"out", Role::output, 3},   {"cost", Role::cost},
                        {"model", false, false, 2}, {"", false, false, 1}};
    outline_.head = heading();
    for (size_t root : roots_) add_tree(root);
    outline_.foot = footing();
    return std::move(outline_);
  }

 private:
  std::vector<Text> heading() const {
    const Query& query = scene_.trace.query;
    const std::string turn = turn_words(scene_.question, scene_.names, query);
    const std::string_view id = scene_.names.text(query.id).view();
    std::string first =
        turn.empty() ? fmt::format("query {}", id) : fmt::format("{}  ({})", turn, id);
    for (const std::string& mode : scene_.trace.modes)
      first += fmt::format(", {}", scene_.text(mode).view());
    if (!query.project.empty())
      first += fmt::format(", project {}", scene_.names.text(query.project).view());
    std::string second = plural(static_cast<int64_t>(scene_.trace.steps.size()), "step");
    if (query.start != kNoTime) {
      const Zone& zone = door_.zone();
      second += fmt::format(", {} {} {}", zone.day(query.start), zone.clock(query.start),
                            zone.name(query.start));
    }
    for (const std::string& version : scene_.trace.graph_versions)
      second += fmt::format(", graph {}", scene_.text(version).view());
    for (const std::string& snapshot : scene_.trace.snapshots)
      second += fmt::format(", snapshot {}", scene_.text(snapshot).view());
    return {door_.composed(std::move(first)), door_.composed(std::move(second))};
  }

  void add(size_t at, uint32_t depth) {
    const Step& step = scene_.trace.steps[at];
    const StepRecord& record = step.record;
    Door::At place(door_, scene_.names.place(step.at));
    std::string note;
    if (step.records > 1) note = fmt::format("recorded {} times", step.records);
    if (step.outcome == Outcome::error)
      note = join_notes(std::move(note), record.error.empty()
                                             ? std::string("failed")
                                             : std::string(scene_.text(record.error).view()));
    else
      note = join_notes(std::move(note), note_of(step.outcome));
    for (size_t joined : step.joins)
      note = join_notes(std::move(note), fmt::format("also after {}", joined + 1));
    if (step.retried_as != Step::kNone)
      note = join_notes(std::move(note), fmt::format("retried as {}", step.retried_as + 1));
    if (step.cause != nullptr && !is_sure(confidence(*step.cause)))
      note = join_notes(std::move(note), fmt::format("confidence {:.2f}", confidence(*step.cause)));
    outline_.lines.push_back(
        {depth,
         step.outcome == Outcome::error ? Tone::error : Tone::plain,
         {door_.say("{}", fmt::join(step_words(scene_, at), "  ")), known(step.start),
          known(step.took), known(tokens_sent(step.tokens)), known(step.tokens.output),
          cost_of(step), known(door_.composed(model_words(scene_, step))),
          known(door_.composed(std::move(note)))}});
    auto quiet = [&](std::string text) {
      if (!text.empty())
        outline_.lines.push_back({depth + 1, Tone::quiet, {door_.composed(std::move(text))}});
    };
    Counted<std::string> evidence;
    for (const EvidenceRef* ref : scene_.evidence_of(step))
      evidence.add(evidence_words(scene_, *ref));
    for (const auto& [words, times] : evidence.all())
      quiet(times == 1 ? words : fmt::format("{} ×{}", words, times));
    if (!scene_.withholds(record)) {
      auto said = [&](std::string_view name, std::string_view what, const std::string& text) {
        if (Text shown = door_.field(name, scene_.shown_text(text)); !shown.empty())
          quiet(fmt::format("{} {}", what, fold_white_space(shown.view())));
      };
      said("inputs", "<", record.inputs);
      for (const ToolArguments& given : record.tool_arguments)
        if (Text shown = shown_arguments(door_, scene_.shown_text(given.json)); !shown.empty())
          quiet(fmt::format("> arguments: {}", shown.view()));
      said("outputs", ">", record.outputs);
    }
  }

  Cell cost_of(const Step& step) const {
    if (step.counted.unpriced > 0) return Text("?");
    const bool is_more = step.output_is_low || step.cost_is_partial;
    if (!is_more || step.cost < 0) return dollars(step.cost);
    return cost_cell({{}, step.cost, 0, 1});
  }

  /// A step and all below it. Chains may be longer than a stack is deep.
  void add_tree(size_t root) {
    constexpr uint32_t kDeepest = 200;  // further in there is no page
    std::vector<std::pair<size_t, uint32_t>> open = {{root, 0}};
    while (!open.empty()) {
      auto [at, depth] = open.back();
      open.pop_back();
      add(at, depth);
      for (size_t i = children_[at].size(); i-- > 0;) {
        // A chain of calls needs no ladder; what one of them spawned does.
        const Link* cause = scene_.trace.steps[children_[at][i]].cause;
        bool goes_on = cause != nullptr && cause->kind != LinkKind::subagent_spawn;
        open.emplace_back(children_[at][i], goes_on ? depth : std::min(depth + 1, kDeepest));
      }
    }
  }

  void add_parallel(std::vector<Text>& lines) const {
    constexpr size_t kShown = 5, kNamed = 8;  // -f json has all
    for (const ParallelSteps& group : scene_.trace.parallel) {
      if (lines.size() > kShown) return;
      std::string names;
      for (size_t i = 0; i < std::min(group.steps.size(), kNamed); ++i) {
        const char* between = i + 1 < group.steps.size() ? ", " : " and ";
        names += fmt::format("{}{}", i > 0 ? between : "", group.steps[i] + 1);
      }
      if (group.steps.size() > kNamed)
        names += fmt::format(" and {} more", group.steps.size() - kNamed);
      lines.push_back(door_.say("steps {} ran in parallel: {} of work in {}", names,
                                format_span(group.total), format_span(group.wall)));
    }
  }

  std::vector<Text> footing() const {
    const TraceTotals& totals = scene_.trace.totals;
    std::string sum = "total:";
    auto add = [&](std::string_view text) {
      sum += sum.ends_with(':') ? " " : ", ";
      sum += text;
    };
    if (totals.latency != kNoDuration && totals.wall != kNoDuration &&
        totals.wall != totals.latency)
      add(fmt::format("{} of work in {}", format_span(totals.latency), format_span(totals.wall)));
    else if (const Duration took = totals.latency != kNoDuration ? totals.latency : totals.wall;
             took != kNoDuration)
      add(format_span(took));
    const Usage& used = totals.sum.usage;
    const Tokens& tokens = used.tokens;
    const int64_t cached = sum_of_known({tokens.cache_read, tokens.cache_creation});
    if (int64_t sent = tokens_sent(tokens); sent >= 0)
      add(fmt::format("{} tokens in{}", show_count(sent),
                      cached > 0
                          ? fmt::format(" ({} read from or written to a cache)", show_count(cached))
                          : ""));
    if (tokens.output >= 0) add(fmt::format("{} out", show_count(tokens.output)));
    if (used.cost >= 0) add(cost_words(used));
    if (used.unpriced > 0) add(plural(used.unpriced, "step") + " of unknown cost");
    if (totals.failed > 0) add(fmt::format("{} failed", totals.failed));
    std::vector<Text> lines;
    if (!sum.ends_with(':')) lines.push_back(door_.composed(std::move(sum)));
    if (used.low > 0) lines.push_back(door_.composed("cost: " + low_output_words(used.low)));
    add_parallel(lines);
    std::string cites;
    for (const EvidenceRef& ref : scene_.trace.citations)
      cites = join_notes(std::move(cites), evidence_words(scene_, ref));
    if (!cites.empty()) lines.push_back(door_.composed("cites: " + cites));
    int64_t parts = 0;
    for (const Step& step : scene_.trace.steps) parts += !step.not_counted.empty();
    if (parts > 0)
      lines.push_back(door_.say(
          "figures of {} not counted again, because another step includes or retries them",
          plural(parts, "step")));
    LeftOut left = left_out(scene_);
    std::string omitted;
    auto omit = [&](int64_t count, std::string_view what) {
      if (count > 0) omitted = join_notes(std::move(omitted), plural(count, what));
    };
    omit(left.nodes, "node");
    omit(left.edges, "edge");
    omit(left.evidence, "reference");
    if (!omitted.empty()) lines.push_back(door_.composed(omitted + " omitted by limits"));
    if (left.withheld > 0)
      lines.push_back(door_.say("{} withheld: more sensitive than the clearance", left.withheld));
    if (left.copies > 0)
      lines.push_back(door_.say("{} with withheld passages", plural(left.copies, "text")));
    if (left.texts > 0)
      lines.push_back(door_.say("{} not shown; --level full shows those that the clearance allows",
                                plural(left.texts, "text")));
    return lines;
  }

  const TraceScene& scene_;
  Door& door_;
  std::vector<std::vector<size_t>> children_;
  std::vector<size_t> roots_;
  Outline outline_;
};

Outline subgraph_of(const TraceScene& scene) {
  Door& door = scene.question.door;
  Outline outline;
  outline.columns = {{"subgraph", false, true},
                     {"label", false},
                     {"name", false},
                     {"from", false, false, 1},
                     {"steps", false, false, 2}};
  const std::vector<Visited::Node>& nodes = scene.trace.visited.nodes();
  std::vector<std::vector<size_t>> edges(nodes.size());
  for (size_t e = 0; e < scene.trace.visited.edges().size(); ++e) {
    const Visited::Edge& edge = scene.trace.visited.edges()[e];
    if (scene.shown[edge.from] && scene.shown[edge.to]) edges[edge.from].push_back(e);
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!scene.shown[i]) continue;
    const VisitedNode& node = nodes[i].node;
    bool hides = scene.withholds_node(i);
    std::string label(scene.text(node.label).view());
    if (!node.type.empty() && !hides) label += fmt::format(" ({})", scene.text(node.type).view());
    std::string steps;
    for (size_t step : nodes[i].steps)
      steps += fmt::format("{}{}", steps.empty() ? "" : ", ", step + 1);
    outline.lines.push_back(
        {0,
         Tone::plain,
         {scene.node_id(i), known(door.composed(std::move(label))),
          hides                                ? Cell(Text("(withheld)"))
          : scene.shows_name(node.sensitivity) ? known(scene.text(node.name))
                                               : Cell(),
          hides ? Cell() : scene.units(node.evidence), door.composed(std::move(steps))}});
    for (size_t e : edges[i]) {
      const Visited::Edge& edge = scene.trace.visited.edges()[e];
      outline.lines.push_back({1,
                               Tone::quiet,
                               {door.say("{} → {}", scene.text(edge.edge.type).view(),
                                         scene.node_id(edge.to).view())}});
    }
  }
  return outline;
}

}  // namespace

std::vector<Outline> outline_trace(const TraceScene& scene) {
  std::vector<Outline> outlines = {StepTree(scene).write()};
  if (!scene.trace.visited.nodes().empty()) {
    outlines.push_back(subgraph_of(scene));
  }
  return outlines;
}

}  // namespace xtrace
