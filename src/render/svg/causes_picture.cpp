#include <fmt/format.h>

#include <algorithm>

#include "render/chart/layers.h"
#include "render/svg/causes_graph.h"
#include "render/svg/figures.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

/// The places of the boxes of causes: in layers from left to right, and where these are more than a
/// page is wide, in bands below one another.
struct CausesLayout {
  static constexpr int64_t kBoxWidth = 160, kBoxHeight = 34, kAcross = 38, kColumns = 5;
  struct Box {
    int64_t x = 0, y = 0, band = 0;
  };
  struct Way {
    uint32_t link = 0;
    std::vector<Box> bends;  ///< where it passes layers between its ends
  };
  std::vector<Box> boxes;  ///< of each node
  std::vector<Way> ways;   ///< of each link
  int64_t bottom = 0;
};

constexpr int64_t kBetween = 12;     // boxes of a layer
constexpr int64_t kLineHeight = 10;  // of a line that passes a layer
constexpr int64_t kBands = 16;
constexpr size_t kMostBends = 3000;
constexpr size_t kShownWhole = 40;  // marks: as many as text shows without folding

/// The graph with a node for each layer that a link passes.
struct Bent {
  uint32_t nodes = 0;
  std::vector<Layers::Edge> edges;
  std::vector<std::vector<uint32_t>> bends;  ///< of each link
};

int64_t band_of(uint32_t layer) {
  return layer / CausesLayout::kColumns;
}

Bent bend(const CausesGraph& graph, const std::vector<uint32_t>& layer) {
  Bent bent{static_cast<uint32_t>(graph.nodes.size()), {}, {}};
  size_t left = kMostBends;
  for (const CausesGraph::Link& link : graph.links) {
    const uint32_t from = layer[link.from], to = layer[link.to];
    uint32_t at = link.from;
    bent.bends.emplace_back();
    if (to > from + 1 && band_of(from) == band_of(to) && left >= to - from)
      for (uint32_t between = from + 1; between < to; ++between, --left) {
        bent.edges.emplace_back(at, bent.nodes);
        bent.bends.back().push_back(at = bent.nodes++);
      }
    bent.edges.emplace_back(at, link.to);
  }
  return bent;
}

CausesLayout lay_causes(const CausesGraph& graph, int64_t left, int64_t top) {
  std::vector<Layers::Edge> edges;
  for (const CausesGraph::Link& link : graph.links) edges.emplace_back(link.from, link.to);
  const uint32_t nodes = static_cast<uint32_t>(graph.nodes.size());
  const Bent bent = bend(graph, layers_of(nodes, edges).layer);
  const Layers layers = layers_of(bent.nodes, bent.edges);
  std::vector<CausesLayout::Box> all(bent.nodes);
  const auto height_of = [&](uint32_t node) {
    return node < nodes ? CausesLayout::kBoxHeight + kBetween : kLineHeight;
  };
  int64_t y = top;
  for (size_t first = 0; first < layers.rows.size(); first += CausesLayout::kColumns) {
    const size_t end = std::min<size_t>(layers.rows.size(), first + CausesLayout::kColumns);
    std::vector<int64_t> heights;
    for (size_t i = first; i < end; ++i) {
      heights.push_back(0);
      for (uint32_t node : layers.rows[i]) heights.back() += height_of(node);
    }
    const int64_t highest = *std::max_element(heights.begin(), heights.end());
    for (size_t i = first; i < end; ++i) {
      int64_t at = y + (highest - heights[i - first]) / 2;
      for (uint32_t node : layers.rows[i]) {
        const int64_t column = static_cast<int64_t>(i - first);
        all[node] = {left + column * (CausesLayout::kBoxWidth + CausesLayout::kAcross),
                     at + (node < nodes ? kBetween / 2 : kLineHeight / 2),
                     static_cast<int64_t>(first)};
        at += height_of(node);
      }
    }
    y += highest + kBands;
  }
  CausesLayout layout;
  layout.bottom = y;
  for (uint32_t i = 0; i < bent.bends.size(); ++i) {
    layout.ways.push_back({i, {}});
    for (uint32_t node : bent.bends[i]) layout.ways.back().bends.push_back(all[node]);
  }
  all.resize(nodes);
  layout.boxes = std::move(all);
  return layout;
}

class Causes {
 public:
  Causes(const Chart& chart, const Hues& hues, const CausesGraph& graph, const CausesLayout& layout)
      : chart_(chart), hues_(hues), graph_(graph), layout_(layout) {}

