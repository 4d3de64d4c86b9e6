#pragma once

#include <string>
#include <vector>

#include "doc/add_row.h"
#include "render/chart/chart.h"

namespace xtrace {

/// An answer with nodes and edges, as those of calls have them, and the chart of it.
class Charted {
 public:
  struct Node {
    std::string_view id;
    int64_t start_s = -1;  ///< -1: unknown
    int64_t took_s = -1;
    std::string_view parent{}, agent = "main", at = "a.jsonl:1", status = "ok";
    int64_t cost = -1;
    int64_t turn = -1;
    std::string_view previous{};    ///< in its conversation
    std::string_view error{};       ///< its class
    std::string_view colour{};      ///< of its agent, as a log has it
    std::string_view tool{};        ///< that it used, and that failed
    std::string_view tool_error{};  ///< what the tool reported
  };
  struct Edge {
    std::string_view from, to;
    double confidence = 1;
    std::string_view rival{};
  };

  explicit Charted(const std::vector<Node>& nodes, const std::vector<Edge>& edges = {}) {
    for (const Node& node : nodes) {
      auto text = [&](std::string_view word) {
        return word.empty() ? Cell() : Cell(door_.name(word));
      };
      add_row(
          nodes_,
          {text(node.id), text(node.parent), text(node.at), Text("s1"),
           node.start_s < 0 ? Cell() : Cell(Moment{Time(std::chrono::seconds(node.start_s))}),
           node.took_s < 0 ? Cell() : Cell(Duration(std::chrono::seconds(node.took_s))),
           text(node.agent), text(node.status), node.cost < 0 ? Cell() : Cell(Dollars{node.cost}),
           text(node.previous), node.turn < 0 ? Cell() : Cell(node.turn), text(node.error),
           text(node.colour), node.tool.empty() ? Cell() : failed_tool(node)});
    }
    for (const Edge& edge : edges) {
      Table rivals{{}, kRivals};
      if (!edge.rival.empty()) add_row(rivals, {door_.name(edge.rival), 0.25});
      add_row(edges_,
              {door_.name(edge.from), door_.name(edge.to), edge.confidence,
               edge.rival.empty() ? Cell() : Cell(document_.arena().keep(std::move(rivals)))});
    }
    document_.add(nodes_);
    document_.add(edges_);
  }

  const Document& document() const { return document_; }
  Chart chart(bool gather = false) const {
    Chart chart = read_chart(document_);
    if (gather) gather_conversations(chart);
    order_marks(chart);
    lay_lanes(chart);
    return chart;
  }
  /// Their ids, in the order of the chart.
  static std::vector<std::string> ids(const Chart& chart) {
    std::vector<std::string> ids;
    for (const Chart::Mark& mark : chart.marks) ids.emplace_back(chart.text(mark.id));
    return ids;
  }

 private:
  Cell failed_tool(const Node& node) {
    Table tools{{}, kTools};
    add_row(tools, {door_.name(node.tool), true, door_.name(node.tool_error)});
    return document_.arena().keep(std::move(tools));
  }

  static constexpr Column kTools[] = {{"name", "", Role::name},
                                      {"is_error", "", Role::is_error},
                                      {"error_text", "", Role::error_text}};
  static constexpr Column kNodes[] = {
      {"id", "", Role::id},
      {"parent", "", Role::parent},
      {"at", "", Role::place},
      {"session", "", Role::session},
      {"timestamp", "", Role::start},
      {"duration_ms", "", Role::duration},
      {"agent.id", "", Role::agent},
      {"status", "", Role::status},
      {"cost_usd", "", Role::cost},
      {"previous", "", Role::previous},
      {"turn", "", Role::turn},
      {"error", "", Role::error},
      {"agent.color", "", Role::agent_colour},
      {"tool_uses", "", CellKind::rows, false, kTools, Role::tool_uses}};
  static constexpr Column kRivals[] = {{"source", "", Role::source},
                                       {"confidence", "", Role::confidence}};
  static constexpr Column kEdges[] = {
      {"source", "", Role::source},
      {"target", "", Role::target},
      {"confidence", "", Role::confidence},
      {"alternatives", "", CellKind::rows, false, kRivals, Role::alternatives}};

  Door door_{Redaction::all, Door::Level::basic, 200};
  Document document_{"dag"};
  Table nodes_{"nodes", kNodes};
  Table edges_{"edges", kEdges};
};

}  // namespace xtrace
