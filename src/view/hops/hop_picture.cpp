#include "view/hops/hop_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <set>
#include <utility>

#include "base/text.h"
#include "doc/page.h"
#include "view/calls/costs.h"
#include "view/common/short_names.h"
#include "view/common/words.h"
#include "view/hops/hop_fields.h"
#include "view/hops/hop_fold.h"
#include "view/hops/hop_words.h"

namespace xtrace {

namespace {

/// What tells a span from another one of its id: its run, and when it began.
std::string scope_of(const HopScene& scene, const Hop& hop) {
  std::string scope(scene.names.text(scene.hops.runs[hop.run].id).view());
  return hop.start == kNoTime ? scope : scope + ' ' + format_time({hop.start, 6});
}

class HopPicture {
 public:
  HopPicture(const HopScene& scene, CellArena& arena) : scene_(scene), arena_(arena) {
    words_.resize(scene.hops.all.size());
    for (size_t i = 0; i < words_.size(); ++i)
      if (HopId id(i); scene.selection.shows(id)) words_[i] = words_of(id);
    for (const HopEdge& edge : scene.hops.edges)
      if (edge.from != scene.hops[edge.to].cause && scene.shows(edge)) more_edges_.push_back(&edge);
  }

  Drawing folded() {
    const auto shown = static_cast<size_t>(std::ranges::count(scene_.selection.hops, true));
    constexpr size_t kMostOnPage = 400;  // boxes of any size
    for (HopFolding folding : {HopFolding::none, HopFolding::equal, HopFolding::alike,
                               HopFolding::lists, HopFolding::chains, HopFolding::calls}) {
      if (folding == HopFolding::none && shown > kMostOnPage) continue;
      HopBoxes boxes(scene_, words_, folding);
      bool is_last = folding == HopFolding::calls;
      if (boxes.boxes.size() > kMostOnPage && !is_last) continue;
      is_open_.assign(boxes.boxes.size(), boxes.boxes.size() <= kMostOnPage);
      draw(boxes);
      if (fits()) break;
      if (is_last) open_on_page(boxes);
    }
    return std::move(drawing_);
  }

  Drawing whole() {
    HopBoxes boxes(scene_, words_, HopFolding::none);
    is_open_.assign(boxes.boxes.size(), true);
    draw(boxes);
    return std::move(drawing_);
  }

 private:
  Text composed(std::string text) const { return scene_.question.door.composed(std::move(text)); }

  /// `→ orders  GET /id`: who calls is said where it is not the one that was called above.
  std::string words_of(HopId id) const {
    const Hop& hop = scene_.hops[id];
    std::string operation = short_dotted(scene_.names.text(scene_.span(hop).operation).view());
    if (!hop.to) {
      std::string_view service = scene_.names.text(scene_.span(hop).service).view();
      bool is_root = !scene_.selection.shows_cause_of(id) && !service.empty();
      return is_root ? fmt::format("{}\n{}", service, operation) : operation;
    }
    HopId above = hop.cause;
    while (above && scene_.selection.shows(above) && !scene_.hops[above].is_call())
      above = scene_.hops[above].cause;
    bool is_plain = above && scene_.selection.shows(above) && scene_.hops[above].to == hop.from;
    if (hop.cause && scene_.selection.shows(hop.cause) && hop.from)
      is_plain |= scene_.names.text(scene_.span(scene_.hops[hop.cause]).service).view() ==
                  short_actor(scene_, hop.from).view();
    std::string text = hop.from && !is_plain
                           ? fmt::format("{} ", short_actor(scene_, hop.from).view())
                           : std::string();
    text += fmt::format("→ {}", short_actor(scene_, hop.to).view());
    const Span& span = scene_.span(hop);
    if (!operation.empty() && !span.from && !span.to) text += '\n' + operation;
    return text;
  }

