#include "input/bytes/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/newlines.h"
#include "base/text.h"
#include "input/bytes/bomb.h"

namespace xtrace {

namespace {

constexpr size_t kMagic = 4;  // bytes that show what a file is

}  // namespace

Flow::Flow(const Input& input, std::shared_ptr<const File> file, Options options)
    : path_(input.path),
      file_(std::move(file)),
      seekable_(input.seekable),
      most_(input.bytes),
      options_(options),
      block_(std::make_unique_for_overwrite<char[]>(kBlock + kMagic)) {
  if (options_.digests) digest_.emplace();
}

void Flow::fail_with(std::string what) {
  error_ = Error{Exit::input, std::move(what)};
  ended_ = true;
}

/// False at the end, or when reading failed.
bool Flow::refill() {
  if (all_read_) return false;
  const size_t most = seekable_ ? std::min<uint64_t>(kBlock, most_ - bytes_) : kBlock;
  const std::optional<size_t> count = seekable_ ? read_at(file_->fd(), block_.get(), most, bytes_)
                                                : read_from(file_->fd(), block_.get(), most);
  if (!count) fail_with(cannot("read", path_, errno).value().what);
  all_read_ = count.value_or(0) == 0;  // a terminal's end would have to be typed again
  if (all_read_) return false;
  rest_ = {block_.get(), *count};
  bytes_ += rest_.size();
  if (digest_) digest_->add(rest_);
  if (options_.progress != nullptr && compression_ != Compression::none)
    *options_.progress += rest_.size();
  return true;
}

/// A pipe may give one byte at a time: waits for as many as show what is in it.
void Flow::begin() {
  begun_ = true;
  std::string head;
  while (head.size() < kMagic && refill()) head += rest_;
  if (head.size() > rest_.size()) {
    std::memcpy(block_.get(), head.data(), head.size());  // a few bytes and one read's
    rest_ = {block_.get(), head.size()};
  }
  compression_ = compression_of(rest_);
  if (compression_ == Compression::none) return;
  decoder_.emplace(compression_, options_.window_bits);
  if (options_.progress != nullptr) *options_.progress += rest_.size();
}

/// What follows damage is part of the input all the same, where that is asked for.
void Flow::end() {
  ended_ = true;
  rest_ = {};
  if (seekable_ && !digest_) return;
  while (refill()) {
  }
}

Compression Flow::compression() {
  if (!begun_) begin();
  return compression_;
}

std::ptrdiff_t Flow::read(char* to, size_t room) {
  bool packed = compression() != Compression::none;
  if (error_) return -1;
  if (packed) return unpack(to, room);
  if (rest_.empty() && !refill()) return error_ ? -1 : 0;
  size_t count = std::min(room, rest_.size());
  std::memcpy(to, rest_.data(), count);
  rest_.remove_prefix(count);
  unpacked_ += count;
  return static_cast<std::ptrdiff_t>(count);
}

std::ptrdiff_t Flow::unpack(char* to, size_t room) {
  while (!ended_) {
    bool at_end = rest_.empty() && !refill();
    if (error_) break;
    size_t before = rest_.size();
    size_t count = decoder_->decode(rest_, to, room);
    unpacked_ += count;
    lines_ += count_newlines({to, count});
    if (!is_sound()) break;
    if (count > 0) return static_cast<std::ptrdiff_t>(count);
    bool stuck = rest_.size() == before;
    if (decoder_->state() == Decoder::State::damaged)
      damage_ = decoder_->why();
    else if (decoder_->state() == Decoder::State::inside && stuck)
      damage_ = at_end ? "it ends too early" : "invalid data";
    else if (!at_end)
      continue;
    end();
  }
  return error_ ? -1 : 0;
}

/// Is the archive none that must be refused?
bool Flow::is_sound() {
  std::string_view program = program_of(compression_);
  std::string way_out =
      fmt::format("if you trust it, unpack it yourself ({} -dc{} FILE > LOG) and read the result",
                  program, compression_ == Compression::zstd ? " --long=31" : "");
  std::string path = printable(path_);
  if (decoder_->state() == Decoder::State::no_memory) {
    fail_with(fmt::format("{}: not enough memory to unpack it", path));
  } else if (decoder_->state() == Decoder::State::too_large) {
    wants_larger_window_ = options_.window_bits < Decoder::kLargestWindow;
    fail_with(fmt::format("{}: unpacking it takes more than 2 GB of memory; {}", path, way_out));
  } else if (uint64_t used = bytes_ - rest_.size(); unpacked_ > kFreeToUnpack) {
    uint64_t most = compression_ == Compression::zstd ? kMostOfZstd : kMostOfGzip;
    if (unpacks_like_a_bomb(unpacked_, used, most))
      fail_with(
          fmt::format("{}: unpacks to more than {} times its size, like a decompression bomb; {}",
                      path, most, way_out));
    else if (lines_ > used)
      fail_with(fmt::format("{}: has more lines than bytes, like a decompression bomb; {}", path,
                            way_out));
  }
  return !error_;
}

}  // namespace xtrace
