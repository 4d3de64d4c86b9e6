#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "view/common/preface.h"
#include "view/common/words.h"
#include "view/impact/impact_answer.h"

namespace xtrace {

namespace {

/// More lines than a person reads at once; the summary above them covers all.
constexpr size_t kLinesShown = 40;

/// In a few words, how a step came about.
std::string_view how(const StepLink& link) {
  if (link.link != nullptr) return row_of(link.link->kind).deed;
  if (link.edge == nullptr) return "asked for";
  if (link.edge->rule == Rule::follows_from) return "follows from it";
  return link.edge->is_recorded() ? "called by it" : "inferred from time";
}

class ImpactOutline {
 public:
  ImpactOutline(const Impact& impact, bool unfold)
      : impact_(impact), scene_(*impact.scene), unfold_(unfold) {}

  Outline lay_out() {
    const bool are_spans = scene_.hops() != nullptr;
    const uint32_t first = impact_.target.nodes.front();
    outline_.head.push_back(scene_.door().say("What came of {} ({})?", words_of_target(impact_),
                                              scene_.shown_at(first).view()));
    if (impact_.all.empty()) {
      outline_.head.push_back(Door::own("Nothing: no recorded link leads from it."));
    } else {
      add_sum("only through it", impact_.blasts.only_through, are_spans,
              "no other recorded path leads there");
      add_sum("also reached", also_reached(), are_spans,
              "other causes too: without it, gone or different");
      add_share();
      add_lines();
    }
    add_foot();
    return std::move(outline_);
  }

 private:
  Blast also_reached() const {
    std::vector<uint32_t> others;
    for (uint32_t node : impact_.all)
      if (!impact_.only_through[node]) others.push_back(node);
    return blast_of(scene_, others);
  }

  void add_sum(std::string_view what, const Blast& blast, bool are_spans, std::string_view means) {
    if (blast.calls + blast.tool_uses == 0)
      return outline_.head.push_back(scene_.door().say("{:<16}  nothing", what));
    outline_.head.push_back(
        scene_.door().say("{:<16}  {}  ({})", what, words_of(blast, are_spans), means));
  }

