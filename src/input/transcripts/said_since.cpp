#include "input/transcripts/said_since.h"

#include <algorithm>

namespace xtrace {

uint32_t SaidSince::add(const Item& said) {
  Item item = said;
  item.count = 1;
  if (said.before != kNone) {
    const Item& before = items_[said.before];
    item.count += before.count;
    item.is_asked |= before.is_asked;
    item.is_prompted |= before.is_prompted;
    item.latest = std::max(item.latest, before.latest);
  }
  items_.push_back(item);
  return static_cast<uint32_t>(items_.size() - 1);
}

bool SaidSince::are_same(uint32_t last, uint32_t other) const {
  if (last == kNone || other == kNone) return last == other;
  const Item &a = items_[last], &b = items_[other];
  return a.utterance == b.utterance && a.count == b.count;
}

std::vector<uint32_t> SaidSince::up_to(uint32_t last, size_t left_out) const {
  const size_t all = count(last);
  std::vector<uint32_t> utterances(all - std::min(left_out, all));
  for (size_t i = utterances.size(); i-- > 0; last = items_[last].before)
    utterances[i] = items_[last].utterance;
  return utterances;
}

}  // namespace xtrace
