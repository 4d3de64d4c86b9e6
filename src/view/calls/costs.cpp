#include "view/calls/costs.h"

#include <fmt/format.h>

#include "view/common/words.h"

namespace xtrace {

namespace {

constexpr size_t kNamed = 20;

constexpr Column kCosts[] = {
    {"table", "the list prices that the program knows, and the day of the latest of them",
     CellKind::text, true},
    {"file",
     "with --prices: whose prices went in on top; its digest, in answers that an auditor "
     "keeps",
     CellKind::text},
    {"from_log", "calls whose cost the log states", CellKind::integer, true},
    {"from_table", "calls whose cost is the price of their tokens", CellKind::integer, true},
    {"unpriced_calls", "calls whose cost is not known, and in no sum", CellKind::integer, true},
    {"unpriced_models",
     "models of these calls, at most 20: no price is known of them, or not all their tokens",
     CellKind::texts},
    {"low_output_calls",
     "calls of which the log kept the first count of a stream and not the last: they put out and "
     "cost more than is told here",
     CellKind::integer},
};

/// Those of which `wanted` is so, at most kNamed.
template <class Wanted>
Texts unpriced(const CallScene& scene, Wanted wanted) {
  Texts models;
  for (StringId model : scene.spending.unpriced_models())
    if (models.size() < kNamed && wanted(model)) models.push_back(scene.names.text(model));
  return models;
}

}  // namespace

std::span<const Column> costs_columns() {
  return kCosts;
}

Text table_name(const PriceTable& prices, Door& door) {
  return door.composed(fmt::format("built-in {}", prices.valid()));
}

Record costs_record(const CallScene& scene) {
  const PriceTable& prices = scene.question.graph.prices();
  const Spending& spending = scene.spending;
  return {{"costs",
           kCosts,
           {table_name(prices, scene.question.door), known(scene.names.text(prices.file)),
            spending.from_log(), spending.from_table(), spending.total().unpriced,
            some(unpriced(scene, [](StringId) { return true; }), scene.arena),
            some(spending.total().low)}}};
}

std::string cost_words(const Usage& usage) {
  if (usage.cost < 0) return usage.unpriced > 0 ? "?" : "";
  const bool is_more = usage.unpriced > 0 || usage.low > 0;
  return (is_more ? "≥" : "") + show_dollars({usage.cost});
}

std::string low_output_words(int64_t calls) {
  return fmt::format(
      "for {} the log kept only the first count of output, so the true cost is higher",
      plural(calls, "call"));
}

std::string prices_line(const PriceTable& prices, const Names& names) {
  if (prices.file.empty()) return fmt::format("cost: tokens at list prices of {}", prices.valid());
  return fmt::format("cost: tokens at the prices of {}, else list prices of {}",
                     names.text(prices.file).view(), prices.valid());
}

Text costs_line(const CallScene& scene) {
  const Spending& spending = scene.spending;
  const PriceTable& prices = scene.question.graph.prices();
  std::string line;
  if (spending.from_table() > 0) {
    line = prices_line(prices, scene.names);
    if (spending.from_log() > 0) line += ", or what the log says";
  } else if (spending.from_log() > 0) {
    line = "cost: what the log says";
  }
  if (int64_t missing = spending.total().unpriced; missing > 0) {
    const auto has_price = [&](StringId model) {
      return prices.find(scene.question.graph.trace()[model]) != nullptr;
    };
    const Texts models = unpriced(scene, [&](StringId model) { return !has_price(model); });
    const Texts uncounted = unpriced(scene, has_price);
    line += fmt::format("{}without {} of unknown cost", line.empty() ? "cost: " : "; ",
                        plural(missing, "call"));
    if (!models.empty())
      line += fmt::format(" ({}); --prices FILE can say what they cost", joined(models, ", "));
    if (!uncounted.empty())
      line += fmt::format("{} the log does not tell all tokens of {}", models.empty() ? ":" : ";",
                          joined(uncounted, ", "));
  }
  if (int64_t low = spending.total().low; low > 0 && !line.empty())
    line += "; " + low_output_words(low);
  return scene.question.door.composed(std::move(line));
}

}  // namespace xtrace
