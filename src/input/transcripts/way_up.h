#pragma once

#include <vector>

#include "input/transcripts/threads.h"

namespace xtrace {

/// From utterances to those that they follow. There may be thousands of silent ones in between, so
/// each way is walked once.
class WayUp {
 public:
  WayUp(const RawTrace& trace, const Threads& threads);
  /// The next one up that is not silent; kNone: there is none, or the way is a circle.
  uint32_t next(uint32_t utterance);

 private:
  static constexpr uint32_t kNone = Threads::kNone, kUnknown = kNone - 1;

  const std::vector<Utterance>& said_;
  const std::vector<uint32_t>& followed_;
  std::vector<uint32_t> above_;  ///< by utterance, as far as it was asked for
};

}  // namespace xtrace
