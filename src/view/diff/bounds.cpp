#include "view/diff/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/count.h"
#include "base/text.h"

namespace xtrace {

namespace {

MeasuredFigure count_figure(int64_t count, bool is_low = false) {
  if (count < 0) return {};
  return {static_cast<double>(count), is_low};
}

MeasuredFigure figure_of(Threshold::Of of, const RunTotals& totals) {
  const Usage& used = totals.used;
  const bool is_low = used.low > 0;
  switch (of) {
    case Threshold::Of::cost:
      if (used.cost < 0) return {};
      return {static_cast<double>(used.cost) / 1e9, used.is_low_cost()};
    case Threshold::Of::calls: return count_figure(totals.calls);
    case Threshold::Of::tokens:
      return count_figure(sum_of_known({totals.tokens_in(), totals.tokens_out()}), is_low);
    case Threshold::Of::duration:
      if (totals.elapsed == kNoDuration) return {};
      return {std::chrono::duration<double>(totals.elapsed).count()};
    case Threshold::Of::errors: return count_figure(totals.errors);
  }
  return {};
}

std::string shown(Threshold::Of of, const MeasuredFigure& figure) {
  if (!figure.amount) return "not recorded";
  const std::string at_least = figure.is_low ? "≥" : "";
  switch (of) {
    case Threshold::Of::cost: return at_least + show_dollars({std::llround(*figure.amount * 1e9)});
    case Threshold::Of::duration:
      return format_span(
          std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*figure.amount)));
    default: return at_least + show_count(static_cast<int64_t>(*figure.amount));
  }
}

std::string_view verdict_of(const JudgedThreshold& bound) {
  if (!bound.is_broken) return "insufficient_evidence";
  return *bound.is_broken ? "failed" : "passed";
}

Cell amount_of(const MeasuredFigure& figure) {
  return figure.amount ? Cell(*figure.amount) : Cell();
}

struct BoundRow {
  const JudgedThreshold& bound;
  Door& door;
};

constexpr Field<BoundRow> kBounds[] = {
    {{"metric", "cost, calls, tokens, duration or errors", CellKind::text, true},
     [](const BoundRow& r) -> Cell { return Door::own(word(r.bound.threshold.of)); }},
    {{"bound", "the bound as given", CellKind::text, true},
     [](const BoundRow& r) -> Cell { return r.door.composed(r.bound.threshold.text); }},
    {{"old", "old value in dollars, calls, tokens, seconds or errors; absent: not recorded",
      CellKind::number},
     [](const BoundRow& r) { return amount_of(r.bound.before); }},
    {{"new", "new value; absent: not recorded", CellKind::number},
     [](const BoundRow& r) { return amount_of(r.bound.now); }},
    {{"verdict",
      "passed, failed, or insufficient_evidence: a figure is not recorded (counts as a failure)",
      CellKind::text, true},
     [](const BoundRow& r) -> Cell { return Door::own(verdict_of(r.bound)); }},
};

}  // namespace

Result<std::vector<Threshold>> read_bounds(const std::vector<std::string>& texts) {
  std::vector<Threshold> bounds;
  bounds.reserve(texts.size());
  for (const std::string& text : texts) {
    Result<Threshold> bound = read_threshold(text);
    if (!bound) return fail(Exit::usage, "--fail-if: " + bound.error().what);
    bounds.push_back(*std::move(bound));
  }
  return bounds;
}

std::vector<JudgedThreshold> judge_bounds(const std::vector<Threshold>& thresholds,
                                          const DiffScene& scene) {
  if (thresholds.empty()) return {};
  const RunTotals before = totals_of(scene.old_run), now = totals_of(scene.new_run);
  std::vector<JudgedThreshold> bounds;
  bounds.reserve(thresholds.size());
  for (const Threshold& threshold : thresholds) {
    JudgedThreshold bound{
        threshold, figure_of(threshold.of, before), figure_of(threshold.of, now), {}};
    bound.is_broken = is_beyond(threshold, bound.before, bound.now);
    bounds.push_back(std::move(bound));
  }
  return bounds;
}

bool any_fails(const std::vector<JudgedThreshold>& bounds) {
  return std::any_of(bounds.begin(), bounds.end(),
                     [](const JudgedThreshold& bound) { return bound.is_broken.value_or(true); });
}

std::string sentence_of(const JudgedThreshold& bound) {
  const Threshold& threshold = bound.threshold;
  std::string text = fmt::format("{}: {} → {}", word(threshold.of),
                                 shown(threshold.of, bound.before), shown(threshold.of, bound.now));
  if (!bound.is_broken) {
    const bool is_recorded = bound.before.amount && bound.now.amount;
    return fmt::format("{} (limit {}): cannot be checked, because {}", text, threshold.text,
                       is_recorded ? "incomplete records make these figures lower bounds; a limit "
                                     "on calls or duration can be checked"
                                   : "a figure is not recorded");
  }
  // It may have moved further, or less far where more was before: only the former was decided on.
  const std::string_view at_least = bound.now.is_low && !threshold.is_fall ? "at least " : "";
  return fmt::format("{}, {}{} (limit {}): {}", text, at_least,
                     moved(threshold, *bound.before.amount, *bound.now.amount), threshold.text,
                     *bound.is_broken ? "FAILED" : "passed");
}

std::span<const Column> bound_columns() {
  return columns_of<kBounds>();
}

Table bound_table(const std::vector<JudgedThreshold>& bounds, Door& door) {
  Table table = table_of<kBounds>("bounds");
  for (const JudgedThreshold& bound : bounds) add_fields(kBounds, {bound, door}, table);
  return table;
}

}  // namespace xtrace
