#include "base/string_pool.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace xtrace {

namespace {
constexpr size_t kBlockSize = 64 << 10;
}

StringId StringPool::intern(std::string_view text) {
  if (texts_.size() * 4 >= slots_.size() * 3) grow();
  uint32_t& slot = slots_[slot_of(text)];
  if (slot == StringId::kNowhere) {
    slot = static_cast<uint32_t>(texts_.size());
    texts_.push_back(keep(text));
  }
  return StringId{slot};
}

StringId StringPool::find(std::string_view text) const {
  return slots_.empty() ? StringId{} : StringId{slots_[slot_of(text)]};
}

std::string_view StringPool::keep(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > left_) {
    left_ = std::max(kBlockSize, text.size());
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
size_t StringPool::slot_of(std::string_view text) const {
  size_t mask = slots_.size() - 1;
  size_t at = hash_of(text) & mask;
  while (slots_[at] != StringId::kNowhere && texts_[slots_[at]] != text) at = (at + 1) & mask;
  return at;
}

void StringPool::grow() {
  slots_.assign(std::max<size_t>(64, slots_.size() * 2), StringId::kNowhere);
  for (uint32_t i = 0; i < texts_.size(); ++i) slots_[slot_of(texts_[i])] = i;
}

}  // namespace xtrace
