#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "view/common/preface.h"
#include "view/common/words.h"
#include "view/impact/impact_answer.h"

namespace xtrace {

namespace {

/// More lines than a person reads at once; the summary above them covers all.
constexpr size_t kLinesShown = 40;
/// Up to so many lines, each step has its own.
constexpr size_t kShortList = 20;

/// In a few words, how a step came about. `is_direct`: the link begins at the target.
std::string_view how(const StepLink& link, bool is_direct) {
  if (link.link != nullptr)
    return link.link->kind == LinkKind::tool_result && !is_direct ? "read a later result"
                                                                  : row_of(link.link->kind).deed;
  if (link.edge == nullptr) return "asked for";
  if (link.edge->rule == Rule::follows_from) return "follows from it";
  return link.edge->is_recorded() ? "called by it" : "inferred from time";
}

class ImpactOutline {
 public:
  ImpactOutline(const Impact& impact, bool unfold)
      : impact_(impact),
        scene_(*impact.scene),
        unfold_(unfold),
        is_target_(impact.scene->steps().size()) {
    for (const uint32_t node : impact.target.nodes) is_target_[node] = true;
  }

  Outline lay_out() {
    const bool are_spans = scene_.hops() != nullptr;
    const uint32_t first = impact_.target.nodes.front();
    outline_.head.push_back(scene_.door().say("Effects of {} ({})", words_of_target(impact_),
                                              scene_.shown_at(first).view()));
    if (impact_.target.is_next_call)
      outline_.head.push_back(
          Door::own("That place records no call; these are the effects of the next call."));
    if (impact_.all.empty()) {
      outline_.head.push_back(Door::own("None: no recorded link leads from it."));
    } else {
      add_sum("only through it", impact_.blasts.only_through, are_spans,
              "no other recorded path leads there");
      add_sum("also reached", also_reached(), are_spans, "they also have other causes");
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
    const std::string_view whole = scene_.query() != nullptr ? "query"
                                   : are_spans               ? "run"
                                                             : "session";
    const bool are_several = sums.all.sessions > 1 && scene_.query() == nullptr;
    outline_.head.push_back(scene_.door().say(
        "{:<16}  {} of {}", "together", text,
        are_several ? plural(sums.all.sessions, whole) : fmt::format("its {}", whole)));
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

  bool is_direct(uint32_t node) const { return is_target_[impact_.last_link(node).from]; }

  /// A later step of a conversation that an earlier row is of: it is an effect only because the
  /// conversation went on.
  bool goes_on(uint32_t node, const EdgeIndex<>& below) const {
    const StepLink& link = impact_.step_link(impact_.last_link(node));
    const bool is_of_conversation =
        link.link != nullptr
            ? link.link->kind == LinkKind::tool_result || link.link->kind == LinkKind::continuation
            : link.edge == nullptr;
    return is_of_conversation && !is_direct(node) && below.of(node).empty();
  }

  /// In order of time, but the effects of a spawn follow it.
  void add_lines() {
    outline_.columns = {{"start", false, false, 1},          {"what", false, true},
                        {"confidence", Role::confidence, 2}, {"how"},
                        {"only through it", false, false},   {"line", true}};
    const size_t count = scene_.steps().size();
    above_.assign(count, CauseGraph::kNone);
    for (uint32_t node : impact_.reached.nodes) above_[node] = line_above(node);
    const EdgeIndex<> below(count + 1, count, [&](uint32_t i) {
      if (!impact_.reached.has(i) || is_in_line_of_call(i)) return EdgeIndex<>::kNowhere;
      return above_[i] == CauseGraph::kNone ? static_cast<uint32_t>(count) : above_[i];
    });
    const auto lines = std::ranges::count_if(
        impact_.reached.nodes, [&](uint32_t node) { return !is_in_line_of_call(node); });
    const bool folds = !unfold_ && static_cast<size_t>(lines) > kShortList;
    struct Waiting {
      std::span<const uint32_t> nodes;  ///< one, or a stretch of steps that go on
      uint32_t depth = 0;
    };
    std::vector<Waiting> waiting;  // the next one last
    const auto wait = [&](uint32_t above, uint32_t depth) {
      std::span<const uint32_t> nodes = below.of(above);
      while (!nodes.empty()) {
        size_t begin = nodes.size() - 1;
        if (folds && goes_on(nodes[begin], below))
          while (begin > 0 && goes_on(nodes[begin - 1], below)) --begin;
        waiting.push_back({nodes.subspan(begin), depth});
        nodes = nodes.first(begin);
      }
    };
    wait(static_cast<uint32_t>(count), 0);
    size_t shown = 0;
    while (!waiting.empty()) {
      const Waiting next = waiting.back();
      waiting.pop_back();
      add_line(next.nodes, next.depth);
      outline_.lines.back().is_spare = !unfold_ && ++shown > kLinesShown;
      if (next.nodes.size() == 1) wait(next.nodes.front(), next.depth + 1);
    }
  }

  Text words_of_stretch(std::span<const uint32_t> nodes, size_t failed) const {
    std::set<std::string_view> agents;
    for (const uint32_t node : nodes) agents.insert(scene_.agent(node).view());
    return scene_.door().say(
        "{}: {} more steps{}",
        agents.size() == 1 ? std::string(*agents.begin()) : fmt::format("{} agents", agents.size()),
        nodes.size(), failed > 0 ? fmt::format(", {} failed", failed) : "");
  }

  /// Of a stretch of steps, the first one's start and place, and the least confidence.
  void add_line(std::span<const uint32_t> nodes, uint32_t depth) {
    const uint32_t node = nodes.front();
    double confidence = 1;
    size_t only = 0, failed = 0;
    for (const uint32_t one : nodes) {
      confidence = std::min(confidence, impact_.reached.best[one]);
      only += impact_.only_through[one] ? 1U : 0U;
      failed += scene_.has_failed(one) ? 1U : 0U;
    }
    const Moment start = scene_.start(node);
    const bool is_one = nodes.size() == 1;
    Text what = scene_.words(node);
    if (!is_one) what = words_of_stretch(nodes, failed);
    outline_.lines.push_back(
        {depth,
         failed > 0 ? Tone::error : Tone::plain,
         {start.time == kNoTime ? Cell() : Cell(Moment{start.time, 0}), what,
          scene_.door().say("{:.2f}", confidence),
          is_one ? Door::own(how(impact_.step_link(impact_.last_link(node)), is_direct(node)))
                 : Text("the conversation went on"),
          only == 0              ? Text("–")
          : only == nodes.size() ? Text("yes")
                                 : Text("in part"),
          line_of(node)}});
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
      // The first one, and the last ones before it.
      constexpr size_t kNamed = 4;
      const std::span<const uint32_t> all = impact_.dominators;
      std::string names;
      for (size_t i = 0; i < all.size(); ++i) {
        const bool is_left_out = i > 0 && i + kNamed <= all.size();
        if (is_left_out && i > 1) continue;
        names += i > 0 ? " → " : "";
        names += is_left_out
                     ? "…"
                     : fmt::format("{} ({})", scene_.words(all[i]).view(), line_of(all[i]).view());
      }
      outline_.foot.push_back(door.say("Every recorded path to it goes through: {}", names));
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
  std::vector<bool> is_target_;  ///< by node
  std::vector<uint32_t> above_;  ///< by node, the line below which it is shown
  Outline outline_;
};

}  // namespace

Outline outline_of(const Impact& impact, bool unfold) {
  return ImpactOutline(impact, unfold).lay_out();
}

}  // namespace xtrace
