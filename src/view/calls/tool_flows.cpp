#include "view/calls/tool_flows.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "facts/tool_targets.h"
#include "link/activities/call_sizes.h"
#include "link/activities/carried.h"

namespace xtrace {

namespace {

/// Results of one tool that calls read before they used another one.
struct ToolFlow {
  StringId from, to;  ///< names of the tools; `to` nowhere: the call used none
  int64_t results = 0;
  int64_t same_target = 0;  ///< of these, those whose tool and the later one worked on one thing
  int64_t tokens = 0, estimated_tokens = 0, bytes = 0;
};

struct FlowRow {
  const CallScene& scene;
  const ToolFlow& flow;
};
constexpr Field<FlowRow> kFlows[] = {
    {{"source", "tool that returned the results", Role::source, true},
     [](const FlowRow& row) { return Cell(row.scene.names.text(row.flow.from)); }},
    {{"target",
      "tool used by the first call that read them; if that call used several tools, those with the "
      "same target as the result's tool, otherwise all; absent: it used none",
      Role::target},
     [](const FlowRow& row) { return known(row.scene.names.text(row.flow.to)); }},
    {{"results", "number of results; one that went into several tools counts for each of them",
      Role::count, true},
     [](const FlowRow& row) { return Cell(row.flow.results); }},
    {{"same_target", "of these, results whose tool had the same target as the later one",
      CellKind::integer},
     [](const FlowRow& row) { return some(row.flow.same_target); }},
    {{"tokens",
      "tokens that the results added to the context, divided equally among the tools of a call",
      Role::tokens},
     [](const FlowRow& row) { return some(row.flow.tokens); }},
    {{"estimated_tokens",
      "of these, tokens of results that came together with other texts: divided by their lengths "
      "at "
      "level full, equally at level basic",
      CellKind::integer},
     [](const FlowRow& row) { return some(row.flow.estimated_tokens); }},
    {{"bytes", "length of the results, divided in the same way, at level full", CellKind::integer},
     [](const FlowRow& row) { return some(row.flow.bytes); }},
};

/// Divides a sum among uses of tools, a number of them at a time: the last gets what is left, so
/// that the parts add up.
struct Division {
  int64_t rest = 0, uses = 0;

  int64_t take(int64_t count) {
    const int64_t part = count == uses ? rest : rest / uses * count;
    rest -= part;
    uses -= count;
    return part;
  }
};

class FlowFinder {
 public:
  explicit FlowFinder(const CallScene& scene)
      : scene_(scene),
        trace_(scene.graph.trace()),
        // Rows of level full read all texts anyway; for basic, that would take as long as all else.
        sizes_(trace_, scene.question.shows_payload() ? scene.question.payloads : nullptr) {
    for (const CarriedResult& one : find_carried(scene.graph, sizes_, scene.shown_calls()))
      carried_.try_emplace(one.use.index, one);
  }

  std::vector<ToolFlow> find() {
    for (CallId reader : scene_.timeline().in_order()) {
      if (!scene_.selection.shows(reader)) continue;
      for (uint32_t i : scene_.graph.results_read_by(reader)) {
        const Link& link = scene_.links()[i];
        if (link.tool_use && !link.is_again && scene_.selection.shows(link.from))
          add(reader, trace_.tool_uses[link.tool_use.index], link.tool_use);
      }
    }
    std::vector<ToolFlow> flows;
    for (const auto& [ends, flow] : flows_) flows.push_back(flow);
    const auto order = [&](const ToolFlow& flow) {
      return std::tuple(-flow.tokens, -flow.results, trace_[flow.from], trace_[flow.to]);
    };
    std::sort(flows.begin(), flows.end(),
              [&](const ToolFlow& a, const ToolFlow& b) { return order(a) < order(b); });
    return flows;
  }

 private:
  bool shares_target(const ToolUse& one, const ToolUse& other) const {
    const std::vector<StringId> targets = targets_of(trace_, one);
    const std::vector<StringId> others = targets_of(trace_, other);
    return std::any_of(targets.begin(), targets.end(), [&](StringId target) {
      return target && std::find(others.begin(), others.end(), target) != others.end();
    });
  }

  void add(CallId reader, const ToolUse& use, ToolUseId id) {
    // How many uses of each tool, by name: what a division leaves goes to the last.
    const auto by_name = [&](StringId a, StringId b) { return trace_[a] < trace_[b]; };
    using Uses = std::map<StringId, int64_t, decltype(by_name)>;
    Uses later(by_name), on_same(by_name);
    for (const Activity& tool : scene_.graph.activities().tools_of(reader)) {
      ++later[tool.use->name];
      if (shares_target(use, *tool.use)) ++on_same[tool.use->name];
    }
    if (later.empty()) later.emplace(StringId(), 1);
    const bool is_same = !on_same.empty();
    const Uses& into = is_same ? on_same : later;
    int64_t uses = 0;
    for (const auto& [name, count] : into) uses += count;
    const auto carried = carried_.find(id.index);
    const int64_t tokens = carried == carried_.end() ? 0 : carried->second.tokens;
    const int64_t bytes = sizes_.is_known()
                              ? static_cast<int64_t>(sizes_[reader].of_result(trace_[use.id]).bytes)
                              : 0;
    Division of_tokens{tokens, uses}, of_bytes{bytes, uses};
    for (const auto& [name, count] : into) {
      ToolFlow& flow = flows_[{use.name, name}];
      flow.from = use.name;
      flow.to = name;
      ++flow.results;
      flow.same_target += is_same;
      const int64_t share = of_tokens.take(count);
      flow.tokens = sum_of_known({flow.tokens, share});
      if (carried != carried_.end() && carried->second.is_estimated)
        flow.estimated_tokens = sum_of_known({flow.estimated_tokens, share});
      flow.bytes = sum_of_known({flow.bytes, of_bytes.take(count)});
    }
  }

  const CallScene& scene_;
  const Trace& trace_;
  CallSizeMeter sizes_;
  std::unordered_map<uint32_t, CarriedResult> carried_;  ///< by tool use
  std::map<std::pair<StringId, StringId>, ToolFlow> flows_;
};

}  // namespace

Table tool_flows(const CallScene& scene) {
  Table table = table_of<kFlows>("tool_flows");
  for (const ToolFlow& flow : FlowFinder(scene).find()) add_fields(kFlows, {scene, flow}, table);
  return table;
}

std::span<const Column> tool_flow_columns() {
  return columns_of<kFlows>();
}

}  // namespace xtrace
