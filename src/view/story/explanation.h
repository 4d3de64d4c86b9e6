#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include "view/common/field.h"
#include "view/common/names.h"
#include "view/common/preface.h"
#include "view/story/story_fold.h"

namespace xtrace {

inline constexpr Column kRelationColumn{
    "relation", "NEXT_STEP, TRIGGERED, REFLECTED, ESCALATED, USER_ACTION or OTHER", Role::type};

/// What rows of edges call the nodes of a story, and what they say of both ends.
class StoryNames {
 public:
  virtual ~StoryNames() = default;
  virtual Text id_of(uint32_t node) const = 0;
  virtual Text place_of(uint32_t node) const = 0;
  /// When it began; rows of edges do not name it.
  virtual Moment start_of(uint32_t /*node*/) const { return {}; }
  /// The identifier that both ends share; empty: none.
  virtual Text key_of(const StoryEdge& edge) const = 0;
  /// Notes of people.
  virtual Cell notes_of(const StoryEdge& edge, CellArena& arena) const = 0;
};

/// Everything that an answer about a story is made from.
struct ExplanationScene final : StoryNames {
  Question question;
  const Graph& graph;
  std::shared_ptr<const Story>
      chosen;  ///< of what filters and focus leave; the graph's, or its own
  const Story& story;
  FoldedStory folded;
  Hidden hidden;
  bool hints, shows_raw;
  Names names;
  size_t unfiltered;  ///< nodes of the story before filters
  /// Other records of a call that several logs contain.
  std::unordered_map<uint32_t, std::vector<Extent>> copies;
  /// Notes by the id of a node, or of both ends of an edge with a blank between them.
  std::map<std::string, std::vector<Annotation>> annotations;
  int64_t annotations_elsewhere = 0;  ///< of what is not in the story
  /// Of a story of several graphs, whose nodes are of none at hand: their names. Only summaries of
  /// it have rows.
  const StoryNames* others;

  ExplanationScene(const Question& asked, std::shared_ptr<const Story> of, FoldedStory shown,
                   Hidden left_out, const StoryOptions& options, size_t all,
                   const StoryNames* names_of_others = nullptr);

  /// What is shown: nodes and summaries, in order of time.
  struct Shown {
    uint32_t node = 0;  ///< of a summary its first member
    const Summary* summary = nullptr;
  };
  std::vector<Shown> shown() const;
  Shown shown_at(uint32_t node) const;
  Text id(const Shown& shown) const;

  Text id_of(uint32_t node) const override { return id(shown_at(node)); }
  Text place_of(uint32_t node) const override {
    return others != nullptr ? others->place_of(node)
                             : names.at(xtrace::place_of(graph, story.nodes[node]));
  }
  Moment start_of(uint32_t node) const override {
    return others != nullptr ? others->start_of(node) : xtrace::start_of(graph, story.nodes[node]);
  }
  Text key_of(const StoryEdge& edge) const override {
    return others != nullptr ? others->key_of(edge) : names.text(edge.key);
  }
  Cell notes_of(const StoryEdge& edge, CellArena& arena) const override;
};

/// A row of `nodes`: a node of the story, or what the members of a summary come to.
struct ExplanationRow {
  const ExplanationScene& scene;
  ExplanationScene::Shown shown;
  StoryNode node;
  CellArena& arena;
  std::string_view model;        ///< of all its members, where they had one
  int64_t errors = 0;            ///< of a summary: members that did not go well
  Duration total = kNoDuration;  ///< of their latencies, as far as they are known
  bool cost_is_low = false;      ///< the log kept only the first count of the output

  ExplanationRow(const ExplanationScene& of, ExplanationScene::Shown what, CellArena& on);
  RecordPlace place() const {
    return scene.others != nullptr ? RecordPlace() : scene.names.place(place_of(scene.graph, node));
  }
  /// What it cost; a lower bound where the log does not show all of it.
  Cell cost() const;
};

/// What a node is, in few words: `api tests: 1 failed`, `gpt-4o → o3`.
std::string words_of(const ExplanationRow& row);
/// What people noted of it, and of a summary of any of its members.
std::vector<Annotation> annotations_of(const ExplanationRow& row);
/// `cost spike, 24× the median`; empty: it is none.
std::string spike_words(const StoryNode& node);
/// What is unusual about it beside its status: `FOUND_VULNERABILITY; counterpart missing`.
std::string notes_of(const ExplanationRow& row);
/// The text of a thought, a prompt or the inputs of a model's span, as recorded.
std::string said_in(const ExplanationRow& row);
/// `src/pay.cpp:88`: where in a program it is that a check found something; empty: not recorded.
std::string code_place(const ExplanationRow& row);
/// What a summary contains: `Routine LLM calls (n=5, avg latency 30 ms)`.
std::string summary_words(const ExplanationRow& row);

std::span<const Field<ExplanationRow>> explanation_fields();
std::span<const Column> explanation_columns();
/// Of summaries: which nodes each stands for, and the first of these as rows.
std::span<const Column> summary_columns();
void write_summaries(const ExplanationScene& scene, const Stream::Write& write);

/// A row of `edges`.
struct StoryEdgeRow {
  const StoryNames& names;
  const StoryEdge& edge;
  CellArena& arena;
};
std::span<const Field<StoryEdgeRow>> story_edge_fields();
std::span<const Column> story_edge_columns();

Drawing explanation_picture(const ExplanationScene& scene, CellArena& arena);
Outline explanation_tree(const ExplanationScene& scene, CellArena& arena);

/// The ExplanationGraph (facts/task_step.h): one story of all that was given. Exit::no and
/// Exit::usage as choose() and StoryOptions::limits() say.
Result<Document> explanation(const Question& question, const StoryOptions& options);
/// The same of the story of the question's graph as others know it better.
Result<Document> explanation(const Question& question, const StoryOptions& options,
                             std::shared_ptr<const Story> story);
Shape shape_of_explanation();

}  // namespace xtrace
