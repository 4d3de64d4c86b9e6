#include <fmt/format.h>

#include <map>

#include "view/calls/call_words.h"
#include "view/common/words.h"
#include "view/query/trace_faces.h"

namespace xtrace {

namespace {

/// Draws the flow of the steps, and beside it the graph that they visited.
class TracePicture {
 public:
  explicit TracePicture(const TraceScene& scene) : scene_(scene), door_(scene.question.door) {}

  Drawing draw() {
    const Query& query = scene_.trace.query;
    drawing_.title = door_.composed(fmt::format("query {}", scene_.names.text(query.id).view()));
    std::string_view project = query.project.empty() ? "default" : query.project;
    query_ = door_.name(fmt::format("{}/{}", project, query.id));
    project_ = scene_.names.text(query.project);
    add_steps();
    link_steps();
    if (!scene_.trace.visited.nodes().empty()) add_subgraph();
    // What a picture has no room for, and a database has.
    if (scene_.question.with_properties) add_query();
    return std::move(drawing_);
  }

 private:
  uint32_t add(Drawing::Node node) {
    drawing_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(drawing_.nodes.size() - 1);
  }

  Entries properties_of(const Step& step, size_t at) const {
    const StepRecord& record = step.record;
    Entries known_ones;
    auto add_known = [&](Text key, Cell value) {
      if (!std::holds_alternative<std::monostate>(value)) known_ones.add(key, value);
    };
    add_known("order", TraceScene::order(at));
    add_known("node", known(scene_.text(record.node)));
    add_known("at", scene_.names.at(step.at));
    add_known("started", known(step.start));
    add_known("status", Door::own(word(step.outcome)));
    add_known("latency_ms", known(step.took));
    add_known("tokens_in", known(record.tokens.input));
    add_known("tokens_out", known(record.tokens.output));
    add_known("provider", known(scene_.text(record.provider)));
    add_known("model", known(scene_.text(record.model)));
    return known_ones;
  }

  void add_query() {
    const Query& query = scene_.trace.query;
    Drawing::Node node;
    node.id = scene_.names.text(query.id);
    node.lines = {query_};
    node.kind = node.type = "Query";
    node.scope = project_;
    node.properties.add("query_id", node.id);
    if (!project_.empty()) node.properties.add("project_id", project_);
    for (const std::string& mode : scene_.trace.modes)
      node.properties.add("mode", scene_.text(mode));
    for (const std::string& version : scene_.trace.graph_versions)
      node.properties.add("graph_version", scene_.text(version));
    uint32_t at = add(std::move(node));
    for (uint32_t step : steps_) connect(at, step, "HAS_STEP");
    for (size_t i = 0; i < steps_.size(); ++i)
      for (const EvidenceRef* ref : scene_.evidence_of(scene_.trace.steps[i]))
        connect(steps_[i], evidence(*ref), "USED");
    for (const EvidenceRef& ref : scene_.trace.citations) connect(at, evidence(ref), "CITES");
  }

  void connect(uint32_t from, uint32_t to, Text relation) {
    Drawing::Edge edge;
    edge.from = from;
    edge.to = to;
    edge.relation = relation;
    drawing_.edges.push_back(edge);
  }

  /// The node of a reference; equal references have one.
  uint32_t evidence(const EvidenceRef& ref) {
    std::string words = evidence_words(scene_, ref);
    auto [place, is_new] = evidence_.emplace(words, 0);
    if (is_new) {
      Drawing::Node node;
      node.id = door_.composed(fmt::format("evidence {}", words));
      node.lines = {door_.composed(std::move(words))};
      node.kind = node.type = "Evidence";
      node.scope = project_;
      place->second = add(std::move(node));
    }
    return place->second;
  }

  void add_steps() {
    for (size_t i = 0; i < scene_.trace.steps.size(); ++i) {
      const Step& step = scene_.trace.steps[i];
      Door::At at(door_, scene_.names.place(step.at));
      Drawing::Node node;
      node.id = door_.composed(fmt::format("step {}", i + 1));
      for (std::string& line : step_words(scene_, i))
        node.lines.push_back(door_.composed(std::move(line)));
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
      node.type = "Step";
      node.scope = query_;
      if (scene_.question.with_properties) node.properties = properties_of(step, i);
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
          edge.label = door_.composed(fmt::format("{:.2f}", confidence(*step.cause)));
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
      Drawing::Node node;
      node.id = door_.composed(fmt::format("node {}", scene_.node_id(i).view()));
      Text name = hides                                    ? Text("(withheld)")
                  : scene_.shows_name(visited.sensitivity) ? scene_.text(visited.name)
                                                           : Text();
      node.lines = {name.empty() ? scene_.node_id(i) : name};
      std::string what(scene_.text(visited.label).view());
      if (!hides) what = join_notes(std::move(what), scene_.text(visited.type).view());
      if (!name.empty()) what = join_notes(std::move(what), scene_.node_id(i).view());
      if (!what.empty()) node.lines.push_back(door_.composed(std::move(what)));
      node.kind = visited.label.empty() ? Text("Other") : scene_.text(visited.label);
      node.scope = project_;
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
  std::map<std::string, uint32_t> evidence_;
  Text query_, project_;
};

}  // namespace

Drawing draw_trace(const TraceScene& scene) {
  return TracePicture(scene).draw();
}

}  // namespace xtrace
