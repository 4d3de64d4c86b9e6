#include <algorithm>
#include <ostream>

#include "render/chart/chart.h"
#include "render/chart/chart_cells.h"
#include "render/renderer.h"
#include "render/svg/figures.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

/// The mark that the answer is about, where it says so.
uint32_t target_of(const Document& document, const Chart& chart) {
  for (const Section& section : document.sections()) {
    const Record* record = std::get_if<Record>(&section);
    if (record == nullptr || !record->table.name.empty() || record->table.rows() == 0) continue;
    const RoleColumns columns(record->table.columns);
    const std::string_view id = text_of(columns.in(record->table.row(0), Role::node));
    if (id.empty()) continue;
    for (uint32_t i = 0; i < chart.marks.size(); ++i)
      if (chart.text(chart.marks[i].id) == id) return i;
  }
  return Chart::kNone;
}

/// Of two runs: the older one is drawn as though it had begun with the newer one.
void begin_together(Chart& chart) {
  int64_t begin[2] = {Chart::kUnknown, Chart::kUnknown};
  for (const Chart::Mark& mark : chart.marks)
    if (int64_t& first = begin[mark.is_old ? 1 : 0];
        mark.is_timed() && (first == Chart::kUnknown || mark.start_us < first))
      first = mark.start_us;
  if (begin[0] == Chart::kUnknown || begin[1] == Chart::kUnknown) return;
  for (Chart::Mark& mark : chart.marks)
    if (mark.is_old && mark.is_timed()) mark.start_us += begin[0] - begin[1];
}

/// For an answer about a part of what was read, that part; if no node of the graph bears the names
/// that it uses, all.
Chart laid_chart(const Document& document, Chart::Runs runs) {
  Chart chart = read_chart(document, runs, find_listed_nodes(document));
  if (chart.marks.empty()) chart = read_chart(document, runs);
  name_hops(chart);
  begin_together(chart);
  order_marks(chart);
  lay_lanes(chart);
  return chart;
}

/// Of two runs that are compared, both, the older one above.
std::string timeline_of(const Document& document) {
  Chart chart = laid_chart(document, Chart::Runs::both);
  const auto is_old = [](const Chart::Mark& mark) { return mark.is_old; };
  if (std::ranges::none_of(chart.marks, is_old))
    return timeline_picture(chart, {title_of(chart), sums_of(chart), {}});
  const Chart newer = laid_chart(document, Chart::Runs::new_one),
              older = laid_chart(document, Chart::Runs::old_one);
  return timeline_picture(chart, {title_of(newer),
                                  "new run: " + sums_of(newer),
                                  {"old run above, shifted to the same start: " + sums_of(older)}});
}

/// The table that `report` and `stats --by` are about; nullptr: there is none, or it is empty.
const Table* groups_of(const Document& document) {
  for (const Section& section : document.sections())
    if (const Table* table = std::get_if<Table>(&section);
        table != nullptr && table->name == "groups" && table->rows() > 0)
      return table;
  return nullptr;
}

std::string picture_of(const Document& document, PictureKind kind) {
  if (const Table* groups = groups_of(document); groups != nullptr && kind == PictureKind::timeline)
    return bars_picture(*groups, read_chart(document, Chart::Runs::new_one));
  if (kind == PictureKind::timeline) return timeline_of(document);
  const Chart chart = laid_chart(document, Chart::Runs::new_one);
  if (kind == PictureKind::actors) return actors_picture(chart);
  if (kind == PictureKind::flow) return flow_picture(chart);
  return causes_picture(chart, target_of(document, chart));
}

void write_svg(const Document& document, const Paper& paper, std::ostream& out) {
  out << picture_of(document, paper.picture);
}

}  // namespace

extern constinit const Renderer kSvgRenderer = {
    .name = "svg",
    .summary = "picture: timeline, causes, actors or flow (--picture)",
    .face = Face::tables,
    .write = write_svg,
    .needs_file = true,
    .adds_graph = true,
    .adds_graph_before = true,
};

}  // namespace xtrace
