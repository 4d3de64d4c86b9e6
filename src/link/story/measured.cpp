#include "link/story/measured.h"

#include <algorithm>
#include <map>

#include "facts/row_or_empty.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

bool is_of(const Measurement& told, const StoryNode& node, const Graph& graph) {
  const Trace& trace = graph.trace();
  const Span& span = row_or_empty(trace, node.hop ? graph.hops()[node.hop].span : SpanId{});
  if (told.component) return row_or_empty(trace, node.task_step).component == told.component;
  return !told.service || span.service == told.service;
}

}  // namespace

void add_measured(const Graph& graph, Story& story) {
  std::vector<const Measurement*> told;
  for (const Measurement& one : graph.trace().measurements) told.push_back(&one);
  if (told.empty()) return;
  std::stable_sort(told.begin(), told.end(),
                   [](const auto* a, const auto* b) { return a->time < b->time; });
  for (uint32_t at = 0; at < story.nodes.size(); ++at) {
    StoryNode& node = story.nodes[at];
    node.first_measured = static_cast<uint32_t>(story.measured.size());
    if (node.start == kNoTime || node.is_query) continue;
    std::map<std::string_view, double> highest;
    auto from = std::lower_bound(told.begin(), told.end(), node.start,
                                 [](const auto* one, Time time) { return one->time < time; });
    for (; from != told.end() && (*from)->time <= node.end(); ++from) {
      if (!is_of(**from, node, graph)) continue;
      auto [known, is_new] = highest.try_emplace((*from)->key, (*from)->number);
      if (!is_new) known->second = std::max(known->second, (*from)->number);
    }
    for (const auto& [key, number] : highest)
      story.measured.push_back({key, {}, number, Remark::Kind::number});
    node.measured = static_cast<uint32_t>(highest.size());
  }
}

}  // namespace xtrace
