#include "input/bytes/decoder.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>

namespace xtrace {

/// zlib's own state.
struct Decoder::Gzip {
  Gzip() { ready = inflateInit2(&stream, kGzipAlone) == Z_OK; }
  Gzip(const Gzip&) = delete;  // zlib points back at its stream
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() { inflateEnd(&stream); }

  static constexpr int kGzipAlone = 15 + 16;  // the largest window, and no other header
  z_stream stream{};
  bool ready = false;
};

/// zstd's own state.
struct Decoder::Zstd {
  static constexpr size_t kMagic = 4;  ///< bytes at the beginning of a frame
  explicit Zstd(int window_bits) : state(ZSTD_createDCtx()) {
    if (state != nullptr) ZSTD_DCtx_setParameter(state, ZSTD_d_windowLogMax, window_bits);
  }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;
  ~Zstd() { ZSTD_freeDCtx(state); }

  ZSTD_DCtx* state;
  size_t wanted = kMagic;  ///< of what is packed, by the next call
  bool has_more = false;   ///< of what is unpacked, for which there was no room
};

Decoder::Decoder(Compression compression, int window_bits) {
  if (compression == Compression::zstd)
    zstd_ = std::make_unique<Zstd>(window_bits);
  else
    gzip_ = std::make_unique<Gzip>();
  if (zstd_ != nullptr ? zstd_->state == nullptr : !gzip_->ready) state_ = State::no_memory;
}

Decoder::Decoder(Decoder&&) noexcept = default;
Decoder::~Decoder() = default;

size_t Decoder::decode(std::string_view& packed, char* to, size_t room) {
  if (state_ != State::between && state_ != State::inside) return 0;
  return zstd_ != nullptr ? decode_zstd(packed, to, room) : decode_gzip(packed, to, room);
}

void Decoder::damaged(std::string why) {
  state_ = State::damaged;
  why_ = std::move(why);
}

size_t Decoder::decode_gzip(std::string_view& packed, char* to, size_t room) {
  if (state_ == State::between) {
    // Tapes and disks fill their last block with zeros, which gzip passes over as well.
    if (any_) packed.remove_prefix(std::min(packed.find_first_not_of('\0'), packed.size()));
    if (packed.empty()) return 0;
    if (any_ && packed.front() != '\x1f') {
      damaged("the data after the compressed log is not gzip");
      return 0;
    }
    inflateReset(&gzip_->stream);
    state_ = State::inside;
  }
  z_stream& stream = gzip_->stream;
  constexpr size_t kMost = 1 << 30;  // zlib counts in 32 bits
  size_t given = std::min(packed.size(), kMost), wanted = std::min(room, kMost);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(given);
  stream.next_out = reinterpret_cast<Bytef*>(to);
  stream.avail_out = static_cast<uInt>(wanted);
  int answer = inflate(&stream, Z_NO_FLUSH);
  packed.remove_prefix(given - stream.avail_in);
  switch (answer) {
    case Z_OK:
    case Z_BUF_ERROR: break;  // it wants more room or more bytes
    case Z_STREAM_END:
      any_ = true;
      state_ = State::between;
      break;
    case Z_MEM_ERROR: state_ = State::no_memory; break;
    default: damaged(fmt::format("gzip: {}", stream.msg != nullptr ? stream.msg : "invalid data"));
  }
  return wanted - stream.avail_out;
}

size_t Decoder::decode_zstd(std::string_view& packed, char* to, size_t room) {
  if (state_ == State::between && packed.empty()) return 0;
  // Where zstd ends with an error, it does not show what that call wrote: a call gets what it wants
  // next and no more, so that all blocks before the damage are there however large the room is.
  ZSTD_inBuffer in{packed.data(), 0, 0};
  ZSTD_outBuffer out{to, room, 0};
  size_t answer = 0;
  do {
    in.size = std::min(packed.size(), in.pos + (zstd_->has_more ? 0 : zstd_->wanted));
    answer = ZSTD_decompressStream(zstd_->state, &out, &in);
    if (ZSTD_isError(answer)) break;
    zstd_->wanted = answer == 0 ? Zstd::kMagic : answer;
    zstd_->has_more = out.pos == room;
  } while (answer != 0 && out.pos < room && in.pos < packed.size());
  packed.remove_prefix(in.pos);
  if (!ZSTD_isError(answer)) {
    state_ = answer == 0 ? State::between : State::inside;
    any_ |= answer == 0;
    return out.pos;
  }
  switch (ZSTD_getErrorCode(answer)) {
    case ZSTD_error_frameParameter_windowTooLarge: state_ = State::too_large; break;
    case ZSTD_error_memory_allocation: state_ = State::no_memory; break;
    case ZSTD_error_prefix_unknown:
      if (any_ && state_ == State::between) {
        damaged("the data after the compressed log is not zstd");
        break;
      }
      [[fallthrough]];
    default: damaged(fmt::format("zstd: {}", ZSTD_getErrorName(answer)));
  }
  return out.pos;
}

}  // namespace xtrace
