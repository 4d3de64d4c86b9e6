#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <span>

#include "base/count.h"
#include "view/calls/costs.h"
#include "view/common/words.h"
#include "view/diff/bounds.h"
#include "view/diff/diff.h"
#include "view/diff/tool_counts.h"

namespace xtrace {

namespace {

using Row = RunComparison::Row;

/// More than this is more than anyone reads; the rest is counted.
constexpr size_t kLinesShown = 400, kPathsShown = 8;
/// Fewer steps that only one run has are listed one by one.
constexpr uint32_t kFewSteps = 3;

Text mark_of(DiffStatus diff_status) {
  switch (diff_status) {
    case DiffStatus::added: return "+";
    case DiffStatus::removed: return "-";
    case DiffStatus::changed: return "~";
    case DiffStatus::equal: break;
  }
  return "=";
}

/// `1.2s`, or `1.2s → 3s` where it was something else.
std::string from_to(const std::string& before, const std::string& now) {
  return before == now || before.empty() ? now : fmt::format("{} → {}", before, now);
}

class DiffOutlineBuilder {
 public:
  DiffOutlineBuilder(const DiffScene& scene, bool unfold, CellArena& arena)
      : scene_(scene),
        found_(scene.found),
        door_(scene.door),
        arena_(arena),
        unfold_(unfold),
        is_one_file_(count_files(scene.old_scene) == 1 && count_files(scene.new_scene) == 1) {}

  Outline list() {
    outline_.columns = {{"", false},
                        {"old", true, false, 5},
                        {"new", true, false, 5, false, true},
                        {"what", false, true},
                        {"differs"},
                        {"took", Role::duration, 4},
                        {"in", Role::input, 3},
                        {"out", Role::output, 3},
                        {"cost", Role::cost},
                        {is_one_file_ ? Text("line") : Text("at"), true, false, 1, !is_one_file_}};
    add_head();
    add_rows();
    add_foot();
    return std::move(outline_);
  }

 private:
  Text composed(std::string text) const { return door_.composed(std::move(text)); }

  void add_head() {
    auto add = [&](std::string_view which, const ExplanationScene& scene, const RunSteps& run) {
      std::string names, chosen;
      for (const std::string& name : run.names())
        chosen += fmt::format("{}{}", chosen.empty() ? "" : ", ", scene.names.text(name).view());
      for (const Source& source : scene.graph.trace().sources) {
        if (source.foreign) continue;
        if (names.size() > 100) {
          names += ", …";
          break;
        }
        names += names.empty() ? "" : ", ";
        names += door_.path(source.path).view();
      }
      if (!chosen.empty()) names += fmt::format(" ({})", chosen);
      const RunTotals totals = totals_of(run);
      std::string line = fmt::format("{} {}: {}", which, names, plural(totals.steps, "step"));
      if (totals.elapsed != kNoDuration) line += fmt::format(", {}", format_span(totals.elapsed));
      if (totals.tokens_in() >= 0)
        line += fmt::format(", {} tokens in", show_count(totals.tokens_in()));
      if (totals.tokens_out() >= 0)
        line += fmt::format(", {} {}out", show_count(totals.tokens_out()),
                            totals.tokens_in() < 0 ? "tokens " : "");
      if (totals.used.cost >= 0) line += fmt::format(", {}", cost_words(totals.used));
      low_ += totals.used.low;
      if (totals.errors > 0) line += fmt::format(", {} failed", totals.errors);
      outline_.head.push_back(composed(std::move(line)));
      return totals;
    };
    const RunTotals before = add("old", scene_.old_scene, scene_.old_run);
    const RunTotals now = add("new", scene_.new_scene, scene_.new_run);
    if (std::string words = changes_of(before, now); !words.empty())
      outline_.head.push_back(composed("change: " + words));
    if (std::string words = tool_count_words(scene_); !words.empty())
      outline_.head.push_back(composed("tool uses: " + words));
    if (found_.first != RunComparison::kNone)
      outline_.head.push_back(composed(scene_.first_divergence()));
    else
      outline_.head.push_back(found_.is_equal() ? Text("no difference")
                                                : Text("all steps are equal"));
  }

