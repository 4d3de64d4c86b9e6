#pragma once

#include <vector>

#include "input/transcripts/threads.h"

namespace xtrace {

/// What was said since an answer. The branches of a conversation have much of it in common, so it
/// is kept as a tree: what one has is told by the last of it, and all before that is kept once.
class SaidSince {
 public:
  static constexpr uint32_t kNone = Threads::kNone;
  struct Item {
    uint32_t utterance = kNone;
    uint32_t before = kNone;                     ///< the item before
    uint32_t count = 0;                          ///< of those up to here
    bool is_asked = false, is_prompted = false;  ///< something by then; by a prompt
    Time latest = kNoTime;                       ///< by then
  };

  /// The item that says `utterance` behind the item `before`.
  uint32_t add(const Item& said);
  const Item& operator[](uint32_t item) const { return items_[item]; }
  size_t count(uint32_t last) const { return last == kNone ? 0 : items_[last].count; }
  /// Do these last items end the same?
  bool are_same(uint32_t last, uint32_t other) const;
  /// The utterances up to the item `last`, without so many of the first.
  std::vector<uint32_t> up_to(uint32_t last, size_t left_out = 0) const;

 private:
  std::vector<Item> items_;
};

}  // namespace xtrace
