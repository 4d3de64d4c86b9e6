#include "view/call_picture.h"
#include "view/call_tree.h"
#include "view/groups.h"
#include "view/link_fields.h"
#include "view/preface.h"

namespace xtrace {

namespace {

constexpr Column kMetrics[] = {
    {"total_nodes", "calls shown", CellKind::integer, true},
    {"total_edges", "links shown", CellKind::integer, true},
    {"graph_depth", "links of the longest chain", CellKind::integer, true},
    {"branching_factor", "mean number of subagents of the calls that start any", CellKind::number,
     true},
    {"subagent_spawn_count", "", CellKind::integer, true},
    {"tool_dependency_count", "links of type tool_result", CellKind::integer, true},
    {"orphan_count", "tool results whose tool use is not in the input", CellKind::integer, true},
    {"critical_path",
     "the chain that took longest: its calls, and its waits for tools and subagents",
     CellKind::texts, true},
    {"critical_path_ms", "", CellKind::milliseconds, true},
};

constexpr Column kFiltered[] = {
    {"nodes", "calls that a filter hides", CellKind::integer, true},
    {"edges", "links that a filter hides, or that lead to a hidden call", CellKind::integer, true},
};

Record metrics_record(const Scene& scene) {
  Texts path;
  for (EventId id : scene.metrics.critical_path) path.push_back(scene.names.id(id));
  double branching = static_cast<int64_t>(scene.metrics.branching * 1000 + 0.5) / 1000.0;
  int64_t nodes =
      static_cast<int64_t>(scene.selection.events.size()) - scene.selection.hidden_events;
  return {{"metrics",
           kMetrics,
           {nodes, static_cast<int64_t>(scene.selection.links.size()), scene.metrics.depth,
            branching, scene.metrics.spawns, scene.metrics.tool_results,
            static_cast<int64_t>(scene.graph.orphans().size()),
            scene.document.keep(std::move(path)), scene.metrics.critical_time}}};
}

Table node_table(const Scene& scene) {
  Table table{"nodes", call_columns()};
  for (EventId id : scene.timeline().in_order()) {
    if (!scene.selection.shows(id)) continue;
    const Event& event = scene.timeline()[id];
    Payloads::Of payload;
    if (scene.question.payloads != nullptr) payload = scene.question.payloads->read(event);
    add_row(call_fields(), CallRow{scene, id, event, scene.timeline().call(id), std::move(payload)},
            table);
  }
  return table;
}

Table edge_table(const Scene& scene) {
  Table table{"edges", link_columns()};
  for (uint32_t i : scene.selection.links)
    add_row(link_fields(), LinkRow{scene, scene.links()[i]}, table);
  return table;
}

/// What happened, and what led to what.
class Dag final : public View {
 public:
  void declare(Options& options) override {
    options.add("--view", view_, "VIEW", "which graph: one node per model call", {"calls"});
    options.add("--unfold", unfold_, "in text, show every call of a long run");
    filter_.declare(options);
  }

  Result<Document> answer(const Question& question) const override {
    Result<Selection> selection = filter_.select(question.graph);
    if (!selection) return tl::unexpected(selection.error());
    Metrics metrics = measure(question.graph, *selection);
    Names names(question.graph, question.door);
    Document document("dag");
    Scene scene{question, question.graph, *selection, metrics, names, document};
    switch (question.face) {
      case Face::outline: document.add(call_tree(scene, unfold_)); break;
      case Face::drawing: document.add(call_picture(scene)); break;
      case Face::tables: add_tables(scene); break;
    }
    return document;
  }

 private:
  void add_tables(const Scene& scene) const {
    add_preface("xtrace.dag/1", scene.question, scene.names, scene.document);
    scene.document.add(session_table(scene));
    scene.document.add(metrics_record(scene));
    scene.document.add(agent_table(scene));
    scene.document.add(node_table(scene));
    scene.document.add(edge_table(scene));
    scene.document.add(Record{
        {"filtered", kFiltered, {scene.selection.hidden_events, scene.selection.hidden_links}}});
  }

  std::string view_ = "calls";
  bool unfold_ = false;
  Filter filter_;
};

}  // namespace

std::unique_ptr<View> make_dag() {
  return std::make_unique<Dag>();
}

std::span<const Section> shape_of_dag() {
  static const Section kShape[] = {
      Record{{{}, preface_columns()}},      Table{"inputs", input_columns()},
      Table{"warnings", warning_columns()}, Table{"sessions", session_columns()},
      Record{{"metrics", kMetrics}},        Table{"agents", agent_columns()},
      Table{"nodes", call_columns()},       Table{"edges", link_columns()},
      Record{{"filtered", kFiltered}},
  };
  return kShape;
}

}  // namespace xtrace
