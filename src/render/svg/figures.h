#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/chart/chart.h"

namespace xtrace {

// Figures in words.

/// `12 160 430`
std::string tell_count(int64_t count);
std::string tell_cost(int64_t nusd);
/// To the cent, from one cent on, else to a tenth of one.
std::string tell_short_cost(int64_t nusd);
std::string tell_length(int64_t us);
/// `1 call`, `3 calls`
std::string tell_many(int64_t count, std::string_view one);
/// `2026-03-01 09:30:00`, in UTC
std::string tell_moment(int64_t us);

/// What its marks are: call, span, step.
std::string_view noun_of(const Chart& chart);
/// Of which session or run, when.
std::string title_of(const Chart& chart);
/// What it adds up to; `≥` precedes a sum of which only a part is known.
std::string sums_of(const Chart& chart);
/// One of the figures at the head of a page: `$8.81` `cost`, `5` `tool errors`.
struct HeadFigure {
  std::string value, name;
  bool is_bad = false;
};
/// How long it took, what it cost, how much was done and what failed; of two runs, the new one.
std::vector<HeadFigure> head_figures(const Chart& chart);
/// What is known of a mark, in lines.
std::string hint_of(const Chart& chart, const Chart::Mark& mark);
/// The tools that it asked for, or its name; as much as has room, by whole names; or nothing.
std::string short_label(const Chart& chart, const Chart::Mark& mark, int64_t room, int64_t height);
/// Likewise for a box, which is never empty: also what a tool was used on.
std::string box_label(const Chart& chart, const Chart::Mark& mark, int64_t room, int64_t height);

}  // namespace xtrace
