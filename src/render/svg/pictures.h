#pragma once

#include <string>

#include "doc/document.h"
#include "render/chart/chart.h"
#include "render/svg/hues.h"
#include "render/svg/style.h"
#include "render/svg/timeline_layout.h"

namespace xtrace {

// Each makes a whole file of a chart whose marks are ordered and have lanes.

std::string timeline_picture(Chart& chart, Caption caption);
/// Of what led to `target` and came of it; without one (kNone), of all that has room.
std::string causes_picture(const Chart& chart, uint32_t target);
std::string actors_picture(const Chart& chart);
std::string flow_picture(const Chart& chart);
/// The cost of each row of a report, as a bar; `table` has at least one row.
std::string bars_picture(const Table& table, const Chart& chart);

/// Of a timeline, where a mark is drawn: its first and its last part.
struct MarkPlace {
  TimelineLayout::Spot first, last;
  bool is_drawn = false, is_folded = false;
};

/// Which signs occur, for the legend.
struct SignsUsed {
  bool failed = false, tool = false, tool_failed = false, retry = false, person = false,
       permission = false, retry_wait = false, path = false, folded = false, no_length = false,
       backwards = false, link = false, spawn = false, report = false, result = false,
       guessed = false, doubtful = false, error = false, far = false;
};

void draw_axes(const TimelineLayout& layout, SvgWriter& svg);
void draw_lanes(const Chart& chart, const TimelineLayout& layout, const Hues& hues, SvgWriter& svg);
/// Waits, marks and the tools behind them.
void draw_marks(const Chart& chart, const TimelineLayout& layout, const Hues& hues,
                std::vector<MarkPlace>& places, SignsUsed& signs, std::vector<std::string>& notes,
                SvgWriter& svg);
/// `order`: the critical marks, session by session, in the order of time.
void draw_critical_path(const Chart& chart, const TimelineLayout& layout,
                        const std::vector<std::vector<uint32_t>>& order, SignsUsed& signs,
                        SvgWriter& svg);
void draw_arrows(const Chart& chart, const TimelineLayout& layout,
                 const std::vector<MarkPlace>& places, SignsUsed& signs,
                 std::vector<std::string>& notes, SvgWriter& svg);
/// Returns where it ends.
int64_t draw_legend(const Chart& chart, const Hues& hues, const SignsUsed& signs, int64_t y,
                    SvgWriter& svg);

// Signs that pictures share.

enum class Head : uint8_t { none, filled, open, small };
Head head_of(std::string_view link);
/// With its tip there, pointing along dx, dy, one of which is 0.
void draw_head(Head head, int64_t x, int64_t y, int64_t dx, int64_t dy, SvgWriter& svg,
               bool is_error = false);
/// The signs of its head and its line.
void note_link(Head head, const Chart::Link& link, SignsUsed& signs);
/// `arrow`, and how it is drawn: results and continuations solid, spawns and reports dashed,
/// results that are errors red and dashed; dotted what is inferred, paler where it is doubtful.
std::string arrow_class(Head head, const Chart::Link& link);
/// `0.92`, for what is guessed.
std::string confidence_words(int64_t confidence);
/// Lines across, as waits have them.
void draw_wait(Chart::Wait wait, int64_t x, int64_t y, int64_t width, int64_t height,
               SvgWriter& svg);

}  // namespace xtrace