  std::string draw(SignsUsed& signs) {
    for (const CausesLayout::Way& way : layout_.ways) draw(way, signs);
    std::string lines = svg.take();
    for (size_t i = 0; i < graph_.nodes.size(); ++i) draw(graph_.nodes[i], layout_.boxes[i], signs);
    return lines + svg.take() + numbers.take();
  }

  SvgWriter svg, numbers;

 private:
  void draw(const CausesGraph::Node& node, const CausesLayout::Box& box, SignsUsed& signs) {
    const Chart::Mark& mark = chart_.marks[node.mark];
    const Hues::Name& hue = hues_.of(chart_.lanes[mark.lane].type);
    const bool is_target = &node == graph_.nodes.data() + graph_.target;
    const int64_t wide = CausesLayout::kBoxWidth;
    signs.failed |= mark.failed;
    svg.open_group(hint_of(chart_, mark));
    svg.rect(box.x, box.y, wide, CausesLayout::kBoxHeight,
             is_target     ? "box target"
             : mark.failed ? "box failed"
                           : "box",
             3);
    svg.rect(box.x, box.y, 6, CausesLayout::kBoxHeight, fmt::format("h{}", hue.hue), 2);
    if (node.critical) {
      signs.path = true;
      svg.path(fmt::format("M{} {}h{}", box.x + 3, box.y + CausesLayout::kBoxHeight, wide - 6),
               "path");
    }
    const std::string many = node.many > 1 ? fmt::format("×{} ", node.many) : std::string();
    const std::string label =
        node.is_folded ? fmt::format("{} {}s", node.many, noun_of(chart_))
                       : many + box_label(chart_, mark, wide - 26 - width_of(many, 11), 11);
    if (mark.failed || mark.tool_failed) svg.text(box.x + wide - 10, box.y + 14, "!", "bad");
    svg.text(box.x + 12, box.y + 14, label, "name");
    std::string figures = fitted(chart_.text(mark.agent), 70, 10);
    const auto add = [&](const std::string& words) {
      if (width_of(figures + " · " + words, 10) <= wide - 14) figures += " · " + words;
    };
    if (const int64_t turn = chart_.figures(mark).turn; node.is_folded && turn != Chart::kUnknown)
      add(fmt::format("turn {}", turn));
    if (mark.duration_us != Chart::kUnknown)
      add(tell_length(node.is_folded ? node.took_us : mark.duration_us));
    const int64_t cost = node.is_folded ? node.cost_nusd : chart_.figures(mark).cost_nusd;
    if (cost != Chart::kUnknown) add(tell_short_cost(cost));
    svg.text(box.x + 12, box.y + 28, figures, "soft small number");
    svg.close_group();
  }

  void draw(const CausesLayout::Way& way, SignsUsed& signs) {
    const CausesGraph::Link& link = graph_.links[way.link];
    const CausesLayout::Box &from = layout_.boxes[link.from], &to = layout_.boxes[link.to];
    const Chart::Link& arrow = chart_.link(*link.arrow);
    const Head head = head_of(chart_.text(arrow.type));
    note_link(head, arrow, signs);
    const std::string classes = arrow_class(head, arrow);
    const int64_t half = CausesLayout::kBoxHeight / 2, wide = CausesLayout::kBoxWidth;
    svg.open_group(hint(link));
    const int64_t x = from.x + wide, y = from.y + half, tip_y = to.y + half;
    if (from.band == to.band && to.x > from.x) {
      std::string line = fmt::format("M{} {}", x, y);
      int64_t at = x, height = y;
      for (const CausesLayout::Box& bend : way.bends) {
        line += curve(at, height, bend.x, bend.y) + fmt::format("h{}", wide);
        at = bend.x + wide;
        height = bend.y;
      }
      line += curve(at, height, to.x - (head == Head::none ? 0 : 3), tip_y);
      svg.path(line, classes);
      draw_head(head, to.x, tip_y, 1, 0, svg, arrow.is_error);
      if (arrow.confidence < 9500)
        numbers.text(to.x - 8, tip_y - 4, confidence_words(arrow.confidence),
                     "small soft halo number", SvgWriter::Anchor::end);
    } else {
      draw_far(from, to, head, arrow.is_error, classes);
      signs.far = true;
    }
    svg.close_group();
  }

