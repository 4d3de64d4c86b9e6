#include <ostream>

#include "render/chart/chart.h"
#include "render/chart/chart_cells.h"
#include "render/renderer.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

/// The mark that the answer is about, where it says so.
uint32_t target_of(const Document& document, const Chart& chart) {
  for (const Section& section : document.sections()) {
    const Record* record = std::get_if<Record>(&section);
    if (record == nullptr || !record->table.name.empty() || record->table.rows() == 0) continue;
    const CellKey target(record->table.columns, {"target"});
    const std::string_view id = text_of(target.in(record->table.row(0)));
    if (id.empty()) continue;
    for (uint32_t i = 0; i < chart.marks.size(); ++i)
      if (chart.text(chart.marks[i].id) == id) return i;
  }
  return Chart::kNone;
}

std::string picture_of(const Document& document, PictureKind kind) {
  Chart chart = read_chart(document);
  order_marks(chart);
  lay_lanes(chart);
  switch (kind) {
    case PictureKind::causes: return causes_picture(chart, target_of(document, chart));
    case PictureKind::actors: return actors_picture(chart);
    default: return timeline_picture(chart);
  }
}

void write_svg(const Document& document, const Paper& paper, std::ostream& out) {
  out << picture_of(document, paper.picture);
}

}  // namespace

extern constinit const Renderer kSvgRenderer = {
    .name = "svg",
    .summary = "a picture of it over time, or of causes or actors, for pages and reports",
    .face = Face::tables,
    .write = write_svg,
    .needs_file = true,
    .adds_graph = true,
};

}  // namespace xtrace
