#include "view/diff/diff.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/one_of.h"
#include "base/text.h"
#include "base/time_range.h"
#include "view/calls/unplaced.h"
#include "view/common/filter.h"
#include "view/common/shown_targets.h"
#include "view/common/words.h"
#include "view/diff/bounds.h"
#include "view/diff/verdict_diff.h"
#include "view/story/story_filter.h"

namespace xtrace {

namespace {

bool has_query(const Story& story) {
  return std::ranges::any_of(story.nodes, &StoryNode::is_query);
}

/// A stored graph says what led to what, not what was around what; one of calls has no steps for
/// what the user said, either.
std::shared_ptr<const Story> as_stored(const Story& story, bool keeps_queries) {
  Hidden hidden;
  std::vector<bool> kept(story.nodes.size(), true);
  for (size_t i = 0; i < kept.size(); ++i) kept[i] = keeps_queries || !story.nodes[i].is_query();
  Story flat = keep(story, kept, 0, hidden);
  for (StoryNode& node : flat.nodes) node.above = StoryNode::kNone;
  return std::make_shared<const Story>(std::move(flat));
}

/// What of two runs is compared. Reduces both to what a stored graph states, if one is compared
/// with a log.
Compared compared_of(const Graph& old_graph, ChosenRun& old_run, const Graph& new_graph,
                     ChosenRun& new_run) {
  const Compared olds = RunSteps::comparable_in(old_graph, *old_run.story);
  const Compared news = RunSteps::comparable_in(new_graph, *new_run.story);
  // Two stored graphs of spans have the same facts.
  if (olds == news && olds == Compared::stored_spans) return Compared::all;
  const Compared compared = std::max(olds, news);
  if (compared != Compared::graph) return compared;
  const bool both_have = has_query(*old_run.story) && has_query(*new_run.story);
  for (ChosenRun* run : {&old_run, &new_run}) run->story = as_stored(*run->story, both_have);
  return compared;
}

ExplanationScene scene_of(const Question& question, std::shared_ptr<const Story> story) {
  FoldedStory all = unfolded(*story);
  const size_t nodes = story->nodes.size();
  return {question, std::move(story), std::move(all), {}, StoryOptions(), nodes};
}

Question asked_of(const Question& asked, const Graph& graph, const Payloads* payloads) {
  Question question{graph, asked.door, asked.face, payloads};
  question.shortens = asked.shortens;
  question.with_properties = asked.with_properties;
  question.before = asked.before;
  return question;
}

/// `Read src/a.cpp, Bash`
std::string tool_words(const ExplanationScene& scene, const StoryNode& node) {
  std::string words;
  for (const ToolUse* use : scene.graph.tool_uses_of(node.call)) {
    if (!words.empty()) words += ", ";
    words += scene.names.text(use->name).view();
    if (has_target(*use)) words += ' ' + short_targets(scene.graph.trace(), scene.names, *use);
  }
  return words;
}

}  // namespace

Result<ChosenRun> choose_run(const Question& of, std::vector<std::string> names) {
  std::shared_ptr<const Story> story = of.graph.story();
  if (names.empty()) return ChosenRun{std::move(story), {}};
  StoryOptions options;
  options.filter.runs = names;
  Hidden others;
  Result<std::vector<bool>> chosen =
      choose(of.graph, *story, options, others.parts, of.door.zone());
  if (!chosen) return tl::unexpected(chosen.error());
  // Hops and statements name their run in full.
  for (const PartOfNames& one : others.parts) {
    std::erase(names, one.part);
    names.insert(names.end(), one.names.begin(), one.names.end());
  }
  return ChosenRun{std::make_shared<const Story>(keep(*story, *chosen, 0, others)),
                   std::move(names)};
}

Question DiffScene::about_old(const Question& asked) {
  return asked_of(asked, asked.before->graph, asked.before->payloads);
}

DiffScene::DiffScene(const Question& asked, ChosenRun old_chosen, ChosenRun new_chosen,
                     const std::vector<std::string>& ignored)
    : old_question(about_old(asked)),
      question(asked_of(asked, asked.graph, asked.payloads)),
      compared(compared_of(old_question.graph, old_chosen, question.graph, new_chosen)),
      old_scene(scene_of(old_question, std::move(old_chosen.story))),
      new_scene(scene_of(question, std::move(new_chosen.story))),
      old_run(old_scene.graph, old_question.payloads, old_scene.story, std::move(old_chosen.names),
              ignored, compared),
      new_run(new_scene.graph, question.payloads, new_scene.story, std::move(new_chosen.names),
              ignored, compared),
      found(old_run, new_run),
      door(asked.door) {}

Text DiffScene::id(const RunComparison::Row& row, bool is_new) const {
  return scene(is_new).id({is_new ? row.new_step : row.old_step, nullptr});
}

Text DiffScene::at(const RunComparison::Row& row, bool is_new) const {
  return scene(is_new).names.at(place_of(scene(is_new).graph, node(row, is_new)));
}

int64_t DiffScene::number(const RunComparison::Row& row, bool is_new) const {
  return 1 + int64_t{is_new ? new_run.place(row.new_step) : old_run.place(row.old_step)};
}

std::string DiffScene::words(const RunComparison::Row& row, bool is_new, CellArena& arena) const {
  const ExplanationScene& of = scene(is_new);
  const StoryNode& step = node(row, is_new);
  ExplanationRow shown(of, {is_new ? row.new_step : row.old_step, nullptr}, arena);
  Door::At here(door, shown.place());
  if (step.is_query() || !step.call || is_with_stored(compared)) return words_of(shown);
  std::string tools = tool_words(of, step);
  if (!tools.empty()) return tools;
  if (step.status == StepStatus::error) return "fails";
  const Outcome outcome = of.graph.trace()[step.call].outcome;
  return outcome == Outcome::ok ? "replies" : std::string(note_of(outcome));
}

std::string DiffScene::agent(const RunComparison::Row& row, bool is_new) const {
  const StoryNode& step = node(row, is_new);
  if (step.is_query()) return {};
  return std::string(scene(is_new).names.text(scene(is_new).story.agent(step)).view());
}

Text DiffScene::what(const RunComparison::Row& row, bool is_new, CellArena& arena) const {
  std::string who = agent(row, is_new), did = words(row, is_new, arena);
  return door.composed(who.empty() ? did : fmt::format("{}: {}", who, did));
}

Text DiffScene::value(const Trait& trait) const {
  switch (trait.kind) {
    case Trait::Kind::hash: return {};
    case Trait::Kind::payload: return door.field(trait.field, trait.value);
    case Trait::Kind::name: break;
  }
  if (trait.is_argument && !door.shows_field(trait.field)) return {};
  return door.name(trait.value);
}

std::string DiffScene::fields_of(const RunComparison::Row& row) const {
  std::string arguments, others;
  bool are_other_tools = false;
  for (const auto& [before, now] : found.differences(row)) {
    const Trait& trait = before.field.empty() ? now : before;
    std::string& list = trait.is_argument ? arguments : others;
    if (!list.empty()) list += ", ";
    list += door.name(trait.field).view();
    are_other_tools |= !trait.is_argument && trait.field == "tools";
  }
  if (are_other_tools) return others;  // which have other arguments in any case
  if (!arguments.empty())
    arguments = (arguments.find(',') == std::string::npos ? "argument " : "arguments ") + arguments;
  return join_notes(std::move(others), arguments);
}

std::string DiffScene::first_divergence() const {
  if (found.first == RunComparison::kNone) return {};
  const RunComparison::Row& row = found.rows[found.first];
  std::string text;
  if (found.first == 1) text = "step 1 equal; ";
  if (found.first > 1) text = fmt::format("steps 1–{} equal; ", found.first);
  text += fmt::format("step {}: ", found.first + 1);
  switch (row.diff_status) {
    case DiffStatus::equal: text += "different cause"; break;
    case DiffStatus::changed: {
      std::string fields = fields_of(row);
      text += fmt::format("{} {}", fields, fields.find(',') == fields.npos ? "differs" : "differ");
      break;
    }
    case DiffStatus::added: text += "only in the new run"; break;
    case DiffStatus::removed: text += "only in the old run"; break;
  }
  const int64_t later = found.later_follow + found.later_apart;
  if (later == 0) return text + "; no later steps";
  return fmt::format("{}; {} of {} {} on it", text, found.later_follow, plural(later, "later step"),
                     later == 1 ? "depends" : "depend");
}

Usage usage_of(const Graph& graph, const StoryNode& node) {
  Usage used;
  if (node.is_query()) return used;
  if (node.done->counts_usage())
    used = usage_of(*node.done);
  else if (const UnplacedUsage* row = graph.activities().ledger.of(node.done->hop))
    used = usage_of(*row);
  used.tokens = node.tokens;
  used.cost = node.cost;
  return used;
}

namespace {

/// Is it a statement of a session that was chosen?
bool is_of_run(const RunSteps& run, const UnplacedUsage& row) {
  if (run.names().empty()) return true;
  return row.session > 0 &&
         is_one_of(session_name(run.graph().trace(), run.graph().sessions()[row.session - 1]),
                   run.names());
}

}  // namespace

RunTotals totals_of(const RunSteps& run) {
  RunTotals totals;
  TimeRange time;
  totals.steps = static_cast<int64_t>(run.size());
  totals.edges = static_cast<int64_t>(run.story().edges.size());
  for (const StoryNode& node : run.story().nodes) {
    totals.errors += node.status == StepStatus::error;
    totals.calls +=
        node.type == TaskStep::Type::llm_call && node.done->is_recorded() && !node.done->same_as;
    totals.used.add(usage_of(run.graph(), node));
    time.include(node.start, node.latency);
  }
  for (const UnplacedUsage& row : run.graph().activities().ledger.unplaced)
    if (!row.hop && is_of_run(run, row)) totals.used.add(usage_of(row));
  totals.elapsed = elapsed(time.start, time.end);
  return totals;
}

namespace {

/// What became of a run?
class Diff final : public View {
 public:
  void declare(Options& options) override {
    options.add("--old", old_, "ID", "use only this run or session of OLD (repeatable)");
    options.add("--new", new_, "ID",
                "use only this run or session of NEW; to compare two of one log, name the log "
                "twice");
    options.add("--run", both_, "ID", "use only this run of both (repeatable)");
    options.add("--session", both_, "ID", "use only this session of both (repeatable)");
    options.add("--ignore", ignored_, "FIELD",
                "ignore differences in this field or argument: system_prompt, model, … "
                "(repeatable)");
    options.add("--exit-code", exit_code_, "exit with 1 if the runs differ");
    options.add(
        "--fail-if", fail_if_, "METRIC=BOUND",
        "exit with 1 if METRIC rises (+) or falls (-) by more than BOUND: cost=+20%, calls=+5, "
        "duration=+2s, errors=+0, cost=-10%; for eval output: newly_failing, missing (repeatable)");
    options.add("--unfold", unfold_, "list equal steps one by one (text)");
  }

