#include "view/common/field.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <utility>

namespace xtrace {

void add_parts(std::string_view name, const Entries& parts, Door& door, Entries& entries) {
  for (const auto& [key, cell] : parts.items) {
    std::string whole = fmt::format("{}.{}", name, key.view());
    if (const Entries* const* inner = std::get_if<const Entries*>(&cell))
      add_parts(whole, **inner, door, entries);
    else
      entries.add(door.composed(std::move(whole)), cell);
  }
}

Cell known(int64_t count) {
  return count < 0 ? Cell() : Cell(count);
}

Cell known(Duration length) {
  return length == kNoDuration ? Cell() : Cell(length);
}

Cell known(Moment moment) {
  return moment.time == kNoTime ? Cell() : Cell(moment);
}

Cell known(Text text) {
  return text.empty() ? Cell() : Cell(text);
}

Cell dollars(int64_t billionths) {
  return billionths < 0 ? Cell() : Cell(Dollars{billionths});
}

Cell microseconds(Time time) {
  if (time == kNoTime) return {};
  return std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch()).count();
}

Cell microseconds(Duration length) {
  if (length == kNoDuration) return {};
  return std::chrono::floor<std::chrono::microseconds>(length).count();
}

double thousandths(double number) {
  return static_cast<double>(std::llround(number * 1000)) / 1000;
}

bool reaches(double confidence, double least) {
  return thousandths(confidence) >= least;
}

Cell some(int64_t count) {
  return count > 0 ? Cell(count) : Cell();
}

Cell some(Texts texts, CellArena& arena) {
  return texts.empty() ? Cell() : Cell(arena.keep(std::move(texts)));
}

Cell some(Table table, CellArena& arena) {
  return table.cells.empty() ? Cell() : Cell(arena.keep(std::move(table)));
}

Cell if_true(bool truth) {
  return truth ? Cell(true) : Cell();
}

}  // namespace xtrace
