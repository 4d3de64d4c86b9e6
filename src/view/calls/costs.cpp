#include "view/calls/costs.h"

#include <fmt/format.h>

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

Texts unpriced_fees(const CallScene& scene) {
  Texts fees;
  for_each_use(scene.spending.unpriced_tools(), [&](ServerTool tool, int32_t uses) {
    const ToolWords& words = kToolWords[static_cast<size_t>(tool)];
    fees.push_back(scene.question.door.say("{} {}", uses, uses == 1 ? words.one : words.several));
  });
  return fees;
}

/// Those of which `wanted` is so, at most kNamed.
template <class Wanted>
Texts unpriced(const CallScene& scene, Wanted wanted) {
  Texts models;
  for (std::string_view model : scene.spending.unpriced_models())
    if (models.size() < kNamed && wanted(model)) models.push_back(scene.names.text(model));
  return models;
}

Dollars shown_cost(const Usage& usage) {
  return {usage.cost, usage.is_low_cost() ? Dollars::Bound::at_least : Dollars::Bound::exact};
}

constexpr Field<CallScene> kCosts[] = {
    {{"table", "the built-in price list and the date of its latest price", CellKind::text, true},
     [](const CallScene& scene) {
       return Cell(table_name(scene.question.graph.prices(), scene.question.door));
     }},
    {{"file",
      "file given with --prices, which overrides the built-in list; its digest in audit output",
      CellKind::text},
     [](const CallScene& scene) {
       return known(scene.names.text(scene.question.graph.prices().file));
     }},
    {{"from_log", "calls whose cost is recorded in the log", CellKind::integer, true},
     [](const CallScene& scene) { return Cell(scene.spending.from_log()); }},
    {{"from_table", "calls whose cost is computed from tokens and the price list",
      CellKind::integer, true},
     [](const CallScene& scene) { return Cell(scene.spending.from_table()); }},
    {{"unpriced_calls", "calls without a known cost; not included in any sum", CellKind::integer,
      true},
     [](const CallScene& scene) { return Cell(scene.spending.total().unpriced); }},
    {{"unpriced_models",
      "models of these calls, at most 20; their price or some token counts are unknown",
      CellKind::texts},
     [](const CallScene& scene) {
       return some(unpriced(scene, [](std::string_view) { return true; }), scene.arena);
     }},
    {{"low_output_calls",
      "calls for which the log kept only the output count written when the reply began; real "
      "output "
      "and cost are higher",
      CellKind::integer},
     [](const CallScene& scene) { return some(scene.spending.total().low); }},
    {{"unrecorded_agents",
      "calls without a known cost that represent subagents whose own calls are not in the input",
      CellKind::integer},
     [](const CallScene& scene) { return some(scene.spending.total().unrecorded); }},
    {{"partly_priced_calls",
      "calls whose cost is only partly known, because a fee, price or count is unknown; sums "
      "include the known part",
      CellKind::integer},
     [](const CallScene& scene) { return some(scene.spending.total().partly); }},
    {{"unpriced_fees", "vendor services whose fee is unknown, such as `3 code executions`",
      CellKind::texts},
     [](const CallScene& scene) { return some(unpriced_fees(scene), scene.arena); }},
};

}  // namespace

std::span<const Column> costs_columns() {
  return columns_of<kCosts>();
}

Text table_name(const PriceTable& prices, Door& door) {
  return door.say("built-in {}", prices.valid());
}

Record costs_record(const CallScene& scene) {
  return record_of<kCosts>("costs", scene);
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

std::string prices_line(const PriceTable& prices, const Names& names) {
  if (prices.file.empty())
    return fmt::format("cost: computed from tokens and list prices of {}", prices.valid());
  return fmt::format("cost: computed from tokens and the prices in {}, otherwise list prices of {}",
                     names.text(prices.file).view(), prices.valid());
}

Text costs_line(const CallScene& scene) {
  const Spending& spending = scene.spending;
  const PriceTable& prices = scene.question.graph.prices();
  std::string line;
  if (spending.has_computed_cost()) {
    line = prices_line(prices, scene.names);
    if (spending.has_recorded_cost()) line += ", unless recorded in the log";
  } else if (spending.has_recorded_cost()) {
    line = "cost: as recorded in the log";
  }
  if (int64_t missing = spending.total().unpriced; missing > 0) {
    const auto has_price = [&](std::string_view model) {
      return prices.find(model).history != nullptr;
    };
    const Texts models = unpriced(scene, [&](std::string_view model) { return !has_price(model); });
    const Texts uncounted = unpriced(scene, has_price);
    const int64_t unrecorded = spending.total().unrecorded;
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
  if (const Texts fees = unpriced_fees(scene); !fees.empty())
    line += "; fees not included: " + joined(fees, ", ");
  if (const int64_t partly = spending.partly_for_other_reasons(); partly > 0)
    line += "; " + partly_words(partly);
  if (int64_t low = spending.total().low; low > 0 && !line.empty())
    line += "; " + low_output_words(low);
  if (const std::string unplaced = unplaced_words(spending.unplaced()); !unplaced.empty())
    line += (line.empty() ? "" : "; ") + unplaced;
  return scene.question.door.composed(std::move(line));
}

}  // namespace xtrace
