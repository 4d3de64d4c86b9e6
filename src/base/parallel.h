#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace xtrace {

/// Calls a worker with each number below `count`, in their order as far as there are threads, on up
/// to `jobs` threads; the calling one is among them. Each thread has a worker of its own, which
/// `make_worker()` makes there. Returns when all is done.
template <class MakeWorker>
void for_each_on(unsigned jobs, size_t count, const MakeWorker& make_worker) {
  std::atomic<size_t> next{0};
  auto work = [&] {
    auto worker = make_worker();
    for (size_t i = next++; i < count; i = next++) worker(i);
  };
  std::vector<std::jthread> others;
  for (size_t i = 1; i < std::min<size_t>(jobs, count); ++i) others.emplace_back(work);
  work();
}

}  // namespace xtrace