  Status prepare(Preparation& given) override {
    chosen_before_.runs = together(old_);
    chosen_.runs = together(new_);
    if (given.inputs.size() != 2) return {};
    Result<std::optional<JudgedSuite>> before = read_judged_suite(given.inputs[0]);
    if (!before) return tl::unexpected(before.error());
    Result<std::optional<JudgedSuite>> now = read_judged_suite(given.inputs[1]);
    if (!now) return tl::unexpected(now.error());
    if (before->has_value() != now->has_value())
      return fail(Exit::usage,
                  fmt::format("'{}' is output of eval and '{}' is not; compare two logs, "
                              "or two outputs of eval -f json",
                              printable(given.inputs[*before ? 0 : 1]),
                              printable(given.inputs[*before ? 1 : 0])));
    if (!*before) {
      for (const std::string& one : fail_if_)
        if (is_one_of(one, {"newly_failing", "missing"}))
          return fail(Exit::usage, fmt::format("--fail-if {} compares two outputs of eval -f json; "
                                               "for logs use a bound such as cost=+20%",
                                               one));
      return {};
    }
    if (!old_.empty() || !new_.empty() || !both_.empty() || !ignored_.empty())
      return fail(Exit::usage,
                  "these inputs are eval output, which has no runs or fields to choose; remove "
                  "--old, --new, --run, --session and --ignore");
    old_suite_ = *std::move(before);
    new_suite_ = *std::move(now);
    given.has_read_inputs = true;
    given.read.insert(given.read.end(), given.inputs.begin(), given.inputs.end());
    return {};
  }

