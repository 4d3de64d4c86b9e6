#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "view/common/words.h"
#include "view/whatif/whatif_answer.h"

namespace xtrace {

namespace {

/// In the order of the answer: what takes people longest first.
constexpr std::pair<ReplayPart, std::string_view> kPartWords[] = {
    {ReplayPart::person, "waiting for you"},
    {ReplayPart::tool, "tools"},
    {ReplayPart::model, "model"},
    {ReplayPart::retry_wait, "retry waits"},
    {ReplayPart::failed, "failed calls"},
    {ReplayPart::handover, "hand-over"}};
/// More than these are for programs.
constexpr size_t kMostTargets = 20;
/// In the way of a run with changes: the sentence names the first ones.
constexpr size_t kMostNext = 3;

std::string range(const std::string& lower, const std::string& upper) {
  return lower == upper ? lower : fmt::format("{} to {}", lower, upper);
}

std::string cost_words(const WhatIf& what, const ReplayCost& cost) {
  const auto words = [&](int64_t amount) {
    return show_dollars(
        {amount, what.unpriced > 0 ? Dollars::Bound::at_least : Dollars::Bound::exact});
  };
  return range(words(cost.lower), words(cost.upper));
}

std::string share_words(Duration lower, Duration upper, Duration whole) {
  if (whole <= Duration{0}) return {};
  const auto percent = [&](Duration part) {
    return fmt::format(
        "{:.0f}", 100 * static_cast<double>(part.count()) / static_cast<double>(whole.count()));
  };
  return fmt::format(" ({} %)", range(percent(lower), percent(upper)));
}

std::string saved_words(const WhatIf& what) {
  const Duration least = what.before.upper - what.after.upper;
  const Duration most = what.before.upper - what.after.lower;
  std::string words;
  if (least == most && least == Duration{0})
    words = "no time saved";
  else if (most < Duration{0})
    words = range(format_span(-most), format_span(-least)) + " longer";
  else if (least < Duration{0})
    words = fmt::format("{} longer to {} less", format_span(-least), format_span(most));
  else
    words = range(format_span(least), format_span(most)) + " less" +
            share_words(least, most, what.before.upper);
  const int64_t least_saved = what.before.cost.upper - what.after.cost.upper;
  const int64_t most_saved = what.before.cost.upper - what.after.cost.lower;
  if (least_saved == 0 && most_saved == 0) return words;
  const auto signed_words = [](int64_t saved) {
    return fmt::format("{} {}", show_dollars({std::abs(saved)}), saved < 0 ? "more" : "less");
  };
  words += fmt::format(", {}", range(signed_words(least_saved), signed_words(most_saved)));
  return words;
}

std::string path_words(const ReplayTimes& parts) {
  std::string words = "critical path: ";
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
  std::string words = "assumed: the same steps and tokens, and waits that no record explains stay";
  const auto has = [&](ReplayChange::Kind kind) {
    return std::ranges::any_of(what.changes,
                               [&](const ReplayChange& change) { return change.kind == kind; });
  };
  if (has(ReplayChange::Kind::parallel)) words += "; as many run at once as are started";
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
  if (what.replay.undated > 0)
    foot.push_back(door.say("not included: {} without a recorded time",
                            plural(what.replay.undated, what.hops != nullptr ? "span" : "call")));
  if (what.unpriced > 0)
    foot.push_back(door.say("not included: the unknown cost of {}", plural(what.unpriced, "call")));
}

std::string saved_by(const RemovedTarget& target) {
  return range(format_span(target.lower), format_span(target.upper));
}

std::string next_words(const WhatIf& what) {
  std::string words;
  size_t named = 0;
  for (const RemovedTarget& target : what.targets) {
    if (target.upper <= Duration{0} || named == kMostNext) break;
    words += fmt::format("{}{} {}", named == 0 ? "" : " · ",
                         what.names.text(target_words(target.change)).view(), saved_by(target));
    ++named;
  }
  return words;
}

Outline target_outline(const WhatIf& what) {
  Door& door = what.question.door;
  Outline outline;
  outline.columns = {
      {"if removed", false, true}, {"uses", true, false, 3}, {"on the path", true, false, 2},
      {"time saved", true},        {"cost saved", true},     {"then longest", false, false, 1}};
  for (const RemovedTarget& target : what.targets) {
    Outline::Line line;
    line.cells = {what.names.text(target_words(target.change)),
                  target.matched,
                  target.on_path,
                  door.composed(saved_by(target)),
                  door.composed(range(show_dollars({target.saved.lower}),
                                      show_dollars({target.saved.upper}))),
                  what.names.text(target.then)};
    outline.lines.push_back(std::move(line));
  }
  spare_all_but(kMostTargets, outline);
  return outline;
}

}  // namespace

void add_whatif_outline(const WhatIf& what, Document& document) {
  Door& door = what.question.door;
  if (what.replay.nodes.empty()) return document.add(Outline{});
  const std::string before =
      fmt::format("{}, {}", format_span(what.before.upper), cost_words(what, what.before.cost));
  Outline outline = what.changes.empty() ? target_outline(what) : Outline();
  if (what.changes.empty()) {
    outline.head.push_back(door.composed(before));
    outline.head.push_back(door.composed(path_words(what.before.parts)));
    if (!what.targets.empty())
      outline.foot.push_back(
          "each is removed by itself; see --help for other changes: --speed, --parallel, --price, "
          "…");
  } else {
    outline.head.push_back(
        door.say("{} -> {}, {}: {}", before,
                 range(format_span(what.after.lower), format_span(what.after.upper)),
                 cost_words(what, what.after.cost), saved_words(what)));
    outline.head.push_back(door.composed(path_words(what.after.parts)));
    if (std::string next = next_words(what); !next.empty())
      outline.head.push_back(door.say("next, if removed: {}", next));
  }
  outline.foot.push_back(door.composed(assumed_words(what)));
  add_unknown(what, outline.foot);
  document.add(std::move(outline));
}

}  // namespace xtrace