  /// `−15 steps, −9h00m duration, ~−$1.90 (−75%)`: what the new run needed more or less.
  static std::string changes_of(const RunTotals& before, const RunTotals& now) {
    std::string words;
    const auto add = [&](int64_t change, const std::string& amount, std::string_view noun,
                         std::string_view about = "") {
      if (change != 0)
        words += fmt::format("{}{}{}{}{}", words.empty() ? "" : ", ", about, change < 0 ? "−" : "+",
                             amount, noun);
    };
    const auto add_count = [&](int64_t was, int64_t is, std::string_view noun) {
      if (was >= 0 && is >= 0) add(is - was, show_count(std::abs(is - was)), noun);
    };
    add_count(before.steps, now.steps,
              std::abs(now.steps - before.steps) == 1 ? " step" : " steps");
    if (before.elapsed != kNoDuration && now.elapsed != kNoDuration) {
      const Duration change = now.elapsed - before.elapsed;
      add(change.count(), format_span(change < Duration{0} ? -change : change), " duration");
    }
    add_count(before.tokens_in(), now.tokens_in(), " tokens in");
    add_count(before.tokens_out(), now.tokens_out(), " tokens out");
    if (before.used.cost >= 0 && now.used.cost >= 0) {
      const int64_t change = now.used.cost - before.used.cost;
      // The difference of two lower bounds is neither bound.
      const bool is_rough = before.used.is_low_cost() || now.used.is_low_cost();
      std::string share;
      if (before.used.cost > 0)
        share = fmt::format(
            " ({}{:.0f}%)", change < 0 ? "−" : "+",
            100.0 * static_cast<double>(std::abs(change)) / static_cast<double>(before.used.cost));
      add(change, show_dollars({std::abs(change)}), share, is_rough ? "~" : "");
    }
    add_count(before.errors, now.errors, " failed");
    return words;
  }

  static size_t count_files(const ExplanationScene& scene) {
    const auto& sources = scene.graph.trace().sources;
    return static_cast<size_t>(std::ranges::count(sources, false, &Source::foreign));
  }

  void add_rows() {
    if (found_.first == RunComparison::kNone && !unfold_) return;
    std::vector<uint32_t> into = found_.folded();
    size_t left_out = 0;
    for (uint32_t i = 0; i < found_.rows.size();) {
      uint32_t end = i + 1;
      while (!unfold_ && end < into.size() && into[end] == into[i]) ++end;
      const uint32_t alike = unfold_ ? i : end_of_alike(i);
      const bool are_alike = alike >= i + kFewSteps;
      if (are_alike) end = alike;
      if (outline_.lines.size() >= kLinesShown)
        left_out += end - i;
      else if (are_alike)
        add_alike(i, end);
      else if (end - i > 1)
        outline_.lines.push_back({found_.rows[i].depth + 1,
                                  Tone::quiet,
                                  {Text("="), numbers(i, end - 1, false), numbers(i, end - 1, true),
                                   door_.say("{} equal steps", end - i)}});
      else
        add_row(i);
      i = end;
    }
    if (left_out > 0)
      outline_.foot.push_back(
          door_.say("{} more; -f json lists all", plural(static_cast<int64_t>(left_out), "step")));
  }

  /// The end of the steps from `first` on that one agent took one after another and only one run
  /// has; `first`: there are none.
  uint32_t end_of_alike(uint32_t first) const {
    const auto can = [&](const Row& row) {
      return (row.diff_status == DiffStatus::added || row.diff_status == DiffStatus::removed) &&
             !scene_.node(row, DiffScene::is_in_new(row)).is_query();
    };
    const Row& begin = found_.rows[first];
    if (!can(begin)) return first;
    const bool is_new = DiffScene::is_in_new(begin);
    const std::string who = scene_.agent(begin, is_new);
    uint32_t end = first + 1;
    while (end < found_.rows.size() && can(found_.rows[end]) &&
           found_.rows[end].diff_status == begin.diff_status &&
           found_.rows[end].depth == begin.depth && scene_.agent(found_.rows[end], is_new) == who)
      ++end;
    // The last one may lead to steps that are listed below it.
    if (end < found_.rows.size() && found_.rows[end].depth > begin.depth) --end;
    return end;
  }

