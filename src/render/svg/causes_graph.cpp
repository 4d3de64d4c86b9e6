#include "render/svg/causes_graph.h"

#include <algorithm>
#include <deque>
#include <map>

namespace xtrace {

namespace {

/// Marks that are shown, in the order of the chart.
std::vector<bool> choose(const Chart& chart, uint32_t target, size_t most) {
  std::vector<bool> chosen(chart.marks.size());
  if (target == Chart::kNone) {
    std::fill_n(chosen.begin(), std::min(most, chosen.size()), true);
    return chosen;
  }
  std::vector<std::vector<uint32_t>> near(chart.marks.size());
  for (const Chart::Arrow& arrow : chart.arrows) {
    near[arrow.from].push_back(arrow.to);
    near[arrow.to].push_back(arrow.from);
  }
  std::deque<uint32_t> next = {target};
  chosen[target] = true;
  for (size_t left = most; !next.empty(); next.pop_front())
    for (uint32_t other : near[next.front()])
      if (!chosen[other] && left > 1) {
        chosen[other] = true;
        --left;
        next.push_back(other);
      }
  return chosen;
}

/// Between two, the surest link stands for all.
std::vector<CausesGraph::Link> links_among(const Chart& chart, const std::vector<bool>& chosen) {
  std::vector<CausesGraph::Link> links;
  for (const Chart::Arrow& arrow : chart.arrows) {
    if (!chosen[arrow.from] || !chosen[arrow.to] || arrow.from == arrow.to) continue;
    const std::string_view type = chart.text(chart.link(arrow).type);
    // They are sorted by both ends.
    if (!links.empty() && links.back().from == arrow.from && links.back().to == arrow.to) {
      CausesGraph::Link& link = links.back();
      if (link.types.find(type) == std::string::npos) (link.types += ", ") += type;
      if (chart.link(arrow).confidence > chart.link(*link.arrow).confidence) link.arrow = &arrow;
      continue;
    }
    links.push_back({arrow.from, arrow.to, &arrow, std::string(type)});
  }
  return links;
}

/// Marks that cannot be told apart but by their ids.
std::vector<std::string> signatures(const Chart& chart, const std::vector<bool>& chosen,
                                    const std::vector<CausesGraph::Link>& links) {
  std::vector<std::string> signature(chart.marks.size());
  for (uint32_t i = 0; i < chart.marks.size(); ++i) {
    const Chart::Mark& mark = chart.marks[i];
    if (!chosen[i]) continue;
    // What matters is never folded.
    if (mark.failed || mark.tool_failed || mark.critical) signature[i] = std::to_string(i) + '!';
    signature[i] += chart.label(mark);
    signature[i] += '\n';
    signature[i] += chart.text(mark.agent_type);
  }
  for (const CausesGraph::Link& link : links) {
    signature[link.from] += "\n>" + std::to_string(link.to);
    signature[link.to] += "\n<" + std::to_string(link.from);
  }
  return signature;
}

}  // namespace

CausesGraph causes_graph(const Chart& chart, uint32_t target, size_t most) {
  const std::vector<bool> chosen = choose(chart, target, most);
  std::vector<CausesGraph::Link> links = links_among(chart, chosen);
  const std::vector<std::string> signature = signatures(chart, chosen, links);
  CausesGraph graph;
  std::map<std::string_view, uint32_t> alike;
  std::vector<uint32_t> node_of(chart.marks.size(), Chart::kNone);
  for (uint32_t i = 0; i < chart.marks.size(); ++i) {
    if (!chosen[i]) {
      ++graph.left_out;
      continue;
    }
    const uint32_t next = static_cast<uint32_t>(graph.nodes.size());
    const auto [found, is_new] =
        i == target ? std::pair(alike.end(), true) : alike.emplace(signature[i], next);
    node_of[i] = is_new ? next : found->second;
    if (is_new)
      graph.nodes.push_back({i});
    else
      ++graph.nodes[node_of[i]].many;
  }
  if (target != Chart::kNone) graph.target = node_of[target];
  std::map<std::pair<uint32_t, uint32_t>, bool> seen;
  for (CausesGraph::Link& link : links) {
    link.from = node_of[link.from];
    link.to = node_of[link.to];
    if (seen.emplace(std::pair(link.from, link.to), true).second)
      graph.links.push_back(std::move(link));
  }
  return graph;
}

}  // namespace xtrace
