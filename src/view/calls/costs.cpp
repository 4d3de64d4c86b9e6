#include "view/calls/costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "link/activities/activities.h"
#include "prices/call_costs.h"
#include "view/calls/unplaced.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

constexpr size_t kNamed = 20;

struct ToolWords {
  std::string_view one, several;
};
/// By ServerTool.
constexpr ToolWords kToolWords[] = {{"", ""},
                                    {"web search", "web searches"},
                                    {"web fetch", "web fetches"},
                                    {"X search", "X searches"},
                                    {"map lookup", "map lookups"},
                                    {"file search", "file searches"},
                                    {"code execution", "code executions"},
                                    {"generated image", "generated images"}};
static_assert(std::size(kToolWords) == kServerTools + 1);

/// What an answer says of its costs, be it about calls or spans.
struct CostBasis {
  const Question& question;
  const Names& names;
  CellArena& arena;
  CostSources sources;
  std::string unplaced;

  const PriceTable& prices() const { return question.graph.prices(); }
};

CostBasis basis_of(const CallScene& scene) {
  return {scene.question, scene.names, scene.arena, scene.spending.sources(),
          unplaced_words(scene.spending.unplaced())};
}

CostBasis basis_of(const HopScene& scene, std::span<const UnplacedRow> unplaced, CellArena& arena) {
  const Graph& graph = scene.question.graph;
  CostSources sources;
  for (size_t i = 0; i < scene.hops.all.size(); ++i) {
    const Activity& done = graph.activities().of(HopId(i));
    if (scene.selection.shows(HopId(i)) && done.counts_usage())
      sources.add(graph.prices(), done, usage_of(done), total_of(done.tokens) > 0);
  }
  for (const UnplacedRow& row : unplaced) sources.add(graph.prices(), row.usage);
  sources.finish();
  return {scene.question, scene.names, arena, std::move(sources), unplaced_words(unplaced)};
}

Texts unpriced_fees(const CostBasis& basis) {
  Texts fees;
  for_each_use(basis.sources.unpriced_tools, [&](ServerTool tool, int32_t uses) {
    const ToolWords& words = kToolWords[static_cast<size_t>(tool)];
    fees.push_back(basis.question.door.say("{} {}", uses, uses == 1 ? words.one : words.several));
  });
  return fees;
}

/// Those of which `wanted` is so, at most kNamed.
template <class Wanted>
Texts unpriced(const CostBasis& basis, Wanted wanted) {
  Texts models;
  for (std::string_view model : basis.sources.unpriced_models)
    if (models.size() < kNamed && wanted(model)) models.push_back(basis.names.text(model));
  return models;
}

Dollars shown_cost(const Usage& usage) {
  return {usage.cost, usage.is_low_cost() ? Dollars::Bound::at_least : Dollars::Bound::exact};
}

constexpr Field<CostBasis> kCosts[] = {
    {{"table", "the built-in price list and the date of its latest price", CellKind::text, true},
     [](const CostBasis& basis) { return Cell(table_name(basis.prices(), basis.question.door)); }},
    {{"file",
      "file given with --prices, which overrides the built-in list; its digest in audit output",
      CellKind::text},
     [](const CostBasis& basis) { return known(basis.names.text(basis.prices().file)); }},
    {{"from_log", "calls whose cost is recorded in the log", CellKind::integer, true},
     [](const CostBasis& basis) { return Cell(basis.sources.from_log); }},
    {{"from_table", "calls whose cost is computed from tokens and the price list",
      CellKind::integer, true},
     [](const CostBasis& basis) { return Cell(basis.sources.from_table); }},
    {{"unpriced_calls", "calls without a known cost; not included in any sum", CellKind::integer,
      true},
     [](const CostBasis& basis) { return Cell(basis.sources.total.unpriced); }},
    {{"unpriced_models",
      "models of these calls, at most 20; their price or some token counts are unknown",
      CellKind::texts},
     [](const CostBasis& basis) {
       return some(unpriced(basis, [](std::string_view) { return true; }), basis.arena);
     }},
    {{"low_output_calls",
      "calls for which the log kept only the output count written when the reply began; real "
      "output "
      "and cost are higher",
      CellKind::integer},
     [](const CostBasis& basis) { return some(basis.sources.total.low); }},
    {{"unrecorded_agents",
      "calls without a known cost that represent subagents whose own calls are not in the input",
      CellKind::integer},
     [](const CostBasis& basis) { return some(basis.sources.total.unrecorded); }},
    {{"partly_priced_calls",
      "calls whose cost is only partly known, because a fee, price or count is unknown; sums "
      "include the known part",
      CellKind::integer},
     [](const CostBasis& basis) { return some(basis.sources.total.partly); }},
    {{"unpriced_fees", "vendor services whose fee is unknown, such as `3 code executions`",
      CellKind::texts},
     [](const CostBasis& basis) { return some(unpriced_fees(basis), basis.arena); }},
};

}  // namespace

