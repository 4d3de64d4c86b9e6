#include "input/growing/generation.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "input/bytes/unnamed_copy.h"

namespace xtrace {

Result<uint32_t> Generations::add(uint32_t argument, const std::string& path) {
  Result<File> copy = create_unnamed_file(path);
  if (!copy) return tl::unexpected(copy.error());
  Generation generation;
  generation.path = path;
  generation.copy = std::make_shared<const File>(*std::move(copy));
  all_.push_back(std::move(generation));
  argument_.push_back(argument);
  std::vector<uint32_t> order = in_order();
  for (uint32_t i = 0; i < order.size(); ++i) all_[order[i]].rank = i;
  return static_cast<uint32_t>(all_.size() - 1);
}

std::vector<uint32_t> Generations::in_order() const {
  std::vector<uint32_t> order(all_.size());
  std::iota(order.begin(), order.end(), 0u);
  auto is_before = [&](uint32_t a, uint32_t b) {
    if (argument_[a] != argument_[b]) return argument_[a] < argument_[b];
    // As a search through folders meets them: component by component.
    int order_of_names = std::filesystem::path(all_[a].path).compare(all_[b].path);
    return order_of_names != 0 ? order_of_names < 0 : a < b;
  };
  std::sort(order.begin(), order.end(), is_before);
  return order;
}

void Generations::put_in_order(std::vector<RecordAt>& records) const {
  std::erase_if(records, [&](const RecordAt& record) { return all_[record.generation].is_over; });
  std::ranges::sort(records, [&](const RecordAt& a, const RecordAt& b) { return before(a, b); });
}

}  // namespace xtrace
