#pragma once

#include <cstddef>
#include <cstdint>

namespace xtrace {

/// Unit of mappings.
inline constexpr size_t kPageBytes = 4096;

/// Are the bytes of a Mapping those of the file? Where a system maps none, they are a copy, which
/// takes the memory of all of it.
extern const bool kMapsFiles;

/// The beginning of a file, in memory. If the file becomes shorter, the lost bytes read as zeros
/// and became_shorter() reports it; otherwise the kernel would end the process with SIGBUS.
class Mapping {
 public:
  Mapping() = default;
  /// Empty if the file cannot be mapped; `errno` has the reason.
  Mapping(int fd, uint64_t size);
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  /// One more page after the bytes can be read.
  char* start() const { return start_; }
  size_t size() const { return size_; }
  bool became_shorter() const;
  /// Returns the memory of these bytes until they are read again.
  void release(size_t from, size_t to);

 private:
  char* start_ = nullptr;
  size_t size_ = 0;
  [[maybe_unused]] struct Watched* watched_ = nullptr;
};

}  // namespace xtrace
