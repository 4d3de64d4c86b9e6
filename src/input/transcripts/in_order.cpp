#include "input/transcripts/in_order.h"

#include <algorithm>
#include <numeric>

namespace xtrace {

std::vector<uint32_t> in_order(const RawTrace& trace, const std::vector<Thread>& threads) {
  std::vector<uint32_t> order(threads.size());
  std::iota(order.begin(), order.end(), 0);
  const auto begin = [&](uint32_t thread) {
    const std::vector<uint32_t>& lines = threads[thread].said;
    const auto first = std::ranges::find(lines, false, [&](uint32_t i) {
      return trace.utterances[i].kind == Utterance::Kind::silent;
    });
    return trace.utterances[first == lines.end() ? lines.front() : *first].time;
  };
  std::ranges::stable_sort(order, {}, begin);
  return order;
}

}  // namespace xtrace
