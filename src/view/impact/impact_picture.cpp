#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "view/calls/call_words.h"
#include "view/common/words.h"
#include "view/impact/impact_answer.h"

namespace xtrace {

namespace {

/// Boxes in a picture that fits a page; the nearest effects come first.
constexpr size_t kBoxes = 60;

/// The target as one box, and what it led to. A tool use is the label of the arrow that leads
/// through it, unless its call is not in the picture.
class ImpactPicture {
 public:
  ImpactPicture(const Impact& impact, bool unfold)
      : impact_(impact), scene_(*impact.scene), place_(scene_.steps().size(), Drawing::kNone) {
    std::vector<uint32_t> shown;
    for (uint32_t node : impact.all)
      if (!is_label(node)) shown.push_back(node);
    const size_t all = shown.size();
    if (!unfold && all > kBoxes) {
      std::ranges::stable_sort(shown, {},
                               [&](uint32_t node) { return impact.reached.distance[node]; });
      shown.resize(kBoxes);
      std::ranges::sort(shown);
      drawing_.note =
          scene_.door().say("the {} nearest of {} effects; --unfold shows all", kBoxes, all);
    }
    add_target();
    for (uint32_t node : shown) add_node(node);
  }

  Drawing draw() {
    for (const CauseLink& link : scene_.causes().links()) add_edge(link);
    for (const auto& [ends, edge] : edges_) drawing_.edges.push_back(edge);
    return std::move(drawing_);
  }

 private:
  bool is_label(uint32_t node) const {
    return scene_.step(node).kind == GraphStep::Kind::tool_use &&
           impact_.reached.has(impact_.last_link(node).from);
  }

  void add_target() {
    const uint32_t first = impact_.target.nodes.front();
    drawing_.title = scene_.door().say("Effects of {}", words_of_target(impact_));
    Drawing::Node node{
        impact_.target.name, {scene_.door().composed(words_of_target(impact_))}, Text("target")};
    node.type = "Target";
    node.properties.add("at", scene_.at(first));
    drawing_.nodes.push_back(std::move(node));
    for (uint32_t one : impact_.target.nodes) place_[one] = 0;
  }

  void add_node(uint32_t node) {
    place_[node] = static_cast<uint32_t>(drawing_.nodes.size());
    const Text kind =
        scene_.hops() != nullptr
            ? scene_.agent(node)
            : scene_.names().text(scene_.graph().agent_of(scene_.step(node).call).type);
    Drawing::Node box{scene_.id(node), {scene_.words(node), scene_.id(node)}, kind};
    box.type = scene_.step(node).kind == GraphStep::Kind::tool_use ? Text("ToolUse")
               : scene_.hops() != nullptr                          ? Text("Span")
                                                                   : Text("Call");
    box.error = scene_.has_failed(node);
    box.properties.add("at", scene_.at(node));
    box.properties.add("confidence", thousandths(impact_.reached.best[node]));
    box.properties.add("only_through", bool{impact_.only_through[node]});
    if (!impact_.only_through[node]) box.tone = Tone::quiet;
    drawing_.nodes.push_back(std::move(box));
  }

  /// A box, or the call of a tool use that has none of its own.
  uint32_t box_of(uint32_t node) const {
    if (place_[node] != Drawing::kNone || scene_.step(node).kind != GraphStep::Kind::tool_use)
      return place_[node];
    const std::span<const uint32_t> asked = scene_.causes().causes_of(node);
    return asked.empty() ? Drawing::kNone : place_[scene_.causes()[asked.front()].from];
  }

  void add_edge(const CauseLink& link) {
    const uint32_t from = box_of(link.from), to = place_[link.to];
    if (from == Drawing::kNone || to == Drawing::kNone || from == to) return;
    const StepLink& found = impact_.step_link(link);
    const bool goes_on = found.link != nullptr && row_of(found.link->kind).goes_on;
    auto [at, is_new] = edges_.try_emplace(std::pair(from, to));
    Drawing::Edge& edge = at->second;
    // That the conversation went on is no further arrow where a result was read.
    if (!is_new && goes_on) return;
    if (!is_new && !continuations_.erase(at->first)) {
      ++edge.times;
      return;
    }
    if (goes_on) continuations_.insert(at->first);
    edge = {};
    edge.from = from;
    edge.to = to;
    edge.label = label_of(link, found);
    if (!is_sure(link.confidence)) edge.stroke = Drawing::Stroke::dotted;
    if (found.link != nullptr) {
      edge.error = found.link->is_error;
      edge.relation = relation(found.link->kind);
      if (found.link->kind == LinkKind::subagent_spawn && is_sure(link.confidence))
        edge.stroke = Drawing::Stroke::dashed;
    } else {
      edge.relation = found.edge != nullptr ? Text("CAUSED") : Text("ASKED_FOR");
    }
    edge.properties.add("confidence", thousandths(link.confidence));
  }

  Text label_of(const CauseLink& link, const StepLink& found) const {
    std::string label(found.link != nullptr ? row_of(found.link->kind).label : "");
    if (!is_sure(link.confidence))
      label += fmt::format("{}({:.2f})", label.empty() ? "" : " ", link.confidence);
    return scene_.door().composed(std::move(label));
  }

  const Impact& impact_;
  const ImpactScene& scene_;
  std::vector<uint32_t> place_;  ///< by node, in the drawing
  std::map<std::pair<uint32_t, uint32_t>, Drawing::Edge> edges_;
  std::set<std::pair<uint32_t, uint32_t>> continuations_;  ///< of these, those that are no more
  Drawing drawing_;
};

}  // namespace

Drawing drawing_of(const Impact& impact, bool unfold) {
  return ImpactPicture(impact, unfold).draw();
}

}  // namespace xtrace