  const Filter* filter() const override { return &chosen_; }
  const Filter* filter_before() const override { return &chosen_before_; }

  Result<Document> answer(const Question& question) const override {
    if (old_suite_) return answer_about(*old_suite_, *new_suite_, question, fail_if_, exit_code_);
    if (question.before == nullptr)
      return fail(Exit::usage, "diff needs two runs, but there is only one");
    Result<std::vector<Threshold>> thresholds = read_bounds(fail_if_);
    if (!thresholds) return tl::unexpected(thresholds.error());
    Result<ChosenRun> before = choose_run(DiffScene::about_old(question), together(old_));
    if (!before) return fail(before.error().exit, "OLD: " + before.error().what);
    Result<ChosenRun> now = choose_run(question, together(new_));
    if (!now) return fail(now.error().exit, "NEW: " + now.error().what);
    Document document("diff");
    // The streams of the answer go on looking at it.
    std::shared_ptr<const DiffScene> scene =
        std::make_shared<DiffScene>(question, *std::move(before), *std::move(now), ignored_);
    if (Status known = check_ignored(*scene); !known) return tl::unexpected(known.error());
    const std::vector<JudgedThreshold> bounds = judge_bounds(*thresholds, *scene);
    if ((exit_code_ && !scene->found.is_equal()) || any_fails(bounds)) document.say_no();
    switch (question.face) {
      case Face::outline:
        document.add(diff_outline(*scene, bounds, unfold_, document.arena()));
        break;
      case Face::drawing: document.add(diff_picture(*scene, document.arena())); break;
      case Face::tables: add_diff_tables(scene, bounds, document); break;
      case Face::spans:
      case Face::trajectories:
      case Face::stacks: break;  // those of `convert`
    }
    return document;
  }

