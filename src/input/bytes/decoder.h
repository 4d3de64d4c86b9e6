#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "input/bytes/compression.h"

namespace xtrace {

/// Unpacks one archive, step by step: all of its parts, as `cat a.gz b.gz` puts them in a row.
class Decoder {
 public:
  enum class State : uint8_t {
    between,    ///< no part is open: the archive may end here
    inside,     ///< more must come
    damaged,    ///< what comes is no archive any more; why() says what is wrong
    too_large,  ///< a part asks for a larger window than was granted
    no_memory,
  };
  /// A window is what zstd wants to look back upon, and so the memory that unpacking takes.
  static constexpr int kUsualWindow = 27;    ///< bits: 128 MB, which zstd grants unasked
  static constexpr int kLargestWindow = 31;  ///< 2 GB, the most that --long takes

  Decoder(Compression compression, int window_bits);
  Decoder(Decoder&&) noexcept;
  ~Decoder();

  /// Unpacks to `to` and takes what it used from `packed`. Returns how many bytes it wrote; fewer
  /// than `room` where `packed` ends or the state forbids more.
  size_t decode(std::string_view& packed, char* to, size_t room);
  State state() const { return state_; }
  const std::string& why() const { return why_; }

 private:
  struct Gzip;
  struct Zstd;
  size_t decode_gzip(std::string_view& packed, char* to, size_t room);
  size_t decode_zstd(std::string_view& packed, char* to, size_t room);
  void damaged(std::string why);

  State state_ = State::between;
  bool any_ = false;  ///< a part was whole
  std::string why_;
  std::unique_ptr<Gzip> gzip_;
  std::unique_ptr<Zstd> zstd_;
};

}  // namespace xtrace
