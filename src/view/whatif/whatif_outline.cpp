#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "view/common/words.h"
#include "view/whatif/whatif_answer.h"

namespace xtrace {

namespace {

/// In the order of the answer: what takes people longest first.
constexpr std::pair<ReplayPart, std::string_view> kPartWords[] = {
    {ReplayPart::person, "waiting for you"},
    {ReplayPart::permission, "permission prompts"},
    {ReplayPart::tool, "tools"},
    {ReplayPart::model, "model"},
    {ReplayPart::background, "background work"},
    {ReplayPart::retry_wait, "retry waits"},
    {ReplayPart::failed, "failed calls"},
    {ReplayPart::interrupted, "interrupted by you"},
    {ReplayPart::handover, "hand-over"},
    {ReplayPart::other, "other spans"},
    {ReplayPart::unexplained, "unexplained"}};
constexpr std::string_view kNotKnown = "?";
/// More than these are for programs.
constexpr size_t kMostTargets = 20;
/// In the way of a run with changes: the sentence names the first ones.
constexpr size_t kMostNext = 3;

std::string range(const std::string& lower, const std::string& upper) {
  return lower == upper ? lower : fmt::format("{} to {}", lower, upper);
}

std::string cost_words(const ReplayCost& cost) {
  if (!cost.is_known()) return std::string(kNotKnown);
  const auto words = [&](int64_t amount) {
    return show_dollars({amount, cost.is_low() ? Dollars::Bound::at_least : Dollars::Bound::exact});
  };
  return range(words(cost.lower), words(cost.upper));
}

/// Wall time and cost, as far as the log records any.
std::string sum_words(const WhatIf& what, Duration lower, Duration upper, const ReplayCost& cost) {
  if (!what.has_times()) return cost_words(cost);
  return fmt::format("{}, {}", range(format_span(lower), format_span(upper)), cost_words(cost));
}

std::string share_words(Duration lower, Duration upper, Duration whole) {
  if (whole <= Duration{0}) return {};
  const auto percent = [&](Duration part) {
    return fmt::format(
        "{:.0f}", 100 * static_cast<double>(part.count()) / static_cast<double>(whole.count()));
  };
  return fmt::format(" ({} %)", range(percent(lower), percent(upper)));
}

std::string saved_time_words(const WhatIf& what) {
  const Duration least = what.before.upper - what.after.upper;
  const Duration most = what.before.upper - what.after.lower;
  if (least == most && least == Duration{0}) return {};
  if (most < Duration{0}) return range(format_span(-most), format_span(-least)) + " longer";
  if (least < Duration{0})
    return fmt::format("{} longer to {} less", format_span(-least), format_span(most));
  return range(format_span(least), format_span(most)) + " less" +
         share_words(least, most, what.before.upper);
}

std::string saved_cost_words(const WhatIf& what) {
  if (!what.is_saved_cost_known()) return "cost difference unknown";
  const int64_t least = what.before.cost.upper - what.after.cost.upper;
  const int64_t most = what.before.cost.upper - what.after.cost.lower;
  if (least == 0 && most == 0) return {};
  // Output that is missing from the log has its price as well. A cache changes only the input.
  const bool is_low =
      what.before.cost.low > 0 && std::ranges::any_of(what.changes, [](const ReplayChange& change) {
        return change.kind != ReplayChange::Kind::cache;
      });
  const auto words = [&](int64_t saved) {
    return show_dollars(
        {std::abs(saved), is_low ? Dollars::Bound::at_least : Dollars::Bound::exact});
  };
  const auto direction = [](int64_t saved) { return saved < 0 ? "more" : "less"; };
  if ((least < 0) != (most < 0))
    return fmt::format("{} {} to {} {}", words(least), direction(least), words(most),
                       direction(most));
  return fmt::format(
      "{} {}", least < 0 ? range(words(most), words(least)) : range(words(least), words(most)),
      direction(least));
}

std::string saved_words(const WhatIf& what) {
  const std::string time = saved_time_words(what), cost = saved_cost_words(what);
  if (time.empty() && cost.empty()) return what.has_times() ? "no time saved" : "nothing saved";
  return time.empty() || cost.empty() ? time + cost : fmt::format("{}, {}", time, cost);
}

std::string path_words(const ReplayResult& result) {
  const ReplayTimes& parts = result.parts;
  std::string words =
      result.lower == result.upper ? "critical path: " : "critical path at the upper bound: ";
  bool is_first = true;
  for (const auto& [part, name] : kPartWords) {
    const Duration took = parts[static_cast<size_t>(part)];
    if (took == Duration{0}) continue;
    words += fmt::format("{}{} {}", is_first ? "" : " · ", name, format_span(took));
    is_first = false;
  }
  return is_first ? words + "takes no time" : words;
}

std::string assumed_words(const WhatIf& what) {
  std::string words = "assumed: the same steps and tokens; unexplained waits are kept";
  const auto has = [&](ReplayChange::Kind kind) {
    return std::ranges::any_of(what.changes,
                               [&](const ReplayChange& change) { return change.kind == kind; });
  };
  if (has(ReplayChange::Kind::parallel)) words += "; no limit on parallel work";
  if (has(ReplayChange::Kind::price)) words += "; another model may count tokens differently";
  if (has(ReplayChange::Kind::cache)) words += "; cached prompts are not answered faster";
  return words;
}

void add_unknown(const WhatIf& what, std::vector<Text>& foot) {
  Door& door = what.question.door;
  if (what.replay.unknown_groups > 0)
    foot.push_back(
        door.say("{} requested together: only the last result is dated, so each took "
                 "between 0 and the whole wait",
                 plural(what.replay.unknown_groups, "group") + " of tools"));
  if (what.replay.unanswered > 0)
    foot.push_back(
        door.say("{} without a recorded result", plural(what.replay.unanswered, "tool use")));
  if (what.replay.beside > 0)
    foot.push_back(door.say(
        "{} ran at the same time as models, tools or agents; the log does not show whether "
        "they waited for these",
        plural(what.replay.beside, "other span")));
  if (what.replay.undated > 0 && what.has_times())
    foot.push_back(door.say("not included: {} without a recorded time",
                            plural(what.replay.undated, what.hops != nullptr ? "span" : "call")));
  if (const int64_t unpriced = what.after.cost.unpriced; unpriced > 0)
    foot.push_back(unpriced == 1
                       ? Text("1 call has no known cost and is not included")
                       : door.say("{} calls have no known cost and are not included", unpriced));
}

std::string saved_by(const RemovedTarget& target) {
  return range(format_span(target.lower), format_span(target.upper));
}

/// An agent that one tool starts, which does nothing else, is one thing to remove.
bool is_same(const RemovedTarget& a, const RemovedTarget& b) {
  const auto figures = [](const RemovedTarget& one) {
    return std::tuple(one.matched, one.on_path, one.lower, one.upper, one.saved.lower,
                      one.saved.upper, one.saved.unpriced);
  };
  return figures(a) == figures(b);
}

struct NamedTarget {
  Text name;
  const RemovedTarget* target;
};
std::vector<NamedTarget> named_targets(const WhatIf& what) {
  std::vector<NamedTarget> named;
  for (size_t i = 0; i < what.targets.size(); ++i) {
    const RemovedTarget& one = what.targets[i];
    // They are next to each other, as equal ones are after sorting.
    const RemovedTarget* before = i == 0 ? nullptr : &what.targets[i - 1];
    const Text name = what.names.text(target_words(one.change));
    if (before != nullptr && one.change.target == ReplayChange::Target::agent &&
        before->change.target == ReplayChange::Target::tool && one.on_path > Duration{0} &&
        is_same(one, *before))
      named.back().name =
          what.question.door.composed(fmt::format("{}, {}", named.back().name.view(), name.view()));
    else
      named.push_back({name, &one});
  }
  return named;
}

std::string next_words(const WhatIf& what) {
  std::string words;
  size_t named = 0;
  for (const NamedTarget& one : named_targets(what)) {
    if (one.target->upper <= Duration{0} || named == kMostNext) break;
    words +=
        fmt::format("{}{} {}", named == 0 ? "" : " · ", one.name.view(), saved_by(*one.target));
    ++named;
  }
  return words;
}

Outline target_outline(const WhatIf& what) {
  Door& door = what.question.door;
  Outline outline;
  outline.columns = {{"if removed", false, true}, {"uses", true, false, 3}};
  if (what.has_times()) {
    outline.columns.push_back({"on the path", true, false, 2});
    outline.columns.push_back({"time saved", true});
  }
  outline.columns.push_back({"cost saved", true});
  if (what.has_times()) outline.columns.push_back({"next bottleneck", false, false, 1});
  for (const NamedTarget& one : named_targets(what)) {
    const RemovedTarget& target = *one.target;
    Outline::Line line;
    line.cells = {one.name, target.matched};
    if (what.has_times()) {
      line.cells.push_back(target.on_path);
      line.cells.push_back(door.composed(saved_by(target)));
    }
    line.cells.push_back(door.composed(cost_words(target.saved)));
    if (what.has_times()) line.cells.push_back(what.names.text(target.then));
    outline.lines.push_back(std::move(line));
  }
  spare_all_but(kMostTargets, outline);
  return outline;
}

}  // namespace

void add_whatif_outline(const WhatIf& what, Document& document) {
  Door& door = what.question.door;
  if (what.replay.nodes.empty()) return document.add(Outline{});
  if (!what.has_times() && !what.before.cost.is_known() && !what.after.cost.is_known()) {
    Outline nothing;
    nothing.head.push_back("No times and no costs in this log: nothing can be replayed.");
    add_unknown(what, nothing.foot);
    return document.add(std::move(nothing));
  }
  const std::string before =
      sum_words(what, what.before.upper, what.before.upper, what.before.cost);
  Outline outline = what.changes.empty() ? target_outline(what) : Outline();
  if (what.changes.empty()) {
    outline.head.push_back(door.composed(before));
    if (!what.targets.empty())
      outline.foot.push_back(
          "each row removes one item; see --help for other changes: --speed, --parallel, --price, "
          "…");
  } else {
    outline.head.push_back(door.say(
        "{} -> {}: {}", before,
        sum_words(what, what.after.lower, what.after.upper, what.after.cost), saved_words(what)));
  }
  if (!what.has_times()) {
    outline.head.push_back("No times in this log: only costs can be replayed.");
  } else {
    outline.head.push_back(
        door.composed(path_words(what.changes.empty() ? what.before : what.after)));
    if (std::string next = next_words(what); !what.changes.empty() && !next.empty())
      outline.head.push_back(door.say("next, if removed: {}", next));
  }
  outline.foot.push_back(door.composed(assumed_words(what)));
  add_unknown(what, outline.foot);
  document.add(std::move(outline));
}

}  // namespace xtrace
