#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace xtrace {

/// Calls a worker with each number below `count`, in their order as far as there are threads, on up
/// to `jobs` threads; the calling one is among them. Each thread has a worker of its own, which
/// `make_worker()` makes there. Returns when all is done. What a worker throws, as where there is
/// no more memory, ends the work and is thrown again here. Fewer threads do where no more are to be
/// had.
template <class MakeWorker>
void for_each_on(unsigned jobs, size_t count, const MakeWorker& make_worker) {
  std::atomic<size_t> next{0};
  std::exception_ptr thrown;
  std::mutex throwing;
  auto work = [&] {
    try {
      auto worker = make_worker();
      for (size_t i = next++; i < count; i = next++) worker(i);
    } catch (...) {
      std::lock_guard lock(throwing);
      if (thrown == nullptr) thrown = std::current_exception();
      next = count;
    }
  };
  // Without std::jthread: libc++ 19 and those before it have it in an experimental library.
  std::vector<std::thread> others;
  others.reserve(std::min<size_t>(jobs, count));
  try {
    for (size_t i = 1; i < std::min<size_t>(jobs, count); ++i) others.emplace_back(work);
  } catch (const std::system_error&) {  // no more threads
  }
  work();
  for (std::thread& other : others) other.join();
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

}  // namespace xtrace
