#include "base/string_pool.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace xtrace {

namespace {

/// Bytes of the first block. Each is twice as large as the one before it, up to 64 kB: there can be
/// thousands of pools, of one small file each.
constexpr size_t kFirstBlock = 1 << 10, kDoublings = 6;

uint32_t short_hash(std::string_view text) {
  return static_cast<uint32_t>(hash_of(text));
}

}  // namespace

StringId StringPool::intern(std::string_view text) {
  if (texts_.size() * 4 >= slots_.size() * 3) grow();
  const uint32_t hash = short_hash(text);
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.id == StringId::kNowhere) {
    slot = {static_cast<uint32_t>(texts_.size()), hash};
    texts_.push_back(keep(text));
  }
  return StringId{slot.id};
}

StringId StringPool::find(std::string_view text) const {
  return slots_.empty() ? StringId{} : StringId{slots_[slot_of(text, short_hash(text))].id};
}

std::string_view StringPool::keep(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > left_) {
    left_ = std::max(kFirstBlock << std::min(blocks_.size(), kDoublings), text.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
    free_ = blocks_.back().get();
  }
  char* kept = free_;
  std::memcpy(kept, text.data(), text.size());
  free_ += text.size();
  left_ -= text.size();
  return {kept, text.size()};
}

/// The slot that holds `text`, or the empty one where it belongs.
size_t StringPool::slot_of(std::string_view text, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].id != StringId::kNowhere &&
         (slots_[at].hash != hash || texts_[slots_[at].id] != text))
    at = (at + 1) & mask;
  return at;
}

void StringPool::grow() {
  std::vector<Slot> grown(std::max<size_t>(64, slots_.size() * 2));
  const size_t mask = grown.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.id == StringId::kNowhere) continue;
    size_t at = slot.hash & mask;
    while (grown[at].id != StringId::kNowhere) at = (at + 1) & mask;
    grown[at] = slot;
  }
  slots_ = std::move(grown);
}

}  // namespace xtrace