  /// `Explore: 16 steps: Bash ×12, Grep ×2`
  void add_alike(uint32_t first, uint32_t end) {
    const Row& begin = found_.rows[first];
    const bool is_new = DiffScene::is_in_new(begin);
    const ExplanationScene& of = scene_.scene(is_new);
    Usage used;
    Duration took = kNoDuration;
    std::map<std::string_view, size_t> tools;
    for (uint32_t i = first; i < end; ++i) {
      const StoryNode& step = scene_.node(found_.rows[i], is_new);
      used.add(usage_of(of.graph, step));
      took = sum_of_known(took, step.latency);
      for (const ToolUse* use : counted_uses(of.graph, step)) ++tools[of.graph.trace()[use->name]];
    }
    std::vector<std::pair<std::string_view, size_t>> most(tools.begin(), tools.end());
    std::ranges::stable_sort(most, std::greater(), &std::pair<std::string_view, size_t>::second);
    constexpr size_t kNamed = 4;  // more would widen the column for all
    std::string what = scene_.agent(begin, is_new);
    what += fmt::format("{}{} steps", what.empty() ? "" : ": ", end - first);
    for (size_t i = 0; i < std::min(kNamed, most.size()); ++i)
      what += fmt::format("{}{} ×{}", i == 0 ? ": " : ", ", door_.name(most[i].first).view(),
                          most[i].second);
    if (most.size() > kNamed) what += ", …";
    const Text range = numbers(first, end - 1, is_new);
    const auto count = [](int64_t number) { return number < 0 ? Cell() : Cell(number); };
    outline_.lines.push_back(
        {begin.depth + 1,
         tone_of(begin.diff_status),
         {mark_of(begin.diff_status), is_new ? Cell() : Cell(range), is_new ? Cell(range) : Cell(),
          composed(std::move(what)), Cell(), known(took), count(tokens_sent(used.tokens)),
          count(used.tokens.output), cost_cell(used), place(begin, is_new)}});
  }

  Cell place(const Row& row, bool is_new) const {
    if (!is_one_file_) return scene_.at(row, is_new);
    const uint64_t line = place_of(scene_.scene(is_new).graph, scene_.node(row, is_new)).line;
    return line > 0 ? Cell(composed(std::to_string(line))) : Cell();
  }

  Text numbers(uint32_t first, uint32_t last, bool of_new) const {
    return door_.say("{}–{}", scene_.number(found_.rows[first], of_new),
                     scene_.number(found_.rows[last], of_new));
  }
  /// In the run that has it.
  Cell number(const Row& row, bool of_new) const {
    const bool has = row.diff_status != (of_new ? DiffStatus::removed : DiffStatus::added);
    return has ? Cell(composed(std::to_string(scene_.number(row, of_new)))) : Cell();
  }