  /// Shows what is below a box, of those with most below first, as long as the page has room.
  void open_on_page(const HopBoxes& boxes) {
    constexpr size_t kTries = 200;
    is_open_.assign(boxes.boxes.size(), false);
    using Entry = std::tuple<size_t, int64_t>;  // the first of equal ones comes first
    std::priority_queue<Entry> ready;
    for (uint32_t at = 0; at < boxes.boxes.size(); ++at)
      if (boxes.boxes[at].parent == HopBoxes::kNone && !boxes.boxes[at].is_listed)
        ready.emplace(boxes.boxes[at].below, -static_cast<int64_t>(at));
    for (size_t tries = 0; tries < kTries && !ready.empty(); ++tries) {
      auto [below, place] = ready.top();
      uint32_t at = static_cast<uint32_t>(-place);
      ready.pop();
      if (below == 0) break;
      is_open_[at] = true;
      draw(boxes);
      if (!fits()) {
        is_open_[at] = false;
        continue;
      }
      for (uint32_t child = at + 1; child < boxes.boxes.size(); ++child)
        if (boxes.boxes[child].parent == at && !boxes.boxes[child].is_listed)
          ready.emplace(boxes.boxes[child].below, -static_cast<int64_t>(child));
    }
    draw(boxes);
  }

  void draw(const HopBoxes& boxes) {
    drawing_ = {};
    node_of_.assign(boxes.boxes.size(), Drawing::kNone);
    size_t shown = 0;
    std::vector<bool> is_drawn(boxes.boxes.size());
    std::vector<uint32_t> in_order;
    for (uint32_t at = 0; at < boxes.boxes.size(); ++at) {
      const HopBoxes::Box& box = boxes.boxes[at];
      shown += box.hops.size() + box.within.size();
      is_drawn[at] = !box.is_listed && (box.parent == HopBoxes::kNone ||
                                        (is_drawn[box.parent] && is_open_[box.parent]));
      if (is_drawn[at]) in_order.push_back(at);
    }
    std::sort(in_order.begin(), in_order.end(), [&](uint32_t a, uint32_t b) {
      return boxes.boxes[a].hops.front().index < boxes.boxes[b].hops.front().index;
    });
    for (uint32_t at : in_order) add_box(boxes, at);
    for (uint32_t at : in_order)
      if (boxes.boxes[at].parent != HopBoxes::kNone) add_edge(boxes, at);
    add_more_edges(boxes, in_order);
    if (size_t drawn = drawing_.nodes.size(); drawn < shown)
      drawing_.note = composed(folded_words(shown, "span", drawn));
  }

  void add_box(const HopBoxes& boxes, uint32_t at) {
    const HopBoxes::Box& box = boxes.boxes[at];
    HopId id = box.hops.front();
    const Hop& hop = scene_.hops[id];
    Door::At place(scene_.question.door, scene_.names.place(hop.at));
    Drawing::Node node;
    node.id = scene_.name(id);
    node.tip = box.hops.size() == 1
                   ? scene_.at(hop)
                   : scene_.question.door.say(
                         "{} and {}", scene_.at(hop).view(),
                         plural(static_cast<int64_t>(box.hops.size()) - 1, "more span"));
    if (scene_.question.with_properties) {
      node.lines = {what_it_was(scene_, id), how_long(scene_, id)};
      if (Text used = what_it_used(scene_, id); !used.empty()) node.lines.push_back(used);
      add_note(hop.outcome, node);
    } else if (box.listed.empty())
      add_lines(box, node);
    else
      add_list(boxes, box, node);
    if (size_t count = box.within.size(); count > 0)
      node.lines.push_back(
          scene_.question.door.say("⋯ {} within", plural(static_cast<int64_t>(count), "span")));
    bool is_closed = !is_open_[at] && box.below > 0;
    if (is_closed) node.lines.push_back(below_words(box));
    node.kind = hop.to ? Door::own(word(scene_.hops[hop.to].type)) : Text("span");
    auto failed = [&](HopId one) { return scene_.hops[one].outcome == Outcome::error; };
    node.error = std::any_of(box.hops.begin(), box.hops.end(), failed) ||
                 (is_closed && box.failed_below > 0);
    node.type = "Span";
    if (scene_.question.with_properties) {
      node.scope = composed(scope_of(scene_, hop));
      node.properties = of_hops_.of({scene_, id, hop, {}, arena_});
    }
    node_of_[at] = static_cast<uint32_t>(drawing_.nodes.size());
    drawing_.nodes.push_back(std::move(node));
  }

