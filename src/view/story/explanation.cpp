#include "view/story/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/one_of.h"
#include "base/text.h"
#include "view/common/add_face.h"
#include "view/story/story_filter.h"

namespace xtrace {

namespace {

constexpr Field<ExplanationScene> kAbout[] = {
    {{"lastUpdated", "start of the newest call, span or event", CellKind::moment},
     [](const ExplanationScene& scene) {
       Moment newest;
       for (const StoryNode& node : scene.story.nodes)
         if (node.start > newest.time) newest = start_of(scene.graph, node);
       return known(newest);
     }},
    {{"show", "summary: routine steps are folded into one; raw: each step is shown", CellKind::text,
      true},
     [](const ExplanationScene& scene) -> Cell {
       const bool folds = !scene.folded.summaries.empty() || !scene.shows_raw;
       return folds ? Text("summary") : Text("raw");
     }},
};

int64_t folded_nodes(const ExplanationScene& scene) {
  int64_t count = 0;
  for (const Summary& summary : scene.folded.summaries)
    count += static_cast<int64_t>(summary.members.size());
  return count;
}

int64_t notes_given(const ExplanationScene& scene) {
  int64_t count = 0;
  for (const auto& [id, notes] : scene.annotations) count += static_cast<int64_t>(notes.size());
  return count;
}

constexpr Field<ExplanationScene> kMetrics[] = {
    {{"total_nodes", "number of steps without filters", CellKind::integer, true},
     [](const ExplanationScene& scene) -> Cell { return static_cast<int64_t>(scene.unfiltered); }},
    {{"shown_nodes", "number of nodes in this output, including summaries", CellKind::integer,
      true},
     [](const ExplanationScene& scene) -> Cell {
       return static_cast<int64_t>(scene.story.nodes.size() + scene.folded.summaries.size()) -
              folded_nodes(scene);
     }},
    {{"folded_nodes", "number of steps folded into summaries", CellKind::integer, true},
     [](const ExplanationScene& scene) -> Cell { return folded_nodes(scene); }},
    {{"summary_count", "", CellKind::integer, true},
     [](const ExplanationScene& scene) -> Cell {
       return static_cast<int64_t>(scene.folded.summaries.size());
     }},
    {{"total_edges", "number of edges after filters and before folding", CellKind::integer, true},
     [](const ExplanationScene& scene) -> Cell {
       return static_cast<int64_t>(scene.story.edges.size());
     }},
    {{"shown_edges", "", CellKind::integer, true},
     [](const ExplanationScene& scene) -> Cell {
       return static_cast<int64_t>(scene.folded.edges.size());
     }},
    {{"uncorrelated", "calls and spans whose counterpart in another log is missing",
      CellKind::integer, true},
     [](const ExplanationScene& scene) -> Cell {
       return static_cast<int64_t>(
           std::ranges::count(scene.story.nodes, true, &StoryNode::lacks_partner));
     }},
    {{"annotations", "with --annotations: number of notes given", CellKind::integer},
     [](const ExplanationScene& scene) { return some(notes_given(scene)); }},
    {{"annotations_elsewhere", "notes on nodes and edges that are not in the input",
      CellKind::integer},
     [](const ExplanationScene& scene) {
       return notes_given(scene) > 0 ? Cell(scene.annotations_elsewhere) : Cell();
     }},
};

using SharedScene = std::shared_ptr<const ExplanationScene>;

void write_nodes(const ExplanationScene& scene, const Stream::Write& write) {
  Rows<ExplanationRow> rows(explanation_fields(), scene.question.door, write);
  for (const ExplanationScene::Shown& shown : scene.shown())
    rows.write(ExplanationRow(scene, shown, rows.arena()));
}

void write_edges(const ExplanationScene& scene, const Stream::Write& write) {
  Rows<StoryEdgeRow> rows(story_edge_fields(), scene.question.door, write);
  for (const StoryEdge& edge : scene.folded.edges) rows.write({scene, edge, rows.arena()});
}

void add_tables(const SharedScene& scene, Document& document) {
  add_preface("xtrace.dag/1", scene->question, scene->names, scene->hidden, document,
              Meanings::on_request, Covers::all);
  document.add(record_of<kAbout>({}, *scene));
  document.add(record_of<kMetrics>("metrics", *scene));
  document.add(Stream{"nodes", explanation_columns(),
                      [scene](const Stream::Write& write) { write_nodes(*scene, write); }});
  document.add(Stream{"edges", story_edge_columns(),
                      [scene](const Stream::Write& write) { write_edges(*scene, write); }});
  document.add(Stream{"summaries", summary_columns(),
                      [scene](const Stream::Write& write) { write_summaries(*scene, write); }});
}

}  // namespace

ExplanationScene::ExplanationScene(const Question& asked, std::shared_ptr<const Story> of,
                                   FoldedStory shown, Hidden left_out, const StoryOptions& options,
                                   size_t all, const StoryNames* names_of_others)
    : question(asked),
      graph(asked.graph),
      chosen(std::move(of)),
      story(*chosen),
      folded(std::move(shown)),
      hidden(std::move(left_out)),
      hints(options.hints),
      shows_raw(options.show == "raw"),
      names(asked.graph, asked.door),
      unfiltered(all),
      others(names_of_others) {
  for (const OtherRecord& other : graph.trace().other_records)
    copies[other.call.index].push_back(other.at);
  if (options.annotations.empty()) return;
  for (const Annotation& one : options.annotations)
    annotations[one.node.empty() ? one.from + ' ' + one.to : one.node].push_back(one);
  std::set<std::string> ids;
  const Story& whole = *graph.story();
  for (const StoryNode& node : whole.nodes) ids.insert(name_of(graph, node));
  for (const StoryEdge& edge : whole.edges)
    ids.insert(name_of(graph, whole.nodes[edge.from]) + ' ' + name_of(graph, whole.nodes[edge.to]));
  for (const auto& [id, notes] : annotations)
    if (ids.count(id) == 0) annotations_elsewhere += static_cast<int64_t>(notes.size());
}

ExplanationScene::Shown ExplanationScene::shown_at(uint32_t node) const {
  uint32_t summary = folded.summary_of[node];
  if (summary == FoldedStory::kNone) return {node, nullptr};
  return {folded.summaries[summary].first, &folded.summaries[summary]};
}

std::vector<ExplanationScene::Shown> ExplanationScene::shown() const {
  std::vector<Shown> all;
  for (uint32_t i = 0; i < story.nodes.size(); ++i)
    if (Shown one = shown_at(i); one.node == i) all.push_back(one);
  return all;
}

Text ExplanationScene::id(const Shown& shown) const {
  std::string_view prefix = shown.summary != nullptr ? "summary-" : "";
  if (others != nullptr) return question.door.say("{}{}", prefix, others->id_of(shown.node).view());
  const StoryNode& node = story.nodes[shown.node];
  Text id = node.call ? names.id(node.call) : question.door.name_once(name_of(graph, node));
  std::string_view kind = node.is_query() ? "query-" : "";
  if (prefix.empty() && kind.empty()) return id;
  return question.door.say("{}{}{}", prefix, kind, id.view());
}

Result<Document> explanation(const Question& question, const StoryOptions& options) {
  return explanation(question, options, question.graph.story());
}

Result<Document> explanation(const Question& question, const StoryOptions& options,
                             std::shared_ptr<const Story> story) {
  Result<StoryLimits> limits = options.limits();
  if (!limits) return tl::unexpected(limits.error());
  const size_t nodes = story->nodes.size();
  Hidden hidden;
  if (options.filter.any() || !options.focus.empty()) {
    Result<std::vector<bool>> chosen =
        choose(question.graph, *story, options, hidden.parts, question.door.zone());
    if (!chosen) return tl::unexpected(chosen.error());
    story =
        std::make_shared<const Story>(keep(*story, *chosen, options.filter.min_confidence, hidden));
  }
  std::set<std::string> found_summaries;
  auto is_expanded = [&](const Summary& summary) {
    std::string id = "summary-" + name_of(question.graph, story->nodes[summary.first]);
    const bool is_named = is_one_of(id, options.expand);
    if (is_named) found_summaries.insert(std::move(id));
    return is_named || is_one_of("all", options.expand);
  };
  FoldedStory folded =
      options.show == "raw" ? unfolded(*story) : fold(*story, *limits, is_expanded);
  if (!options.is_live && options.show != "raw")
    for (const std::string& wanted : options.expand)
      if (wanted != "all" && !found_summaries.contains(wanted))
        return fail(Exit::no, fmt::format("--expand: there is no summary '{}'", printable(wanted)));
  Document document("dag");
  // The streams of the answer go on looking at it.
  SharedScene scene = std::make_shared<ExplanationScene>(question, std::move(story),
                                                         std::move(folded), hidden, options, nodes);
  add_face(
      question.face, document, [&] { add_tables(scene, document); },
      [&] { return explanation_picture(*scene, document.arena()); },
      [&] { return explanation_tree(*scene, document.arena()); });
  return document;
}

Shape shape_of_explanation() {
  static const std::vector<Section> kShape =
      shape_of_answer({Record{table_of<kAbout>({})}, Record{table_of<kMetrics>("metrics")},
                       Table{"nodes", explanation_columns()}, Table{"edges", story_edge_columns()},
                       Table{"summaries", summary_columns()}});
  return kShape;
}

}  // namespace xtrace
