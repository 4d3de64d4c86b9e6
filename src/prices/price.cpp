#include "prices/price.h"

#include <algorithm>

#include "prices/day.h"
#include "prices/model_name.h"

namespace xtrace {

const PricedModel* FoundPrices::at(Time time) const {
  if (history == nullptr) return nullptr;
  // Without a time, what held when it was looked up: makers announce prices of later days.
  if (time == kNoTime) {
    const auto begun = std::find_if(history->rbegin(), history->rend(), [](const auto& row) {
      return row.valid.empty() || row.from <= first_moment(row.valid);
    });
    return begun == history->rend() ? &history->front() : &*begun;
  }
  const PricedModel* found = &history->front();
  for (const PricedModel& row : *history)
    if (row.from <= time) found = &row;  // kNoTime is before all times
  return found;
}

PriceHistory& PriceTable::history_of(const PricedModel& row) {
  std::string name = plain_model(row.name);
  if (name.empty()) name = row.name;  // another seller's: found by just this name
  if (file.empty()) valid_ = std::max(valid_, row.valid);
  return models_[std::move(name)];
}

void PriceTable::add(PricedModel row) {
  PriceHistory& history = history_of(row);
  const auto behind =
      std::upper_bound(history.begin(), history.end(), row.from,
                       [](Time from, const PricedModel& other) { return from < other.from; });
  history.insert(behind, std::move(row));
}

void PriceTable::set(PricedModel row) {
  PriceHistory& history = history_of(row);
  history.clear();
  history.push_back(std::move(row));
}

void PriceTable::set_fee(Fee fee) {
  std::erase_if(fees_, [&](const Fee& other) {
    return other.family == fee.family && other.tool == fee.tool;
  });
  const auto behind = std::find_if(fees_.begin(), fees_.end(), [&](const Fee& other) {
    return other.family.size() < fee.family.size();
  });
  fees_.insert(behind, std::move(fee));
}

FoundPrices PriceTable::find(std::string_view model) const {
  FoundPrices found{find_by_model(models_, model), terms_of_model(model)};
  if (found.history != nullptr) return found;
  // `claude-opus-5-fast` is the model in a hurry where that has a price; others are called so too.
  constexpr std::string_view kFast = "-fast";
  if (!model.ends_with(kFast)) return found;
  model.remove_suffix(kFast.size());
  const PriceHistory* usual = find_by_model(models_, model);
  if (usual == nullptr || usual->back().multiples.fast < 0) return found;
  return {usual, terms_of_model(model).over({ServiceTier::fast})};
}

int64_t PriceTable::fee(std::string_view model, ServerTool tool, int64_t uses, Time time) const {
  const std::string plain = plain_model(model);
  const int64_t own = fee_among(fees_, plain, tool, uses, time);
  return own >= 0 ? own : fee_among(listed_fees(), plain, tool, uses, time);
}

}  // namespace xtrace