  /// A failure has a sign of its own; that nothing is known has none, so that words say it.
  static void add_note(Outcome outcome, Drawing::Node& node) {
    if (!is_known(outcome)) node.lines.push_back(Door::own(note_of(outcome)));
  }

  void add_lines(const HopBoxes::Box& box, Drawing::Node& node) {
    std::string words = words_[box.hops.front().index], rest;
    if (size_t end = words.find('\n'); end != std::string::npos) {
      rest = words.substr(end + 1);
      words.resize(end);
    }
    node.lines = {composed(words + times(box.hops.size()))};
    std::string took = took_words(box.hops);
    constexpr size_t kTogether = 38;
    if (!rest.empty() && width(rest) + width(took) + 3 > kTogether)
      node.lines.push_back(composed(std::exchange(rest, {})));
    node.lines.push_back(composed(rest + (rest.empty() || took.empty() ? "" : " · ") + took));
    if (box.hops.size() == 1)
      if (Text used = what_it_used(scene_, box.hops.front()); !used.empty())
        node.lines.push_back(used);
    for (HopId id : box.hops)
      if (const Outcome outcome = scene_.hops[id].outcome; !is_known(outcome)) {
        add_note(outcome, node);
        break;
      }
    if (box.hops.size() > 1)
      if (std::string used = used_words(box.hops); !used.empty())
        node.lines.push_back(composed(std::move(used)));
  }

  /// A line each: `Queue.add ×14 · 41ms`.
  void add_list(const HopBoxes& boxes, const HopBoxes::Box& box, Drawing::Node& node) {
    constexpr size_t kLines = 8, kColumns = 40, kMethod = 8;  // GET, DELETE
    auto line = [&](const HopBoxes::Box& of) {
      std::string words = words_[of.hops.front().index];
      if (size_t end = words.find('\n'); end != std::string::npos) {
        std::string operation = words.substr(end + 1);
        words.resize(end);
        words = width(operation) <= kMethod ? operation + ' ' + words : words + ' ' + operation;
      }
      std::string took = took_words(of.hops, false);
      std::string step = box.is_chain && &of != &box ? "↳ " : "";
      std::string figures =
          times(of.hops.size()) + (took.empty() ? "" : fmt::format(" · {}", took));
      // What is cut is the name, not what it came to.
      return composed(step + clip(words, kColumns - width(figures) - width(step)) + figures);
    };
    node.lines = {line(box)};
    size_t lines = box.listed.size() < kLines ? box.listed.size() : kLines - 2;
    for (size_t i = 0; i < lines; ++i) node.lines.push_back(line(boxes.boxes[box.listed[i]]));
    if (lines == box.listed.size()) return;
    std::vector<HopId> rest;
    for (size_t i = lines; i < box.listed.size(); ++i) {
      const std::vector<HopId>& hops = boxes.boxes[box.listed[i]].hops;
      rest.insert(rest.end(), hops.begin(), hops.end());
    }
    node.lines.push_back(scene_.question.door.say(
        "⋯ {} of {}", plural(static_cast<int64_t>(rest.size()), "span"),
        plural(static_cast<int64_t>(box.listed.size() - lines), "more kind")));
  }

  static std::string times(size_t count) {
    return count > 1 ? fmt::format(" ×{}", count) : std::string();
  }

  std::string took_words(const std::vector<HopId>& hops, bool at_length = true) const {
    Duration took = kNoDuration;
    for (HopId id : hops) took = sum_of_known(took, scene_.hops[id].duration);
    return took == kNoDuration
               ? ""
               : format_span(took) + (at_length && hops.size() > 1 ? " in total" : "");
  }

  /// The sums of what models used.
  std::string used_words(const std::vector<HopId>& hops) const {
    Usage sum;
    for (HopId id : hops) sum.add(usage_at(scene_, id));
    std::vector<std::string> words;
    if (sum.tokens.input >= 0) words.push_back(fmt::format("{} in", sum.tokens.input));
    if (sum.tokens.output >= 0) words.push_back(fmt::format("{} out", sum.tokens.output));
    if (std::string cost = cost_words(sum); !cost.empty()) words.push_back(std::move(cost));
    return fmt::format("{}", fmt::join(words, "  "));
  }

