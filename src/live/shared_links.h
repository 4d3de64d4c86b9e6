#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "live/part_story.h"

namespace xtrace {

/// What was linked in one round of updates, for several graphs of one input that show it by other
/// filters: each set of records is read and linked once. Graphs of one round share it; clear() ends
/// the round, so that no graph outlives it.
class SharedLinks {
 public:
  /// `key`: a hash of the records, and of what there is beside them. nullopt: they are not linked.
  std::optional<Linked> find(uint64_t key) const {
    const auto known = linked_.find(key);
    if (known == linked_.end()) return std::nullopt;
    return copy_of(known->second);
  }
  /// Returns it with a story of its own.
  Linked keep(uint64_t key, Linked linked) {
    return copy_of(linked_.insert_or_assign(key, std::move(linked)).first->second);
  }
  void clear() { linked_.clear(); }

 private:
  /// Who tells a story notes in it what stands out in its task.
  static Linked copy_of(const Linked& linked) {
    Linked copy = linked;
    if (linked.story != nullptr) copy.story = std::make_shared<Story>(*linked.story);
    return copy;
  }

  std::unordered_map<uint64_t, Linked> linked_;
};

}  // namespace xtrace
