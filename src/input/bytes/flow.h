#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "input/bytes/decoder.h"
#include "input/bytes/inputs.h"

namespace xtrace {

/// Bytes that are read, unpacked or copied at once: half of a small second-level cache.
inline constexpr size_t kBlock = 256 << 10;

/// What comes out of a pipe or an archive, from the first byte to the last; an archive comes
/// unpacked. Takes no more memory than its blocks and what unpacking needs.
class Flow {
 public:
  struct Options {
    bool digests = false;                       ///< hash what is on disk
    int window_bits = Decoder::kLargestWindow;  ///< granted to zstd
    std::atomic<uint64_t>* progress = nullptr;  ///< counts the bytes of an archive as on disk
  };

  Flow(const Input& input, std::shared_ptr<const File> file, Options options);

  /// Bytes written to `to`; 0 at the end; -1 where error() says what is wrong.
  std::ptrdiff_t read(char* to, size_t room);
  /// What its first bytes tell, which may have to be waited for.
  Compression compression();
  /// Why an archive ends before its end; what came before is whole.
  const std::string& damage() const { return damage_; }
  const std::optional<Error>& error() const { return error_; }
  /// It would do with more window_bits.
  bool wants_larger_window() const { return wants_larger_window_; }
  uint64_t bytes() const { return bytes_; }  ///< read so far, as they are on disk
  uint64_t unpacked_bytes() const { return unpacked_; }
  /// Of what was read, as it is on disk.
  std::string sha256() const { return digest_ ? digest_->hex() : std::string(); }

 private:
  bool refill();
  void begin();
  void end();
  std::ptrdiff_t unpack(char* to, size_t room);
  bool is_sound();
  void fail_with(std::string what);

  std::string path_;
  std::shared_ptr<const File> file_;
  bool seekable_;
  uint64_t most_;  ///< of a file: what is appended meanwhile belongs to the next run
  Options options_;
  std::optional<Sha256> digest_;
  std::unique_ptr<char[]> block_;
  std::string_view rest_;  ///< of the block
  bool begun_ = false, all_read_ = false, ended_ = false, wants_larger_window_ = false;
  Compression compression_ = Compression::none;
  std::optional<Decoder> decoder_;
  std::string damage_;
  std::optional<Error> error_;
  uint64_t bytes_ = 0, unpacked_ = 0, lines_ = 0;
};

/// Calls `attempt(window_bits)`, which shows whether it wants_larger_window(). A large one is
/// granted to one archive at a time; a stream cannot be begun again and is granted it at once.
template <class Attempt>
void with_window(const Input& input, Attempt attempt) {
  if (!input.seekable) {
    attempt(Decoder::kLargestWindow);
    return;
  }
  if (!attempt(Decoder::kUsualWindow)) return;
  static std::mutex one_at_a_time;
  std::lock_guard lock(one_at_a_time);
  attempt(Decoder::kLargestWindow);
}

}  // namespace xtrace