  /// `⋯ 31 spans below, 2 failed`
  Text below_words(const HopBoxes::Box& box) const {
    std::string text = fmt::format("⋯ {} below", plural(static_cast<int64_t>(box.below), "span"));
    return composed(box.failed_below > 0 ? text + fmt::format(", {} failed", box.failed_below)
                                         : text);
  }

  void add_edge(const HopBoxes& boxes, uint32_t at) {
    const HopBoxes::Box& box = boxes.boxes[at];
    HopId id = box.hops.front();
    const Hop& hop = scene_.hops[id];
    Drawing::Edge edge;
    edge.from = node_of_[box.parent];
    edge.to = node_of_[at];
    edge.error = hop.outcome == Outcome::error;
    double least = hop.confidence, most = hop.confidence;
    for (HopId other : box.hops) {
      least = std::min(least, scene_.hops[other].confidence);
      most = std::max(most, scene_.hops[other].confidence);
    }
    if (!is_sure(static_cast<double>(least))) {
      edge.stroke = Drawing::Stroke::dotted;
      std::string label = fmt::format("{:.2f}", least);
      if (std::string upper = fmt::format("{:.2f}", most); upper != label) label += "–" + upper;
      edge.label = composed(std::move(label));
    }
    add_edge({hop.cause, id, hop.rule, hop.confidence}, std::move(edge));
  }

  void add_edge(const HopEdge& between, Drawing::Edge edge) {
    edge.relation = between.is_recorded() ? Text("PARENT") : Text("CAUSAL");
    if (scene_.question.with_properties) edge.properties = of_edges_.of({scene_, between, arena_});
    drawing_.edges.push_back(std::move(edge));
  }

  /// What led to a hop beside its cause, once for two boxes.
  void add_more_edges(const HopBoxes& boxes, const std::vector<uint32_t>& drawn) {
    if (more_edges_.empty()) return;
    std::vector<uint32_t> node_of_hop(scene_.hops.all.size(), Drawing::kNone);
    for (uint32_t at : drawn)
      for (HopId id : boxes.boxes[at].hops) node_of_hop[id.index] = node_of_[at];
    std::set<std::pair<uint32_t, uint32_t>> joined;
    for (const Drawing::Edge& edge : drawing_.edges) joined.emplace(edge.from, edge.to);
    for (const HopEdge* more : more_edges_) {
      Drawing::Edge edge;
      edge.from = node_of_hop[more->from.index];
      edge.to = node_of_hop[more->to.index];
      edge.stroke = Drawing::Stroke::dashed;
      if (edge.from == Drawing::kNone || edge.to == Drawing::kNone || edge.from == edge.to)
        continue;
      if (joined.emplace(edge.from, edge.to).second) add_edge(*more, std::move(edge));
    }
  }

  bool fits() const { return fits_page(blueprint_of(drawing_), scene_.question.direction); }

  const HopScene& scene_;
  CellArena& arena_;
  std::vector<std::string> words_;  ///< by hop; a second line begins where the operation does
  Properties<HopRow> of_hops_{hop_fields(),
                              {"type", "at", "run", "name", "service", "source", "target",
                               "hop_kind", "timestamp", "duration_ms", "status", "agent.name",
                               "tool.name", "model", "tokens.input", "tokens.output", "cost_usd"}};
  Properties<HopEdgeRow> of_edges_{hop_edge_fields(), {"confidence", "method"}};
  std::vector<const HopEdge*> more_edges_;  ///< those shown that are from no Hop::cause
  Drawing drawing_;
  std::vector<uint32_t> node_of_;
  std::vector<bool> is_open_;  ///< by box: is what is below it shown?
};

}  // namespace

Drawing hop_picture(const HopScene& scene, bool unfold, CellArena& arena) {
  HopPicture picture(scene, arena);
  return unfold || scene.question.with_properties ? picture.whole() : picture.folded();
}

}  // namespace xtrace
