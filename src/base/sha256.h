#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/sha256_blocks.h"

namespace xtrace {

/// The SHA-256 of bytes that come in pieces: what auditors compare, and what nobody can forge.
/// Names that only have to differ within one log take hash.h, which is several times as fast.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// Of all that was added, as 64 lower-case hexadecimal digits; more may be added afterwards.
  std::string hex() const;
  /// The same as 32 bytes.
  std::string bytes() const;

 private:
  Sha256State state_ = begin_sha256();
  std::array<char, kSha256Block> begun_{};  ///< of a block that is not yet whole, size_ % 64 bytes
  uint64_t size_ = 0;                       ///< of all that was added
};

std::string sha256_of(std::string_view bytes);
/// As 32 bytes.
std::string sha256_bytes_of(std::string_view bytes);

/// Of the first `most_bytes` bytes of a file, or of all if it has fewer. Reads from the beginning
/// wherever others have read to; `path` is for the error alone.
Result<std::string> sha256_of_file(const File& file, const std::string& path, uint64_t most_bytes);
Result<std::string> sha256_of_file(const std::string& path, uint64_t most_bytes);

}  // namespace xtrace