 private:
  std::vector<std::string> together(std::vector<std::string> names) const {
    names.insert(names.end(), both_.begin(), both_.end());
    return names;
  }

  Status check_ignored(const DiffScene& scene) const {
    std::set<std::string> fields = scene.old_run.fields();
    fields.insert(scene.new_run.fields().begin(), scene.new_run.fields().end());
    const std::vector<std::string_view> known(fields.begin(), fields.end());
    for (const std::string& field : ignored_)
      if (!fields.contains(field))
        return fail(Exit::usage, fmt::format("--ignore: no step has a field '{}'{}",
                                             printable(field), did_you_mean(field, known)));
    return {};
  }

  std::vector<std::string> old_, new_, both_, ignored_, fail_if_;
  Filter chosen_before_, chosen_;
  bool exit_code_ = false, unfold_ = false;
  std::optional<JudgedSuite> old_suite_, new_suite_;
};

}  // namespace

Tone tone_of(DiffStatus diff_status) {
  switch (diff_status) {
    case DiffStatus::added: return Tone::added;
    case DiffStatus::removed: return Tone::removed;
    case DiffStatus::changed: return Tone::changed;
    case DiffStatus::equal: break;
  }
  return Tone::plain;
}

extern constinit const ViewEntry kDiffView = {
    .name = "diff",
    .summary = "compare two runs; find the first divergence",
    .about =
        "Aligns two runs by causality, ignoring ids, times and line order, and reports the first "
        "divergence and all added, removed and changed steps, edges and delegation paths. "
        "Durations, costs and replies are reported but do not count as differences. Two outputs of "
        "`eval -f json` are compared scenario by scenario.",
    .examples = R"(  xtrace diff monday.jsonl tuesday.jsonl             find the first divergence
  xtrace diff log.jsonl log.jsonl --old s1 --new s2  two sessions of one log
  xtrace diff old/ new/ -f json                      as JSON
  xtrace diff old.json new.json --exit-code -q       exit with 1 if they differ
  xtrace diff old.json new.json --fail-if cost=+20% --fail-if errors=+0   limits, for CI
  xtrace diff old-eval.json new-eval.json --fail-if newly_failing   two outputs of eval
  xtrace diff old.json new.json -f dot | dot -Tsvg    green added, red removed, yellow changed
)",
    .make = make_view<Diff>,
    .shapes = shapes_of_diff,
    .draws = true,
    .has_page = true,
    .compares = true,
};

}  // namespace xtrace
