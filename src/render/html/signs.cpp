#include "render/html/signs.h"

#include <string_view>

#include "render/chart/sign_words.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

void note_mark(const Chart& chart, const Chart::Mark& mark, SignsUsed& used) {
  used.failed |= mark.failed;
  used.tool_failed |= mark.tool_failed;
  used.retry |= mark.is_retry;
  used.backwards |= mark.duration_us != Chart::kUnknown && mark.duration_us < 0;
  used.path |= mark.critical;
  for (uint32_t i = mark.first_tool; i < mark.first_tool + mark.tools; ++i)
    used.tool |= chart.tools[i].duration_us > 0;
}

}  // namespace

std::vector<std::string> signs_of(const Chart& chart) {
  SignsUsed used;
  bool has_arcs = false;
  for (const Chart::Mark& mark : chart.marks)
    if (mark.is_timed()) note_mark(chart, mark, used);
  for (const Chart::Arrow& arrow : chart.arrows) {
    const Chart::Mark &from = chart.marks[arrow.from], &to = chart.marks[arrow.to];
    if (!from.is_timed() || !to.is_timed()) continue;
    const Chart::Link& link = chart.link(arrow);
    // An arc has no head.
    const bool is_arc = from.lane == to.lane && from.row == to.row;
    has_arcs |= is_arc;
    if (is_arc)
      note_confidence(link.confidence, used);
    else
      note_link(head_of(chart.text(link.type)), link.confidence, used);
  }
  struct Sign {
    bool is_used;
    std::string_view sign, words;
  };
  // As like those of the canvas as text allows.
  const Sign all[] = {{used.failed, "!", kFailedWords},
                      {used.tool, "▬", kToolWords},
                      {used.tool_failed, "▌!", kToolFailedWords},
                      {used.retry, "↻", kRetryWords},
                      {used.backwards, "⚠", kBackwardsWords},
                      {used.path, "▁▁", kPathWords},
                      {used.spawn, "─▶", kSpawnWords},
                      {used.report, "─>", kReportWords},
                      {used.result, "─▸", kResultWords},
                      {used.link, "──", kContinuationWords},
                      {has_arcs, "⌒", "link within a lane"},
                      {used.guessed, "╌╌", kGuessedWords},
                      {used.doubtful, "┈┈", kDoubtfulWords}};
  std::vector<std::string> signs;
  for (const Sign& sign : all)
    if (sign.is_used) signs.push_back(std::string(sign.sign).append(" ").append(sign.words));
  return signs;
}

}  // namespace xtrace
