#pragma once

#include <cstddef>

namespace xtrace {

/// What a mapping is made of.
inline constexpr size_t kPageBytes = 4096;

/// The beginning of a file, in memory. Should the file become shorter meanwhile, what is gone reads
/// as zeros and became_shorter() says so; the kernel would end the process with SIGBUS.
class Mapping {
 public:
  Mapping() = default;
  /// Holds nothing where it cannot be done; whoever needs the bytes reads them.
  Mapping(int fd, size_t size);
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  /// Behind them there is a page that can be read.
  char* start() const { return start_; }
  size_t size() const { return size_; }
  bool became_shorter() const;
  /// Gives the memory of these bytes back until they are looked at again.
  void release(size_t from, size_t to);

 private:
  char* start_ = nullptr;
  size_t size_ = 0;
  struct Watched* watched_ = nullptr;
};

}  // namespace xtrace
