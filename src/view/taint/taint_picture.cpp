#include <fmt/format.h>

#include <map>

#include "view/common/field.h"
#include "view/taint/taint_report.h"

namespace xtrace {

namespace {

/// Sources, what the text went through, and sinks: each once.
class FlowPicture {
 public:
  explicit FlowPicture(const TaintReport& report) : report_(report) {}

  Drawing draw() {
    drawing_.title = "untrusted text in sinks";
    for (const TaintFlow& flow : report_.found.flows) add(flow);
    return std::move(drawing_);
  }

 private:
  void add(const TaintFlow& flow) {
    uint32_t before = Drawing::kNone;
    for (size_t i = 0; i < flow.path.size(); ++i) {
      const bool is_source = i == 0, is_sink = i + 1 == flow.path.size();
      const uint32_t node = node_of(flow.path[i], is_source, is_sink);
      if (before != Drawing::kNone) connect(before, node, flow, is_sink);
      before = node;
    }
  }

  uint32_t node_of(const TaintStep& step, bool is_source, bool is_sink) {
    const auto [known, is_new] =
        nodes_.emplace(std::pair(step.call.index, step.use ? step.use.index : UINT32_MAX),
                       static_cast<uint32_t>(drawing_.nodes.size()));
    if (is_new) {
      Drawing::Node node;
      node.id = report_.id(step);
      const Text tool = report_.tool(step);
      const Names& names = report_.scene.names;
      node.lines = {tool.empty() ? names.agent(report_.scene.graph.agent_of(step.call)) : tool,
                    names.shown_at(step.call)};
      node.kind = "call";
      node.type = step.use ? Text("ToolUse") : Text("Call");
      drawing_.nodes.push_back(std::move(node));
    }
    Drawing::Node& node = drawing_.nodes[known->second];
    if (is_source) node.kind = "source";
    if (is_sink) node.kind = "sink";
    return known->second;
  }

  void connect(uint32_t from, uint32_t to, const TaintFlow& flow, bool is_sink) {
    const auto [known, is_new] = edges_.emplace(std::pair(from, to), drawing_.edges.size());
    if (is_new) {
      Drawing::Edge edge{from, to, {}};
      edge.relation = "REUSED";
      drawing_.edges.push_back(std::move(edge));
    }
    if (!is_sink) return;
    Drawing::Edge& edge = drawing_.edges[known->second];
    const Text argument = report_.argument(flow);
    if (edge.label.view().find(argument.view()) != std::string_view::npos) return;
    std::string label(edge.label.view());
    label += fmt::format("{}{}", label.empty() ? "" : ", ", argument.view());
    edge.label = report_.door().composed(std::move(label));
  }

  const TaintReport& report_;
  Drawing drawing_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> nodes_;
  std::map<std::pair<uint32_t, uint32_t>, size_t> edges_;
};

}  // namespace

Drawing taint_picture(const TaintReport& report) {
  return FlowPicture(report).draw();
}

}  // namespace xtrace
