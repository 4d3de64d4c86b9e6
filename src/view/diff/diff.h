#pragma once

#include <memory>

#include "view/calls/spending.h"
#include "view/diff/comparison.h"
#include "view/story/explanation.h"

namespace xtrace {

/// One of two runs that are compared: all of an input, or what bears one of these names in it.
struct ChosenRun {
  std::shared_ptr<const Story> story;
  std::vector<std::string> names;  ///< of runs and sessions; empty: all
};
/// Exit::no where there is no run and no session of that name.
Result<ChosenRun> choose_run(const Question& of, std::vector<std::string> names);

/// Everything that an answer about two runs is made from.
struct DiffScene {
  Question old_question, question;
  Compared compared;
  ExplanationScene old_scene, new_scene;
  RunSteps old_run, new_run;
  RunComparison found;
  Door& door;

  DiffScene(const Question& asked, ChosenRun old_chosen, ChosenRun new_chosen,
            const std::vector<std::string>& ignored = {});
  /// The question about the run that is the older one.
  static Question about_old(const Question& asked);

  const ExplanationScene& scene(bool is_new) const { return is_new ? new_scene : old_scene; }
  const StoryNode& node(const RunComparison::Row& row, bool is_new) const {
    return scene(is_new).story.nodes[is_new ? row.new_step : row.old_step];
  }
  /// The run from which a row is described: the new one, if both have it.
  static bool is_in_new(const RunComparison::Row& row) { return row.in(true); }
  /// What the step was, in few words: `main: Read src/a.cpp`.
  Text what(const RunComparison::Row& row, bool is_new, CellArena& arena) const;
  /// The same without the agent.
  std::string words(const RunComparison::Row& row, bool is_new, CellArena& arena) const;
  std::string agent(const RunComparison::Row& row, bool is_new) const;
  Text id(const RunComparison::Row& row, bool is_new) const;
  Text at(const RunComparison::Row& row, bool is_new) const;
  /// Its number in causal order, from 1.
  int64_t number(const RunComparison::Row& row, bool is_new) const;
  /// The value of a trait, as far as it may be seen; empty otherwise.
  Text value(const Trait& trait) const;
  /// `argument path`, `model, outcome`
  std::string fields_of(const RunComparison::Row& row) const;
  /// `steps 1–4 equal; step 5: argument path differs; 37 later steps follow from it, 6 do not`
  std::string first_divergence() const;
};

/// What one run took in all; kNoDuration: unknown.
struct RunTotals {
  int64_t steps = 0, edges = 0, errors = 0;
  int64_t calls = 0;  ///< of models
  Usage used;
  Duration elapsed = kNoDuration;  ///< from the first start to the last end

  int64_t tokens_in() const { return tokens_sent(used.tokens); }
  int64_t tokens_out() const { return used.tokens.output; }
};
RunTotals totals_of(const RunSteps& run);
/// What a call of a model used; of other steps nothing is.
Usage usage_of(const Graph& graph, const StoryNode& node);

/// How a step looks, by what became of it.
Tone tone_of(DiffStatus diff_status);
struct JudgedThreshold;
void add_diff_tables(std::shared_ptr<const DiffScene> scene,
                     const std::vector<JudgedThreshold>& bounds, Document& document);
Outline diff_outline(const DiffScene& scene, const std::vector<JudgedThreshold>& bounds,
                     bool unfold, CellArena& arena);
Drawing diff_picture(const DiffScene& scene, CellArena& arena);

std::vector<Shape> shapes_of_diff();

}  // namespace xtrace