std::span<const Column> costs_columns() {
  return columns_of<kCosts>();
}

Text table_name(const PriceTable& prices, Door& door) {
  return door.say("built-in {}", prices.valid());
}

Record costs_record(const CallScene& scene) {
  return record_of<kCosts>("costs", basis_of(scene));
}

Record costs_record(const HopScene& scene, std::span<const UnplacedRow> unplaced,
                    CellArena& arena) {
  return record_of<kCosts>("costs", basis_of(scene, unplaced, arena));
}

std::string cost_words(const Usage& usage) {
  if (usage.cost < 0) return usage.unpriced > 0 ? "?" : "";
  return show_dollars(shown_cost(usage));
}

Cell cost_cell(const Usage& usage) {
  if (usage.cost >= 0) return shown_cost(usage);
  return usage.unpriced > 0 ? Cell(Text("?")) : Cell();
}

std::string unrecorded_words(int64_t agents) {
  return plural(agents, "subagent") + " without logs";
}

std::string partly_words(int64_t calls) {
  return fmt::format("only part of the cost is known for {}", plural(calls, "call"));
}

std::string low_output_words(int64_t calls) {
  return fmt::format(
      "output tokens are incomplete for {} (the log kept only the count from the start of each "
      "reply), so the true cost is higher",
      plural(calls, "call"));
}

namespace {

/// By which prices tokens became a cost: `cost: tokens at list prices of 2026-10-24`.
std::string prices_line(const PriceTable& prices, const Names& names) {
  if (prices.file.empty())
    return fmt::format("cost: computed from tokens and list prices of {}", prices.valid());
  return fmt::format("cost: computed from tokens and the prices in {}, otherwise list prices of {}",
                     names.text(prices.file).view(), prices.valid());
}

Text costs_line(const CostBasis& basis) {
  const PriceTable& prices = basis.prices();
  std::string line;
  if (basis.sources.has_computed) {
    line = prices_line(prices, basis.names);
    if (basis.sources.has_recorded) line += ", unless recorded in the log";
  } else if (basis.sources.has_recorded) {
    line = "cost: as recorded in the log";
  }
  if (int64_t missing = basis.sources.total.unpriced; missing > 0) {
    const auto has_price = [&](std::string_view model) {
      return prices.find(model).history != nullptr;
    };
    const Texts models = unpriced(basis, [&](std::string_view model) { return !has_price(model); });
    const Texts uncounted = unpriced(basis, has_price);
    const int64_t unrecorded = basis.sources.total.unrecorded;
    line += line.empty() ? "cost not included: " : "; not included: ";
    if (unrecorded > 0) line += unrecorded_words(unrecorded);
    if (unrecorded > 0 && missing > unrecorded) line += " and ";
    if (missing > unrecorded) line += plural(missing - unrecorded, "call") + " of unknown cost";
    std::string why;
    if (!models.empty())
      why = fmt::format("no price for {}: use --prices FILE", joined(models, ", "));
    if (!uncounted.empty())
      why += fmt::format("{}incomplete token counts for {}", why.empty() ? "" : "; ",
                         joined(uncounted, ", "));
    if (!why.empty()) line += fmt::format(" ({})", why);
  }
  if (const Texts fees = unpriced_fees(basis); !fees.empty())
    line += "; fees not included: " + joined(fees, ", ");
  if (const int64_t partly = basis.sources.partly_for_other_reasons(); partly > 0)
    line += "; " + partly_words(partly);
  if (int64_t low = basis.sources.total.low; low > 0 && !line.empty())
    line += "; " + low_output_words(low);
  if (!basis.unplaced.empty()) line += (line.empty() ? "" : "; ") + basis.unplaced;
  return basis.question.door.composed(std::move(line));
}

}  // namespace

Text costs_line(const CallScene& scene) {
  return costs_line(basis_of(scene));
}

Text costs_line(const HopScene& scene, std::span<const UnplacedRow> unplaced, CellArena& arena) {
  return costs_line(basis_of(scene, unplaced, arena));
}

}  // namespace xtrace
