#include "render/svg/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/dollars.h"
#include "base/lower.h"
#include "base/text.h"
#include "base/time.h"
#include "render/svg/svg_writer.h"

namespace xtrace {

namespace {

Time time_at(int64_t us) {
  return Time(duration_of(us));
}

bool has_known_times(const Chart& chart) {
  for (const Chart::Mark& mark : chart.marks)
    if (mark.is_timed()) return true;
  return false;
}

struct Sums {
  int64_t cost = Chart::kUnknown, tokens = Chart::kUnknown, failed = 0, tools_failed = 0;
  bool is_least_cost = false;
  size_t retries = 0, recorded = 0;
  std::set<std::pair<StringId, int64_t>> turns;

  /// Of all marks, or of the newer of two runs.
  explicit Sums(const Chart& chart, bool is_newer = false) {
    for (const Chart::Mark& mark : chart.marks) {
      if (is_newer && mark.is_old) continue;
      const Chart::Figures figures = chart.figures(mark);
      if (figures.turn != Chart::kUnknown) turns.emplace(mark.session, figures.turn);
      add(figures.cost_nusd, cost);
      add(figures.total, tokens);
      failed += mark.failed;
      retries += mark.is_retry;
      recorded += chart.is_recorded(mark);
      is_least_cost |= chart.costs_more(mark);
      for (uint32_t i = mark.first_tool; i < mark.first_tool + mark.tools; ++i)
        tools_failed += chart.tools[i].is_error;
    }
  }
  static void add(int64_t more, int64_t& sum) {
    if (more != Chart::kUnknown) sum = sum_of(sum == Chart::kUnknown ? 0 : sum, more);
  }
};

}  // namespace

std::string tell_count(int64_t count) {
  std::string digits = std::to_string(count);
  for (size_t at = digits.size(); at > 3 + (count < 0 ? 1U : 0U);) digits.insert(at -= 3, " ");
  return digits;
}

std::string tell_cost(int64_t nusd) {
  return show_dollars(Dollars{nusd});
}

std::string tell_short_cost(int64_t nusd) {
  constexpr int64_t kCent = 10'000'000;
  const double dollars = static_cast<double>(nusd) / 100 / kCent;
  if (nusd < kCent / 10) return tell_cost(nusd);
  return nusd < kCent ? fmt::format("${:.3f}", dollars) : fmt::format("${:.2f}", dollars);
}

std::string tell_length(int64_t us) {
  if (us < 0) return '-' + tell_length(-us);
  return us < 1000 ? fmt::format("{}µs", us) : format_span(duration_of(us));
}

std::string tell_many(int64_t count, std::string_view one) {
  return fmt::format("{} {}{}", tell_count(count), one, count == 1 ? "" : "s");
}

std::string tell_moment(int64_t us) {
  std::string words = format_time({time_at(us), 0});
  if (words.size() > 19) words.resize(19);
  if (words.size() > 10) words[10] = ' ';
  return words;
}

std::string_view noun_of(const Chart& chart) {
  bool has_ends = false;
  for (const Chart::Mark& mark : chart.marks) {
    const Chart::Nature& nature = chart.nature(mark);
    if (chart.text(nature.kind) == "inference") return "call";
    has_ends |= nature.source || nature.target || chart.text(nature.kind) == "span";
  }
  return has_ends ? "span" : "step";
}

std::string title_of(const Chart& chart) {
  std::set<StringId> sessions;
  for (const Chart::Mark& mark : chart.marks)
    if (mark.session) sessions.insert(mark.session);
  const std::string_view run = noun_of(chart) == "call" ? "session" : "run";
  std::string title;
  if (sessions.size() == 1)
    title = fmt::format("{} {}", run, chart.text(*sessions.begin()));
  else if (sessions.size() > 1)
    title = tell_many(static_cast<int64_t>(sessions.size()), run);
  else
    title = tell_many(static_cast<int64_t>(chart.marks.size()), noun_of(chart));
  title = clip(title, 60);
  if (!has_known_times(chart)) return title;
  const auto [first, last] = chart.span();
  const std::string from = tell_moment(first), to = tell_moment(last);
  const bool same_day = from.substr(0, 10) == to.substr(0, 10);
  return fmt::format("{}, {} – {} UTC", title, from,
                     same_day ? to.substr(std::min<size_t>(11, to.size())) : to);
}

std::string sums_of(const Chart& chart) {
  const Sums sums(chart);
  std::string words = tell_many(static_cast<int64_t>(sums.recorded), noun_of(chart));
  const bool has_calls = noun_of(chart) == "call";
  std::set<StringId> agents;
  for (const Chart::Lane& lane : chart.lanes) agents.insert(lane.agent);
  if (!chart.lanes.empty())
    words += " · " + tell_many(static_cast<int64_t>(has_calls ? chart.lanes.size() : agents.size()),
                               has_calls ? "agent" : "actor");
  if (has_known_times(chart))
    words += " · " + tell_length(chart.span().second - chart.span().first);
  if (sums.cost != Chart::kUnknown)
    words += fmt::format(" · {}{}", sums.is_least_cost ? "≥ " : "", tell_cost(sums.cost));
  if (sums.tokens != Chart::kUnknown) words += fmt::format(" · {} tokens", tell_count(sums.tokens));
  words += fmt::format(" · {} failed", tell_count(sums.failed));
  if (sums.tools_failed > 0) words += " · " + tell_many(sums.tools_failed, "tool error");
  if (sums.retries > 0)
    words += fmt::format(" · {} {}", sums.retries, sums.retries == 1 ? "retry" : "retries");
  return words;
}

std::vector<HeadFigure> head_figures(const Chart& chart) {
  const Sums sums(chart, true);
  std::vector<HeadFigure> figures;
  const auto add = [&](int64_t count, std::string_view one, bool is_bad = false) {
    if (count == 0) return;
    figures.push_back({tell_count(count), std::string(one) + (count == 1 ? "" : "s"), is_bad});
  };
  std::set<StringId> runs;
  for (const Chart::Mark& mark : chart.marks)
    if (mark.session) runs.insert(mark.session);
  const bool has_old = std::any_of(chart.marks.begin(), chart.marks.end(),
                                   [](const Chart::Mark& mark) { return mark.is_old; });
  // Between several runs, nothing went on.
  if (has_known_times(chart) && !has_old && (runs.size() < 2 || noun_of(chart) == "call"))
    figures.push_back({tell_length(chart.span().second - chart.span().first), "elapsed"});
  if (sums.cost != Chart::kUnknown)
    figures.push_back({(sums.is_least_cost ? "≥" : "") + tell_short_cost(sums.cost), "cost"});
  add(static_cast<int64_t>(sums.turns.size()), "turn");
  add(static_cast<int64_t>(sums.recorded), noun_of(chart));
  if (noun_of(chart) == "call")
    add(std::count_if(
            chart.lanes.begin(), chart.lanes.end(),
            [](const Chart::Lane& lane) { return lane.above != Chart::kNone && !lane.is_old; }),
        "subagent");
  figures.push_back({tell_count(sums.failed), "failed", sums.failed > 0});
  add(sums.tools_failed, "tool error", true);
  return figures;
}

std::string hint_of(const Chart& chart, const Chart::Mark& mark) {
  const auto line = [](std::string_view text) { return clip(fold_white_space(text), 160); };
  const Chart::Nature& nature = chart.nature(mark);
  const Chart::Figures figures = chart.figures(mark);
  std::string hint = line(chart.label(mark));
  if (mark.failed) hint += " !";
  std::string who;
  const auto add = [&](const std::string& words) {
    if (words.empty()) return;
    if (!who.empty()) who += " · ";
    who += words;
  };
  add(line(chart.text(mark.agent)));
  // That a call is one, and a span one, its label says.
  if (const std::string_view kind = chart.text(nature.kind); kind != "inference" && kind != "span")
    add(line(kind));
  if (nature.model && chart.text(nature.model) != hint) add(line(chart.text(nature.model)));
  if (figures.turn != Chart::kUnknown) add(fmt::format("turn {}", figures.turn));
  hint += '\n' + who;
  who.clear();
  if (mark.is_timed()) add(tell_moment(mark.start_us));
  if (mark.duration_us != Chart::kUnknown) add(tell_length(mark.duration_us));
  if (figures.cost_nusd != Chart::kUnknown)
    add((chart.costs_more(mark) ? "≥" : "") + tell_cost(figures.cost_nusd));
  if (figures.total != Chart::kUnknown) add(tell_count(figures.total) + " tokens");
  if (nature.status && lower(chart.text(nature.status)) != "ok")
    add(line(chart.text(nature.status)));
  if (nature.error) add(line(chart.text(nature.error)));
  if (!who.empty()) hint += '\n' + who;
  if (mark.tool_failed) hint += '\n' + line(chart.tool_errors(mark));
  if (const std::string place = chart.place(mark); !place.empty()) hint += '\n' + line(place);
  return hint;
}

std::string short_label(const Chart& chart, const Chart::Mark& mark, int64_t room, int64_t height) {
  std::vector<std::pair<StringId, int>> names;
  for (uint32_t i = mark.first_tool; i < mark.first_tool + mark.tools; ++i) {
    size_t at = 0;
    while (at < names.size() && names[at].first != chart.tools[i].name) ++at;
    if (at == names.size()) names.emplace_back(chart.tools[i].name, 0);
    ++names[at].second;
    if (names.size() > 4) break;
  }
  if (names.empty() && mark.name) names.emplace_back(mark.name, 1);
  std::string label;
  for (auto [name, count] : names) {
    std::string more = label;
    if (!more.empty()) more += ", ";
    more += fold_white_space(printable(chart.text(name)));
    if (count > 1) more += fmt::format(" ×{}", count);
    if (width_of(more, height) > room) break;
    label = more;
  }
  // The beginning of a long name is informative too.
  if (label.empty() && !names.empty() && room >= 8 * height)
    label = fitted(chart.text(names.front().first), room, height);
  return label;
}

std::string box_label(const Chart& chart, const Chart::Mark& mark, int64_t room, int64_t height) {
  if (mark.tools == 1 && chart.tools[mark.first_tool].target) {
    const Chart::Tool& tool = chart.tools[mark.first_tool];
    std::string name = fitted(chart.text(tool.name), room, height);
    const int64_t left = room - width_of(name + ' ', height);
    if (left < 6 * height) return name;
    // What matters of a path is its end.
    const std::string target = fold_white_space(printable(chart.text(tool.target)));
    return name + ' ' + clip_left(target, static_cast<size_t>(left / width_of("x", height)));
  }
  const std::string label = short_label(chart, mark, room, height);
  return label.empty() ? fitted(chart.label(mark), room, height) : label;
}

}  // namespace xtrace