  /// Between bands, and back: a number at both ends.
  void draw_far(const CausesLayout::Box& from, const CausesLayout::Box& to, Head head,
                bool is_error, const std::string& classes) {
    const std::string words = std::to_string(++far_);
    // Several of one box are below one another.
    const int64_t down = std::min<int64_t>(3, out_[&from - layout_.boxes.data()]++) * 10;
    const int64_t in = std::min<int64_t>(3, in_[&to - layout_.boxes.data()]++) * 10;
    const int64_t x = from.x + CausesLayout::kBoxWidth, y = from.y + 7 + down;
    svg.path(fmt::format("M{} {}h8", x, y), classes);
    svg.text(x + 10, y + 3, words, "small soft number");
    svg.path(fmt::format("M{} {}h8", to.x - 8, to.y + 7 + in), classes);
    draw_head(head, to.x, to.y + 7 + in, 1, 0, svg, is_error);
    svg.text(to.x - 10, to.y + 10 + in, words, "small soft number", SvgWriter::Anchor::end);
  }

  static std::string curve(int64_t x, int64_t y, int64_t to_x, int64_t to_y) {
    if (y == to_y) return fmt::format("H{}", to_x);
    const int64_t middle = (x + to_x) / 2;
    return fmt::format("C{} {} {} {} {} {}", middle, y, middle, to_y, to_x, to_y);
  }

  std::string hint(const CausesGraph::Link& link) const {
    std::string hint = fmt::format("{}: {} → {}", link.types,
                                   chart_.text(chart_.marks[graph_.nodes[link.from].mark].id),
                                   chart_.text(chart_.marks[graph_.nodes[link.to].mark].id));
    const Chart::Link& arrow = chart_.link(*link.arrow);
    if (arrow.method) hint += fmt::format("\n{}", chart_.text(arrow.method));
    if (arrow.confidence < 9995) hint += ", " + confidence_words(arrow.confidence);
    return hint;
  }

  const Chart& chart_;
  const Hues& hues_;
  const CausesGraph& graph_;
  const CausesLayout& layout_;
  std::map<ptrdiff_t, int64_t> out_, in_;
  int64_t far_ = 0;
};

}  // namespace

std::string causes_picture(const Chart& chart, uint32_t target) {
  constexpr int64_t kBelow = 160;
  Caption caption{title_of(chart), sums_of(chart), {}};
  if (target != Chart::kNone)
    caption.title = fmt::format("Causes and effects of {}, {}", chart.text(chart.marks[target].id),
                                box_label(chart, chart.marks[target], 400, 16));
  const int64_t top = top_below(caption) + 4;
  const Hues hues(chart);
  caption.own_style = hues.own_style();
  CausesGraph graph;
  CausesLayout layout;
  using Fold = CausesGraph::Fold;
  const auto fits = [&](size_t most, Fold fold) {
    graph = causes_graph(chart, target, most, fold);
    if (graph.nodes.size() > Layers::kMost) return false;
    layout = lay_causes(graph, kPictureMargin + 4, top);
    return layout.bottom <= kMostHeight - kBelow;
  };
  // Of a whole run, calls without anything remarkable are folded, as text and graphs fold them, so
  // far that all of it fits; then the rest is left out.
  const bool is_whole = target == Chart::kNone && chart.marks.size() > kShownWhole;
  bool done =
      is_whole && (fits(chart.marks.size(), Fold::runs) || fits(chart.marks.size(), Fold::turns));
  for (size_t most = Layers::kMost; most > 0 && !done; most = most * 3 / 4)
    done = fits(most, is_whole ? Fold::turns : Fold::alike);
  const bool is_folded = std::ranges::any_of(
      graph.nodes, [](const CausesGraph::Node& node) { return node.is_folded; });
  if (is_folded)
    caption.notes.push_back(fmt::format(
        "{0}s without anything remarkable are folded: {1} {0}s in {2} boxes", noun_of(chart),
        tell_count(static_cast<int64_t>(chart.marks.size() - graph.left_out)),
        tell_count(static_cast<int64_t>(graph.nodes.size()))));
  if (graph.left_out > 0)
    caption.notes.push_back(
        fmt::format("{} of {} {}s shown: {}",
                    tell_count(static_cast<int64_t>(chart.marks.size() - graph.left_out)),
                    tell_count(static_cast<int64_t>(chart.marks.size())), noun_of(chart),
                    target == Chart::kNone ? "the first ones; for a single one, use explain"
                                           : "those closest to the target"));
  SignsUsed signs;
  Causes causes(chart, hues, graph, layout);
  std::string body = causes.draw(signs);
  SvgWriter legend;
  const int64_t bottom = draw_legend(chart, hues, signs, layout.bottom, legend);
  return whole_picture(caption, kPictureWidth, bottom + 4, body + legend.take());
}

}  // namespace xtrace