  void add_share() {
    const Blasts& sums = impact_.blasts;
    if (sums.all.calls == 0) return;
    const auto percent = [](int64_t part, int64_t whole) {
      return fmt::format("{:.0f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
    };
    const bool are_spans = scene_.hops() != nullptr;
    std::string text = fmt::format("{} of the {}", percent(sums.reached.calls, sums.all.calls),
                                   are_spans ? "spans" : "calls");
    if (sums.all.cost > 0)
      text += fmt::format(" and {} of the cost", percent(sums.reached.cost, sums.all.cost));
    const std::string_view whole = are_spans ? "run" : "session";
    outline_.head.push_back(scene_.door().say(
        "{:<16}  {} of {}", "together", text,
        sums.all.sessions > 1 ? plural(sums.all.sessions, whole) : fmt::format("its {}", whole)));
  }

  /// A tool use is in the line of its call, if that is shown.
  bool is_in_line_of_call(uint32_t node) const {
    const GraphStep& step = scene_.step(node);
    if (step.kind != GraphStep::Kind::tool_use) return false;
    return impact_.reached.has(impact_.last_link(node).from);
  }

  /// The line below which a step is shown. A spawn begins a new level, as the work of a span does,
  /// and a report leads back; all others are beside the step before them.
  uint32_t line_above(uint32_t node) const {
    constexpr uint32_t kNone = CauseGraph::kNone;
    const CauseLink& last = impact_.last_link(node);
    const auto shown = [&](uint32_t one) {
      return is_in_line_of_call(one) ? impact_.last_link(one).from : one;
    };
    const StepLink& found = impact_.step_link(last);
    const bool is_spawn = found.link != nullptr && found.link->kind == LinkKind::subagent_spawn;
    if (is_spawn || found.edge != nullptr)
      return impact_.reached.has(last.from) ? shown(last.from) : kNone;
    const uint32_t beside = above_[last.from];
    const bool is_report = found.link != nullptr && found.link->kind == LinkKind::subagent_report;
    return is_report && beside != kNone ? above_[beside] : beside;
  }

  /// In order of time, but what came of a spawn follows it.
  void add_lines() {
    outline_.columns = {{"start", false, false, 3},          {"what", false, true},
                        {"confidence", Role::confidence, 1}, {"how", false, false, 2},
                        {"only through it", false, false},   {"line", true}};
    const size_t count = scene_.steps().size();
    above_.assign(count, CauseGraph::kNone);
    for (uint32_t node : impact_.reached.nodes) above_[node] = line_above(node);
    const EdgeIndex<> below(count + 1, count, [&](uint32_t i) {
      if (!impact_.reached.has(i) || is_in_line_of_call(i)) return EdgeIndex<>::kNowhere;
      return above_[i] == CauseGraph::kNone ? static_cast<uint32_t>(count) : above_[i];
    });
    std::vector<std::pair<uint32_t, uint32_t>> waiting;  // with their depth, the next one last
    const auto wait = [&](uint32_t above, uint32_t depth) {
      const std::span<const uint32_t> nodes = below.of(above);
      for (size_t i = nodes.size(); i-- > 0;) waiting.emplace_back(nodes[i], depth);
    };
    wait(static_cast<uint32_t>(count), 0);
    size_t shown = 0;
    while (!waiting.empty()) {
      const auto [node, depth] = waiting.back();
      waiting.pop_back();
      add_line(node, depth);
      outline_.lines.back().is_spare = !unfold_ && ++shown > kLinesShown;
      wait(node, depth + 1);
    }
  }

  void add_line(uint32_t node, uint32_t depth) {
    const double sure = impact_.reached.best[node];
    const Moment start = scene_.start(node);
    const CauseLink& last = impact_.last_link(node);
    outline_.lines.push_back(
        {depth,
         scene_.has_failed(node) ? Tone::error : Tone::plain,
         {start.time == kNoTime ? Cell() : Cell(Moment{start.time, 0}), scene_.words(node),
          scene_.door().say("{:.2f}", sure), Door::own(how(impact_.step_link(last))),
          impact_.only_through[node] ? Text("yes") : Text("–"), line_of(node)}});
  }

  /// Of one file, the number alone: the head names the file.
  Text line_of(uint32_t node) const {
    const Text at = scene_.shown_at(node);
    if (scene_.trace().sources.size() > 1) return at;
    return scene_.door().composed(std::string(at.view().substr(at.view().find_last_of(":@") + 1)));
  }

  void add_foot() {
    Door& door = scene_.door();
    if (!impact_.dominators.empty()) {
      constexpr size_t kNamed = 6;
      const size_t from = impact_.dominators.size() - std::min(kNamed, impact_.dominators.size());
      std::string names = from > 0 ? "… → " : "";
      for (size_t i = from; i < impact_.dominators.size(); ++i)
        names +=
            fmt::format("{}{}", i > from ? " → " : "", scene_.id(impact_.dominators[i]).view());
      outline_.foot.push_back(door.say("It could not have happened without {}.", names));
    }
    if (!impact_.possible.empty())
      outline_.foot.push_back(
          door.say("{} more only if an alternative of a link is the true cause (-f json).",
                   plural(static_cast<int64_t>(impact_.possible.size()), "step")));
    add_hidden(scene_.hidden(), scene_.hops() != nullptr ? "span" : "call", "link", door,
               outline_.foot);
  }

  const Impact& impact_;
  const ImpactScene& scene_;
  bool unfold_;
  std::vector<uint32_t> above_;  ///< by node, the line below which it is shown
  Outline outline_;
};

}  // namespace

Outline outline_of(const Impact& impact, bool unfold) {
  return ImpactOutline(impact, unfold).lay_out();
}

}  // namespace xtrace