  void add_row(uint32_t at) {
    const Row& row = found_.rows[at];
    bool is_new = DiffScene::is_in_new(row);
    bool is_led_otherwise = row.diff_status == DiffStatus::equal && leads_otherwise(at);
    std::string what(scene_.what(row, is_new, arena_).view());
    if (row.diff_status == DiffStatus::changed) {
      std::string who = from_to(scene_.agent(row, false), scene_.agent(row, true));
      what = from_to(scene_.words(row, false, arena_), scene_.words(row, true, arena_));
      if (!who.empty()) what = fmt::format("{}: {}", who, what);
    }
    auto figure = [&](auto text_of) {
      if (row.diff_status != DiffStatus::changed)
        return known(composed(text_of(scene_.node(row, is_new))));
      return known(
          composed(from_to(text_of(scene_.node(row, false)), text_of(scene_.node(row, true)))));
    };
    Cell took = figure([](const StoryNode& node) {
      return node.latency == kNoDuration ? std::string() : format_span(node.latency);
    });
    auto count = [](int64_t number) { return number < 0 ? std::string() : show_count(number); };
    Cell in = figure([&](const StoryNode& node) { return count(tokens_sent(node.tokens)); });
    Cell out = figure([&](const StoryNode& node) { return count(node.tokens.output); });
    auto usage = [&](bool of_new) {
      return usage_of(scene_.scene(of_new).graph, scene_.node(row, of_new));
    };
    const std::string before =
        row.diff_status == DiffStatus::changed ? cost_words(usage(false)) : std::string();
    Cell cost = cost_cell(usage(is_new));
    if (const std::string now = cost_words(usage(is_new)); !before.empty() && before != now)
      cost = composed(from_to(before, now));
    outline_.lines.push_back({row.depth + 1,
                              tone_of(row.diff_status),
                              {mark_of(row.diff_status), number(row, false), number(row, true),
                               composed(std::move(what)),
                               is_led_otherwise ? Text("cause") : composed(scene_.fields_of(row)),
                               took, in, out, cost, place(row, is_new)}});
    if (row.diff_status == DiffStatus::changed) add_values(row);
  }

  /// What the fields were and are, as far as that may be seen.
  void add_values(const Row& row) {
    const std::vector<std::pair<Trait, Trait>> differences = found_.differences(row);
    const bool are_other_tools = std::ranges::any_of(differences, [](const auto& one) {
      return !one.second.is_argument && one.second.field == "tools";
    });
    for (const auto& [before, now] : differences) {
      Text was = scene_.value(before), is = scene_.value(now);
      if (was.empty() && is.empty()) continue;
      const Trait& trait = before.field.empty() ? now : before;
      // The line itself shows these, and other tools have other arguments.
      if (trait.is_argument
              ? are_other_tools
              : is_one_of(trait.field, {"agent", "tools", "operation", "source", "target"}))
        continue;
      auto or_none = [](Text text) {
        return text.empty() ? std::string("(none)") : std::string(text.view());
      };
      Text change =
          door_.say("{}: {} → {}", door_.name(trait.field).view(), or_none(was), or_none(is));
      // Another model differs in each step alike.
      if (!trait.is_argument && !unfold_ && !shown_.insert(std::string(change.view())).second)
        continue;
      outline_.lines.push_back({row.depth + 2, Tone::quiet, {Cell(), Cell(), Cell(), change}});
    }
  }

  bool leads_otherwise(uint32_t row) {
    if (otherwise_.empty()) {
      otherwise_.resize(found_.rows.size());
      for (const RunComparison::Edge& edge : found_.edges)
        if (edge.diff_status != DiffStatus::equal) otherwise_[edge.to] = true;
    }
    return otherwise_[row];
  }

