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

/// Between two, the link with the highest confidence represents all.
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

/// Marks that only their ids distinguish.
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

/// The marks that stay: what is remarkable about a run.
std::vector<bool> find_remarkable(const Chart& chart) {
  constexpr size_t kCostliest = 10;  // as many as pages never fold
  std::vector<bool> remarkable(chart.marks.size());
  std::vector<std::pair<int64_t, uint32_t>> costs;
  for (uint32_t i = 0; i < chart.marks.size(); ++i) {
    const Chart::Mark& mark = chart.marks[i];
    remarkable[i] = mark.failed || mark.tool_failed || mark.is_retry;
    if (const int64_t cost = chart.figures(mark).cost_nusd; cost > 0) costs.emplace_back(-cost, i);
  }
  std::sort(costs.begin(), costs.end());
  for (size_t i = 0; i < std::min(kCostliest, costs.size()); ++i)
    remarkable[costs[i].second] = true;
  for (const Chart::Arrow& arrow : chart.arrows)
    if (chart.text(chart.link(arrow).type).ends_with("spawn")) remarkable[arrow.from] = true;
  return remarkable;
}

/// Gives what is folded together one signature. A run is what a lane did in a turn, one after the
/// other; a turn is all that it did in it.
void fold_signatures(const Chart& chart, CausesGraph::Fold fold,
                     std::vector<std::string>& signature) {
  const std::vector<bool> remarkable = find_remarkable(chart);
  std::vector<uint32_t> in_time;
  for (uint32_t i = 0; i < chart.marks.size(); ++i)
    if (!signature[i].empty()) in_time.push_back(i);
  std::stable_sort(in_time.begin(), in_time.end(), [&](uint32_t a, uint32_t b) {
    return chart.marks[a].start_us < chart.marks[b].start_us;
  });
  std::map<uint32_t, size_t> runs;  // by lane: how many have begun
  for (uint32_t i : in_time) {
    size_t& run = runs[chart.marks[i].lane];
    if (remarkable[i]) {
      if (fold == CausesGraph::Fold::runs) ++run;
      continue;
    }
    signature[i] = "fold " + std::to_string(chart.marks[i].lane) + ' ' + std::to_string(run) + ' ' +
                   std::to_string(chart.figures(chart.marks[i]).turn);
  }
}

void add_to(CausesGraph::Node& node, const Chart& chart, const Chart::Mark& mark) {
  node.critical |= mark.critical;
  if (mark.duration_us > 0) node.took_us = sum_of(node.took_us, mark.duration_us);
  if (const int64_t cost = chart.figures(mark).cost_nusd; cost != Chart::kUnknown)
    node.cost_nusd = node.cost_nusd == Chart::kUnknown ? cost : sum_of(node.cost_nusd, cost);
}

}  // namespace

CausesGraph causes_graph(const Chart& chart, uint32_t target, size_t most, CausesGraph::Fold fold) {
  const std::vector<bool> chosen = choose(chart, target, most);
  std::vector<CausesGraph::Link> links = links_among(chart, chosen);
  std::vector<std::string> signature = signatures(chart, chosen, links);
  const bool folds = fold != CausesGraph::Fold::alike;
  if (folds) fold_signatures(chart, fold, signature);
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
    CausesGraph::Node& node = graph.nodes[node_of[i]];
    node.is_folded |= folds && !is_new && signature[i].starts_with("fold ");
    add_to(node, chart, chart.marks[i]);
  }
  if (target != Chart::kNone) graph.target = node_of[target];
  std::map<std::pair<uint32_t, uint32_t>, bool> seen;
  for (CausesGraph::Link& link : links) {
    link.from = node_of[link.from];
    link.to = node_of[link.to];
    if (link.from != link.to && seen.emplace(std::pair(link.from, link.to), true).second)
      graph.links.push_back(std::move(link));
  }
  return graph;
}

}  // namespace xtrace
