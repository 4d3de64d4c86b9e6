#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <utility>

#include "base/system_mapping.h"

namespace xtrace {

/// A mapping as the signal handler sees it, which may look at nothing but atomics.
struct Watched {
  std::atomic<bool> taken{false};
  std::atomic<char*> start{nullptr};
  std::atomic<size_t> size{0};
  std::atomic<bool> shorter{false};
};

namespace {

Watched watched[512];  // more than there can be threads
struct sigaction former {};
size_t page_bytes = kPageBytes;  // of the system: 16 or 64 KB on some arm64 ones

/// The file's pages from `at` on are gone: zeros take their place, and reading goes on until its
/// owner asks.
bool replace(Watched& mapping, const char* at) {
  char* start = mapping.start;
  if (start == nullptr || at < start || at >= start + mapping.size) return false;
  char* page = start + static_cast<size_t>(at - start) / page_bytes * page_bytes;
  size_t rest = static_cast<size_t>(start + mapping.size - page);
  if (mmap(page, rest, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    return false;
  mapping.shorter = true;
  return true;
}

void on_bus_error(int, siginfo_t* fault, void*) {
  int error = errno;
  for (Watched& mapping : watched)
    if (replace(mapping, static_cast<char*>(fault->si_addr))) {
      errno = error;
      return;
    }
  sigaction(SIGBUS, &former, nullptr);  // not ours: it comes again
}

void watch_once() {
  static std::once_flag watching;
  std::call_once(watching, [] {
    page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGBUS, &action, &former);
  });
}

Watched* free_place() {
  for (Watched& place : watched)
    if (bool taken = false; place.taken.compare_exchange_strong(taken, true)) return &place;
  return nullptr;
}

}  // namespace

const bool kMapsFiles = true;

Mapping::Mapping(int fd, uint64_t size) {
  watch_once();
  Watched* place = free_place();
  if (place == nullptr) {
    errno = EMFILE;
    return;
  }
  // Memory for the file and a page more is reserved first and the file put over it, so that there
  // is something to read behind a file that ends with its last page.
  void* room = mmap(nullptr, size + kPageBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool mapped = room != MAP_FAILED &&
                mmap(room, size, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED;
  if (!mapped) {
    const int error = errno;
    if (room != MAP_FAILED) munmap(room, size + kPageBytes);
    errno = error;
    place->taken = false;
    return;
  }
  madvise(room, size, MADV_SEQUENTIAL);
  start_ = static_cast<char*>(room);
  size_ = size;
  watched_ = place;
  place->shorter = false;
  place->size = size;
  place->start = start_;
}

Mapping::Mapping(Mapping&& other) noexcept
    : start_(std::exchange(other.start_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      watched_(std::exchange(other.watched_, nullptr)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(start_, other.start_);
  std::swap(size_, other.size_);
  std::swap(watched_, other.watched_);
  return *this;
}

Mapping::~Mapping() {
  if (watched_ == nullptr) return;
  watched_->start = nullptr;
  munmap(start_, size_ + kPageBytes);
  watched_->taken = false;
}

bool Mapping::became_shorter() const {
  return watched_ != nullptr && watched_->shorter;
}

void Mapping::release(size_t from, size_t to) {
  // The system returns whole pages of its own; the rest follows with the next bytes.
  from = from / page_bytes * page_bytes;
  to = to / page_bytes * page_bytes;
  madvise(start_ + from, to - from, MADV_DONTNEED);
}

}  // namespace xtrace
