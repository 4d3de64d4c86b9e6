#include <fmt/format.h>

#include <map>

#include "view/trace_faces.h"
#include "view/words.h"

namespace xtrace {

namespace {

/// Draws the flow of the steps, and beside it the graph that they visited.
class TracePicture {
 public:
  explicit TracePicture(const TraceScene& scene) : scene_(scene), door_(scene.question.door) {}

  Drawing draw() {
    const Query& query = scene_.trace.query;
    drawing_.title = door_.composed(fmt::format("query {}", scene_.names.text(query.id).view()));
    add_steps();
    link_steps();
    if (!scene_.trace.visited.nodes().empty()) add_subgraph();
    return std::move(drawing_);
  }

 private:
  uint32_t add(Drawing::Node node) {
    drawing_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(drawing_.nodes.size() - 1);
  }

  void add_steps() {
    for (size_t i = 0; i < scene_.trace.steps.size(); ++i) {
      const Step& step = scene_.trace.steps[i];
      Door::At at(door_, scene_.names.place(step.at));
      Drawing::Node node;
      node.id = door_.composed(fmt::format("step {}", i + 1));
      node.lines = {door_.composed(step_words(scene_, i))};
      std::string figures;
      if (step.took != kNoDuration) figures = format_span(step.took);
      const Tokens& tokens = step.record.tokens;
      if (tokens.input >= 0 || tokens.output >= 0)
        figures = join_notes(std::move(figures),
                             fmt::format("{} in, {} out", std::max<int64_t>(tokens.input, 0),
                                         std::max<int64_t>(tokens.output, 0)));
      if (!figures.empty()) node.lines.push_back(door_.composed(std::move(figures)));
      if (std::string model = model_words(scene_, step.record); !model.empty())
        node.lines.push_back(door_.composed(std::move(model)));
      node.kind = "Step";
      node.error = step.outcome == Outcome::error;
      auto property = [&](Text key, Cell value) {
        if (!std::holds_alternative<std::monostate>(value))
          node.properties.items.emplace_back(key, value);
      };
      property("order", TraceScene::order(i));
      property("node", scene_.text(step.record.node));
      property("status", Door::own(word(step.outcome)));
      property("latency_ms", known(step.took));
      property("tokens_in", known(tokens.input));
      property("tokens_out", known(tokens.output));
      property("model", known(scene_.text(step.record.model)));
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
      if (step.parent != Step::kNone) {
        edge.from = steps_[step.parent];
        if (step.cause != nullptr && !is_sure(confidence(*step.cause))) {
          edge.stroke = Drawing::Stroke::dotted;
          edge.label = door_.composed(fmt::format("{:.2f}", confidence(*step.cause)));
        }
      } else if (!nested && i > 0) {
        edge.from = steps_[i - 1];
      } else {
        continue;
      }
      drawing_.edges.push_back(edge);
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
    drawing_.groups.push_back({"subgraph", Drawing::kNone});
    std::map<size_t, uint32_t> places;
    const std::vector<Visited::Node>& nodes = scene_.trace.visited.nodes();
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!scene_.shown[i]) continue;
      const VisitedNode& visited = nodes[i].node;
      bool hides = scene_.withholds(visited.sensitivity);
      Drawing::Node node;
      node.id = door_.composed(fmt::format("node {}", scene_.text(visited.id).view()));
      Text name = hides ? Text("(withheld)") : scene_.text(visited.name);
      node.lines = {name.empty() ? scene_.text(visited.id) : name};
      std::string what(scene_.text(visited.label).view());
      if (!hides) what = join_notes(std::move(what), scene_.text(visited.type).view());
      if (!name.empty()) what = join_notes(std::move(what), scene_.text(visited.id).view());
      if (!what.empty()) node.lines.push_back(door_.composed(std::move(what)));
      node.kind = visited.label.empty() ? Text("Other") : scene_.text(visited.label);
      node.group = 0;
      places[i] = add(std::move(node));
    }
    for (const Visited::Edge& visited : scene_.trace.visited.edges()) {
      if (!scene_.shown[visited.from] || !scene_.shown[visited.to]) continue;
      Drawing::Edge edge;
      edge.from = places[visited.from];
      edge.to = places[visited.to];
      edge.label = scene_.text(visited.edge.type);
      edge.relation = "RELATED_TO";
      drawing_.edges.push_back(edge);
    }
    for (auto [i, place] : places)
      for (size_t step : nodes[i].steps) {
        if (step >= steps_.size()) continue;  // told of the query as a whole
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
  std::vector<uint32_t> steps_;
};

}  // namespace

Drawing draw_trace(const TraceScene& scene) {
  return TracePicture(scene).draw();
}

}  // namespace xtrace
