#include "view/hops/run_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

#include "view/common/words.h"

namespace xtrace {

namespace {

bool is_remarkable(const Drawing& drawing) {
  return std::any_of(drawing.nodes.begin(), drawing.nodes.end(),
                     [](const Drawing::Node& node) { return node.error; }) ||
         std::any_of(drawing.edges.begin(), drawing.edges.end(), [](const Drawing::Edge& edge) {
           return edge.error || edge.stroke == Drawing::Stroke::dotted;
         });
}

/// All that is seen of it but its title.
std::string look_of(const Drawing& drawing) {
  std::string look;
  auto add = [&look](std::string_view text) {
    fmt::format_to(std::back_inserter(look), "{}:{}", text.size(), text);
  };
  for (const Drawing::Node& node : drawing.nodes) {
    for (Text line : node.lines) add(line.view());
    add(node.kind.view());
    look += '\n';
  }
  for (const Drawing::Edge& edge : drawing.edges) {
    fmt::format_to(std::back_inserter(look), "{}>{}x{}", edge.from, edge.to, edge.times);
    add(edge.label.view());
    add(edge.detail.view());
  }
  return look;
}

}  // namespace

RunPictures::RunPictures(std::vector<Drawing> of, Door& door) {
  std::map<std::string, size_t> places;
  for (Drawing& drawing : of) {
    if (!is_remarkable(drawing)) {
      auto [place, is_new] = places.emplace(look_of(drawing), drawings.size());
      if (!is_new) {
        ++runs[place->second];
        continue;
      }
    }
    drawings.push_back(std::move(drawing));
    runs.push_back(1);
  }
  for (size_t i = 0; i < drawings.size(); ++i)
    if (size_t others = runs[i] - 1; others > 0)
      drawings[i].title = door.say("{} and {}", drawings[i].title.view(),
                                   plural(static_cast<int64_t>(others), "equal one"));
}

Drawing list_callees(const Drawing& drawing, Door& door) {
  constexpr size_t kLines = 8;
  std::vector<uint32_t> caller(drawing.nodes.size(), Drawing::kNone);
  std::vector<bool> stays(drawing.nodes.size());
  for (const Drawing::Edge& edge : drawing.edges) {
    stays[edge.from] = true;
    bool is_other = caller[edge.to] != Drawing::kNone && caller[edge.to] != edge.from;
    if (is_other || edge.error || edge.stroke == Drawing::Stroke::dotted) stays[edge.to] = true;
    caller[edge.to] = edge.from;
  }
  std::map<std::pair<uint32_t, std::string_view>, std::vector<uint32_t>> lists;
  for (uint32_t at = 0; at < drawing.nodes.size(); ++at)
    if (!stays[at] && caller[at] != Drawing::kNone && !drawing.nodes[at].error)
      lists[{caller[at], drawing.nodes[at].kind.view()}].push_back(at);
  std::vector<uint32_t> home(drawing.nodes.size());
  std::iota(home.begin(), home.end(), 0u);
  for (const auto& [key, members] : lists)
    for (uint32_t at : members) home[at] = members.front();

  Drawing listed = drawing;
  listed.nodes.clear();
  listed.edges.clear();
  std::vector<uint32_t> place(drawing.nodes.size());
  for (uint32_t at = 0; at < drawing.nodes.size(); ++at) {
    if (home[at] != at) continue;
    place[at] = static_cast<uint32_t>(listed.nodes.size());
    Drawing::Node& node = listed.nodes.emplace_back(drawing.nodes[at]);
    auto list = lists.find({caller[at], node.kind.view()});
    if (list == lists.end() || list->second.front() != at) continue;
    const std::vector<uint32_t>& members = list->second;
    size_t lines = members.size() <= kLines ? members.size() : kLines - 1;
    for (size_t i = 1; i < lines; ++i)
      node.lines.push_back(drawing.nodes[members[i]].lines.front());
    if (lines < members.size()) node.lines.push_back(door.say("⋯ {} more", members.size() - lines));
  }
  std::map<std::pair<uint32_t, uint32_t>, size_t> joined;
  for (const Drawing::Edge& edge : drawing.edges) {
    uint32_t to = home[edge.to];
    bool is_list = to != edge.to || lists[{caller[to], drawing.nodes[to].kind.view()}].size() > 1;
    auto [known, is_new] = joined.emplace(std::pair(edge.from, to), listed.edges.size());
    if (is_list && !stays[to] && !is_new) {
      Drawing::Edge& first = listed.edges[known->second];
      first.times += edge.times;
      first.label = first.detail = {};
      continue;
    }
    listed.edges.push_back(edge);
    listed.edges.back().from = place[home[edge.from]];
    listed.edges.back().to = place[to];
  }
  if (listed.nodes.size() < drawing.nodes.size())
    listed.note = door.composed(folded_words(drawing.nodes.size(), "actor", listed.nodes.size()));
  return listed;
}

size_t RunPictures::keep_page(size_t most, Direction direction) {
  Blueprint page;
  size_t kept = 0;
  for (; kept < std::min(most, drawings.size()); ++kept) {
    Blueprint next = blueprint_of(drawings[kept]);
    uint32_t first = static_cast<uint32_t>(page.boxes.size());
    page.boxes.insert(page.boxes.end(), next.boxes.begin(), next.boxes.end());
    for (const Blueprint::Arrow& arrow : next.arrows)
      page.arrows.push_back({arrow.from + first, arrow.to + first, arrow.label});
    if (kept > 0 && !fits_page(page, direction)) break;
  }
  size_t left_out = std::accumulate(runs.begin() + static_cast<ptrdiff_t>(kept), runs.end(),
                                    static_cast<size_t>(0));
  drawings.resize(kept);
  runs.resize(kept);
  return left_out;
}

}  // namespace xtrace
