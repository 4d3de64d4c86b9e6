#include <fmt/format.h>

#include <map>

#include "view/common/words.h"
#include "view/story/explanation.h"

namespace xtrace {

namespace {

class StoryPictureBuilder {
 public:
  StoryPictureBuilder(const ExplanationScene& scene, CellArena& arena)
      : scene_(scene),
        door_(scene.question.door),
        arena_(arena),
        node_of_(scene.story.nodes.size(), Drawing::kNone) {}

  Drawing draw() {
    for (const ExplanationScene::Shown& shown : scene_.shown()) add_node(shown);
    for (const StoryEdge& edge : scene_.folded.edges) add_edge(edge);
    drawing_.meanings = {{Drawing::Stroke::dashed, "triggered"},
                         {Drawing::Stroke::faint, "user action"}};
    return std::move(drawing_);
  }

 private:
  uint32_t group_of(const StoryNode& node) {
    if (!node.task) return Drawing::kNone;
    auto [known, is_new] =
        groups_.emplace(node.task.index, static_cast<uint32_t>(drawing_.groups.size()));
    if (is_new)
      drawing_.groups.push_back(
          {door_.say("task {}", scene_.names.text(scene_.story.task(node)).view()),
           Drawing::kNone});
    return known->second;
  }

  void add_node(const ExplanationScene::Shown& shown) {
    ExplanationRow row(scene_, shown, arena_);
    Door::At at(door_, row.place());
    Drawing::Node node;
    node.id = scene_.id(shown);
    node.lines = {door_.composed(words_of(row)), detail(row)};
    node.kind = Door::own(word(row.node.type));
    node.group = group_of(row.node);
    node.error = row.node.status == StepStatus::error;
    if (size_t notes = annotations_of(row).size(); notes > 0)
      node.lines.push_back(door_.composed(plural(static_cast<int64_t>(notes), "annotation")));
    node.spike = row.node.cost_spike > 0;
    if (node.spike)
      node.lines.push_back(
          door_.say("{}: {}", show_dollars({row.node.cost}), spike_words(row.node)));
    node.tip = scene_.names.at(place_of(scene_.graph, row.node));
    if (std::string code = code_place(row); !code.empty())
      node.tip = door_.say("{} · {}", node.tip.view(), code);
    node.type = "Step";
    if (scene_.question.with_properties) {
      node.scope =
          door_.composed(row.node.start == kNoTime ? std::string()
                                                   : format_time(start_of(scene_.graph, row.node)));
      node.properties = of_nodes_.of(row);
      for (const auto& [key, cell] : of_details_.of(row).items)
        add_parts(key.view(), *std::get<const Entries*>(cell), door_, node.properties);
    }
    node_of_[shown.node] = static_cast<uint32_t>(drawing_.nodes.size());
    drawing_.nodes.push_back(std::move(node));
  }

  Text detail(const ExplanationRow& row) {
    std::string text(scene_.names.text(scene_.story.agent(row.node)).view());
    auto add = [&](std::string_view more) { (text += text.empty() ? "" : " · ") += more; };
    if (row.node.latency != kNoDuration) add(format_span(row.node.latency));
    if (row.node.status != StepStatus::ok) add(word(row.node.status));
    return door_.composed(std::move(text));
  }

  void add_edge(const StoryEdge& of) {
    Drawing::Edge edge;
    edge.from = node_of_[of.from];
    edge.to = node_of_[of.to];
    edge.relation = Door::own(word(of.relation));
    if (of.relation != Relation::next_step) edge.label = edge.relation;
    edge.stroke = !is_sure(of.confidence)                ? Drawing::Stroke::dotted
                  : of.relation == Relation::triggered   ? Drawing::Stroke::dashed
                  : of.relation == Relation::user_action ? Drawing::Stroke::faint
                                                         : Drawing::Stroke::solid;
    if (of.hidden > 0)
      edge.label = door_.say("through {}", plural(static_cast<int64_t>(of.hidden), "step"));
    if (scene_.question.with_properties) edge.properties = of_edges_.of({scene_, of, arena_});
    drawing_.edges.push_back(std::move(edge));
  }

  const ExplanationScene& scene_;
  Door& door_;
  CellArena& arena_;
  Properties<ExplanationRow> of_nodes_{
      explanation_fields(),
      {"timestamp", "agent", "type", "model", "promptSummary", "tokensIn", "tokensOut", "latencyMs",
       "costUsd", "status", "task", "at", "label", "color", "tooltip", "size"}};
  Properties<ExplanationRow> of_details_{explanation_fields(), {"details"}};
  Properties<StoryEdgeRow> of_edges_{story_edge_fields(), {"confidence", "method", "hidden"}};
  Drawing drawing_;
  std::map<uint32_t, uint32_t> groups_;
  std::vector<uint32_t> node_of_;
};

}  // namespace

Drawing explanation_picture(const ExplanationScene& scene, CellArena& arena) {
  return StoryPictureBuilder(scene, arena).draw();
}

}  // namespace xtrace
