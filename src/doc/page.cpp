#include "doc/page.h"

#include <algorithm>

#include "base/text.h"
#include "doc/document.h"

namespace xtrace {

namespace {

constexpr double kBetweenRanks = 48, kBetweenBoxes = 24, kLabelHeight = 14;
constexpr uint32_t kNone = UINT32_MAX;

/// Boxes as a forest: each hangs below the deepest of those that lead to it.
struct Ranks {
  std::vector<uint32_t> rank, parent, order;  ///< order: none before its parent
  std::vector<double> label;                  ///< of the arrow from its parent
  double beside = 0;                          ///< room for arrows that pass by

  explicit Ranks(const Blueprint& of);
};

Ranks::Ranks(const Blueprint& of)
    : rank(of.boxes.size()), parent(of.boxes.size(), kNone), label(of.boxes.size()) {
  size_t count = of.boxes.size();
  std::vector<uint32_t> ways_in(count), first(count + 2), arrows(of.arrows.size());
  for (const Blueprint::Arrow& arrow : of.arrows)
    if (arrow.from != arrow.to) ++ways_in[arrow.to], ++first[arrow.from + 2];
  for (size_t i = 2; i < first.size(); ++i) first[i] += first[i - 1];
  for (uint32_t i = 0; i < of.arrows.size(); ++i)
    if (of.arrows[i].from != of.arrows[i].to) arrows[first[of.arrows[i].from + 1]++] = i;
  std::vector<bool> met(count);
  auto meet = [&](uint32_t at) {
    met[at] = true;
    order.push_back(at);
  };
  for (uint32_t at = 0; at < count; ++at)
    if (ways_in[at] == 0) meet(at);
  uint32_t next = 0;
  for (size_t i = 0; order.size() < count || i < order.size(); ++i) {
    if (i == order.size()) {  // what is left are rings: they are cut somewhere
      while (met[next]) ++next;
      meet(next);
    }
    for (uint32_t a = first[order[i]]; a < first[order[i] + 1]; ++a) {
      const Blueprint::Arrow& arrow = of.arrows[arrows[a]];
      if (met[arrow.to]) continue;
      if (parent[arrow.to] == kNone || rank[arrow.from] + 1 > rank[arrow.to]) {
        parent[arrow.to] = arrow.from;
        rank[arrow.to] = rank[arrow.from] + 1;
        label[arrow.to] = arrow.label;
      }
      if (--ways_in[arrow.to] == 0) meet(arrow.to);
    }
  }
  for (const Blueprint::Arrow& arrow : of.arrows)
    if (arrow.from != arrow.to && rank[arrow.to] > rank[arrow.from] + 1)
      beside += kBetweenBoxes / 2 + arrow.label;
}

}  // namespace

Blueprint blueprint_of(const Drawing& drawing) {
  constexpr double kWidest = 40 * 7.6;  // pictures cut longer lines, also on arrows
  Blueprint blueprint;
  std::vector<bool> listed(drawing.groups.size());
  for (const Drawing::Node& node : drawing.nodes) {
    std::vector<std::string_view> lines;
    // The first node of a group bears its name.
    if (node.group != Drawing::kNone && !listed[node.group]) {
      listed[node.group] = true;
      lines.push_back(drawing.groups[node.group].label.view());
    }
    for (Text line : node.lines)
      if (!line.empty()) lines.push_back(line.view());
    blueprint.add_box(lines);
    blueprint.boxes.back().width = std::min(blueprint.boxes.back().width, kWidest + 28);
  }
  for (const Drawing::Edge& edge : drawing.edges)
    blueprint.arrows.push_back(
        {edge.from, edge.to, 0.8 * std::min(Blueprint::width_of(edge.label.view()), kWidest)});
  return blueprint;
}

double Blueprint::width_of(std::string_view text) {
  return 7.6 * static_cast<double>(width(text));
}

PaperSize size_of(const Blueprint& of, bool right) {
  const Ranks ranks(of);
  auto along = [&](const PaperSize& box) { return right ? box.width : box.height; };
  auto across = [&](const PaperSize& box) { return right ? box.height : box.width; };
  std::vector<double> deep, labels, wide(of.boxes.size());
  double roots = 0;
  for (size_t i = ranks.order.size(); i-- > 0;) {
    uint32_t at = ranks.order[i];
    uint32_t rank = ranks.rank[at];
    if (rank >= deep.size()) deep.resize(rank + 1), labels.resize(rank + 1);
    deep[rank] = std::max(deep[rank], along(of.boxes[at]));
    double own = std::max(wide[at], across(of.boxes[at]) + kBetweenBoxes);
    if (!right) own = std::max(own, 2 * ranks.label[at]);
    (ranks.parent[at] == kNone ? roots : wide[ranks.parent[at]]) += own;
  }
  for (const Blueprint::Arrow& arrow : of.arrows)
    if (double& label = labels[ranks.rank[arrow.to]]; arrow.label > 0)
      label = std::max(label, right ? arrow.label : kLabelHeight);
  double length = 0;
  for (size_t rank = 0; rank < deep.size(); ++rank)
    length += deep[rank] + kBetweenRanks + labels[rank];
  length -= kBetweenRanks;
  double breadth = roots + (right ? ranks.beside / 4 : ranks.beside);
  return right ? PaperSize{length, breadth} : PaperSize{breadth, length};
}

namespace {

/// With some room to spare, as fonts differ, and some for a legend.
double sticks_out(PaperSize size) {
  constexpr double kSpare = 1.04, kLegend = 90;
  return std::max(kSpare * size.width / kPage.width, (size.height + kLegend) / kPage.height);
}

}  // namespace

bool fits_page(const Blueprint& of, Direction asked) {
  return (asked != Direction::right && sticks_out(size_of(of, false)) <= 1) ||
         (asked != Direction::down && sticks_out(size_of(of, true)) <= 1);
}

Direction direction_for(const Blueprint& of, Direction asked) {
  if (asked != Direction::automatic) return asked;
  double down = sticks_out(size_of(of, false));
  if (down <= 1) return Direction::down;
  return sticks_out(size_of(of, true)) < down ? Direction::right : Direction::down;
}

}  // namespace xtrace
