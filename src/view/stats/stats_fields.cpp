#include "view/stats/stats_fields.h"

namespace xtrace {

void add_window(const Tally& tally, Table& table) {
  WindowUse use = window_use(tally.works);
  auto share = [](double part) { return part < 0 ? Cell() : Cell(thousandths(part)); };
  for (const Cell& cell :
       {known(use.limit), known(use.most_sent), share(use.most), share(use.median)})
    table.cells.push_back(cell);
}

void add_lifetime(std::vector<Duration> lifetimes, Table& table) {
  Distribution lived = distribution_of(std::move(lifetimes));
  for (Duration length : {lived.median, lived.p95, lived.most})
    table.cells.push_back(known(length));
}

void add_critical(const Stats& stats, const Tally& tally, Table& table) {
  bool is_known = stats.log.path.steps > 0;
  table.cells.push_back(is_known ? Cell(tally.critical) : Cell());
  table.cells.push_back(is_known && tally.critical > 0 ? Cell(tally.critical_time) : Cell());
  table.cells.push_back(known(distribution_of(tally.slacks).median));
}

void add_use(const Tally& tools, Table& table) {
  table.cells.insert(table.cells.end(), {Cell(tools.count()), Cell(tools.errors)});
}

void add_parallel(const Parallel& parallel, Table& table) {
  table.cells.push_back(some(parallel.most));
  table.cells.push_back(parallel.most > 0 ? Cell(thousandths(parallel.mean)) : Cell());
}

}  // namespace xtrace
