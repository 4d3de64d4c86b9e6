#include <fmt/format.h>

#include <map>

#include "view/calls/call_words.h"
#include "view/common/words.h"
#include "view/query/trace_faces.h"
#include "view/query/trace_graph.h"

namespace xtrace {

namespace {

/// Draws the flow of the steps, and beside it the graph that they visited.
class TracePicture {
 public:
  explicit TracePicture(const TraceScene& scene)
      : scene_(scene), door_(scene.question.door), graph_(scene, drawing_) {}

  Drawing draw() {
    const Query& query = scene_.trace.query;
    drawing_.title = door_.say("query {}", scene_.names.text(query.id).view());
    add_steps();
    link_steps();
    if (!scene_.trace.visited.nodes().empty()) add_subgraph();
    // What a picture has no room for, and a database has.
    if (scene_.question.with_properties) graph_.add(steps_);
    return std::move(drawing_);
  }

 private:
  uint32_t add(Drawing::Node node) {
    drawing_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(drawing_.nodes.size() - 1);
  }

  void connect(uint32_t from, uint32_t to, Text relation) {
    Drawing::Edge edge;
    edge.from = from;
    edge.to = to;
    edge.relation = relation;
    drawing_.edges.push_back(edge);
  }

  void add_steps() {
    for (size_t i = 0; i < scene_.trace.steps.size(); ++i) {
      const Step& step = scene_.trace.steps[i];
      Door::At at(door_, scene_.names.place(step.at));
      Drawing::Node node;
      node.id = door_.say("step {}", i + 1);
      for (std::string& line : step_words(scene_, i))
        node.lines.push_back(door_.composed(std::move(line)));
      std::string figures;
      if (step.took != kNoDuration) figures = format_span(step.took);
      const Tokens& tokens = step.tokens;
      if (tokens.input >= 0 || tokens.output >= 0)
        figures = join_notes(std::move(figures),
                             fmt::format("{} in, {} out", std::max<int64_t>(tokens.input, 0),
                                         std::max<int64_t>(tokens.output, 0)));
      if (!figures.empty()) node.lines.push_back(door_.composed(std::move(figures)));
      if (std::string model = model_words(scene_, step); !model.empty())
        node.lines.push_back(door_.composed(std::move(model)));
      if (!is_known(step.outcome)) node.lines.push_back(Door::own(note_of(step.outcome)));
      node.kind = "Step";
      node.error = step.outcome == Outcome::error;
      node.type = "Step";
      node.scope = graph_.query();
      if (scene_.question.with_properties) node.properties = step_properties(scene_, i);
      steps_.push_back(add(std::move(node)));
    }
  }

  void link_steps() {
    bool nested = false;
    for (const Step& step : scene_.trace.steps) nested |= step.parent != Step::kNone;
    for (size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = scene_.trace.steps[i];
      Drawing::Edge edge;
      edge.to = steps_[i];
      edge.relation = "NEXT";
      if (step.parent != Step::kNone && scene_.trace.steps[step.parent].retried_as == i)
        continue;  // the retry says it
      if (step.parent != Step::kNone) {
        edge.from = steps_[step.parent];
        edge.relation = step.cause == nullptr ? Text("PARENT") : relation(step.cause->kind);
        if (step.cause != nullptr && !is_sure(confidence(*step.cause))) {
          edge.stroke = Drawing::Stroke::dotted;
          edge.label = door_.say("{:.2f}", confidence(*step.cause));
        }
      } else if (!nested && i > 0) {
        edge.from = steps_[i - 1];
      } else {
        continue;
      }
      drawing_.edges.push_back(edge);
      for (size_t joined : step.joins) connect(steps_[joined], steps_[i], "PARENT");
    }
    for (size_t i = 0; i < steps_.size(); ++i)
      if (size_t next = scene_.trace.steps[i].retried_as; next != Step::kNone) {
        Drawing::Edge edge;
        edge.from = steps_[i];
        edge.to = steps_[next];
        edge.label = "retry";
        edge.relation = "RETRY";
        edge.stroke = Drawing::Stroke::dashed;
        edge.error = true;
        drawing_.edges.push_back(edge);
      }
  }

  void add_subgraph() {
    std::map<size_t, uint32_t> places;
    const std::vector<Visited::Node>& nodes = scene_.trace.visited.nodes();
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!scene_.shown[i]) continue;
      const VisitedNode& visited = nodes[i].node;
      bool hides = scene_.withholds_node(i);
      bool is_kept = scene_.question.with_properties;
      Drawing::Node node = is_kept ? graph_.visited(i) : Drawing::Node();
      if (!is_kept) node.id = door_.say("node {}", scene_.node_id(i).view());
      Text name = hides                                    ? Text("(withheld)")
                  : scene_.shows_name(visited.sensitivity) ? scene_.text(visited.name)
                                                           : Text();
      node.lines = {name.empty() ? scene_.node_id(i) : name};
      std::string what(scene_.text(visited.label).view());
      if (!hides) what = join_notes(std::move(what), scene_.text(visited.type).view());
      if (!name.empty()) what = join_notes(std::move(what), scene_.node_id(i).view());
      if (!what.empty()) node.lines.push_back(door_.composed(std::move(what)));
      node.kind = visited.label.empty() ? Text("Other") : scene_.text(visited.label);
      places[i] = add(std::move(node));
      graph_.set_place(i, places[i]);
    }
    for (const Visited::Edge& visited : scene_.trace.visited.edges()) {
      if (!scene_.shown[visited.from] || !scene_.shown[visited.to]) continue;
      Drawing::Edge edge;
      edge.from = places[visited.from];
      edge.to = places[visited.to];
      edge.label = edge.relation = scene_.text(visited.edge.type);
      edge.told = true;
      if (scene_.question.with_properties) edge.properties = edge_properties(scene_, visited);
      drawing_.edges.push_back(std::move(edge));
    }
    for (auto [i, place] : places)
      for (size_t step : nodes[i].steps) {
        if (step >= steps_.size()) continue;  // a record of the query as a whole
        Drawing::Edge edge;
        edge.from = steps_[step];
        edge.to = place;
        edge.stroke = Drawing::Stroke::faint;
        edge.relation = "VISITED";
        drawing_.edges.push_back(edge);
      }
  }

  const TraceScene& scene_;
  Door& door_;
  Drawing drawing_;
  TraceGraph graph_;
  std::vector<uint32_t> steps_;
};

}  // namespace

Drawing draw_trace(const TraceScene& scene) {
  return TracePicture(scene).draw();
}

}  // namespace xtrace