  void add_foot() {
    std::string text;
    auto add = [&](int64_t count, std::string_view noun, DiffStatus diff_status) {
      if (count == 0) return;
      text +=
          fmt::format("{}{} {}", text.empty() ? "" : ", ", plural(count, noun), word(diff_status));
    };
    for (DiffStatus diff_status : {DiffStatus::changed, DiffStatus::added, DiffStatus::removed})
      add(found_.steps(diff_status), "step", diff_status);
    for (DiffStatus diff_status : {DiffStatus::changed, DiffStatus::added, DiffStatus::removed})
      add(found_.edges_of(diff_status), "edge", diff_status);
    for (DiffStatus diff_status : {DiffStatus::added, DiffStatus::removed})
      add(found_.paths_of(diff_status), "path", diff_status);
    if (!text.empty()) outline_.foot.push_back(composed(std::move(text)));
    for (size_t i = 0; i < found_.paths.size() && i < kPathsShown; ++i) {
      Texts actors;
      for (const std::string& actor : found_.paths[i].actors) actors.push_back(door_.name(actor));
      outline_.foot.push_back(
          door_.say("{} {}", mark_of(found_.paths[i].diff_status).view(), joined(actors, " → ")));
    }
    if (found_.paths.size() > kPathsShown)
      outline_.foot.push_back(
          door_.say("{} more; -f json lists all",
                    plural(static_cast<int64_t>(found_.paths.size() - kPathsShown), "path")));
    add_figures();
    if (is_with_stored(scene_.compared))
      outline_.foot.push_back(composed(
          "only what a stored graph states is compared: agents, operations, models, outcomes and "
          "what led to what"));
    else if (scene_.compared == Compared::without_texts)
      outline_.foot.push_back(composed(
          "prompts and arguments are not compared, because one of the runs does not record them"));
    if (low_ > 0) outline_.foot.push_back(composed("cost: " + low_output_words(low_)));
  }

  /// What a step took or cost in both runs, in nanoseconds or billionths of a dollar.
  struct Change {
    const Row* row;
    int64_t before, now;
    int64_t size() const { return std::abs(now - before); }
  };

  /// The equal steps that took or cost much more or less than before, the largest changes first.
  void add_figures() {
    constexpr int64_t kTime = 100'000'000, kCost = 100'000;  // 100 ms, $0.0001
    std::vector<Change> times, costs;
    for (const Row& row : found_.rows) {
      if (row.diff_status != DiffStatus::equal) continue;
      const StoryNode &before = scene_.node(row, false), &now = scene_.node(row, true);
      note({&row, before.latency.count(), now.latency.count()}, kTime, times);
      note({&row, before.cost, now.cost}, kCost, costs);
    }
    add_changes(times, "slower", "faster",
                [](int64_t time) { return format_span(Duration(time)); });
    add_changes(costs, "more expensive", "cheaper",
                [](int64_t cost) { return show_dollars({cost}); });
  }

  /// Less than a quarter is noise between any two runs. Unknown amounts are negative.
  static void note(const Change& change, int64_t least, std::vector<Change>& changes) {
    const auto [less, more] = std::minmax(change.before, change.now);
    if (less >= 0 && change.size() >= least && more - less >= less / 4) changes.push_back(change);
  }

  void add_changes(std::vector<Change>& changes, std::string_view more, std::string_view less,
                   std::string (*shown)(int64_t)) {
    constexpr size_t kMost = 5;  // the largest; the table `figures` has all
    std::ranges::stable_sort(changes, std::greater(), &Change::size);
    for (const Change& one : std::span(changes).first(std::min(kMost, changes.size())))
      outline_.foot.push_back(door_.say(
          "{}: step {}, {}, {}", one.now > one.before ? more : less, scene_.number(*one.row, true),
          scene_.what(*one.row, true, arena_).view(), from_to(shown(one.before), shown(one.now))));
    if (changes.size() > kMost)
      outline_.foot.push_back(
          door_.say("{} or {}: {} more; -f json lists all", more, less,
                    plural(static_cast<int64_t>(changes.size() - kMost), "step")));
  }

  const DiffScene& scene_;
  const RunComparison& found_;
  Door& door_;
  CellArena& arena_;
  bool unfold_;
  bool is_one_file_;             ///< each run is one, which the head names
  std::set<std::string> shown_;  ///< changes of fields
  Outline outline_;
  std::vector<bool> otherwise_;
  int64_t low_ = 0;  ///< calls of both runs whose real output is higher than recorded
};

}  // namespace

Outline diff_outline(const DiffScene& scene, const std::vector<JudgedThreshold>& bounds,
                     bool unfold, CellArena& arena) {
  Outline outline = DiffOutlineBuilder(scene, unfold, arena).list();
  for (const JudgedThreshold& bound : bounds)
    outline.foot.push_back(scene.door.composed(sentence_of(bound)));
  return outline;
}

}  // namespace xtrace
