#include "render/html/columns.h"

#include <zlib.h>

#include <algorithm>

namespace xtrace {

namespace {

/// 7 bytes are as much as a double tells exactly, which is what a page counts with.
uint32_t width_of(uint64_t largest) {
  if (largest < 1U << 8) return 1;
  if (largest < 1U << 16) return 2;
  return largest < uint64_t{1} << 32 ? 4 : 7;
}

/// The page's numbers are doubles, which are exact up to 2^53; a plane more than seven is not read.
constexpr int64_t kLargest = (int64_t{1} << 53) - 1;

}  // namespace

void PageColumns::add(std::string_view name, size_t count, const Value& value,
                      std::string_view code) {
  const bool is_difference = code.find('d') != std::string_view::npos,
             has_sign = code.find('z') != std::string_view::npos;
  const auto each = [&](auto take) {
    int64_t before = 0;
    for (size_t i = 0; i < count; ++i) {
      const int64_t now = value(i);
      int64_t coded = is_difference ? now - before : now;
      if (has_sign) coded = coded < 0 ? -2 * coded - 1 : 2 * coded;
      take(i, coded);
      before = now;
    }
  };
  int64_t largest = 0;
  each([&](size_t, int64_t coded) { largest = std::max(largest, coded); });
  const uint32_t width = width_of(static_cast<uint64_t>(largest));
  planes_.resize(width * count);
  each([&](size_t i, int64_t coded) {
    for (uint32_t plane = 0; plane < width; ++plane)
      planes_[plane * count + i] =
          static_cast<char>(static_cast<uint64_t>(coded) >> (8 * plane) & 0xff);
  });
  packed_.add(planes_);
  shapes_.push_back({std::string(name), width, count, std::string(code)});
}

void PageColumns::add(std::string_view name, const std::vector<int64_t>& values,
                      std::string_view code) {
  add(
      name, values.size(), [&](size_t at) { return values[at]; }, code);
}

void PageColumns::add_nullable(std::string_view name, size_t count, const Value& value) {
  add(name, count, [&](size_t at) {
    const int64_t known = value(at);
    return known == Chart::kUnknown || known < 0 ? 0 : std::min(known, kLargest) + 1;
  });
}

void PageColumns::write_list(JsonWriter& json) const {
  json.open_list();
  for (const Shape& shape : shapes_) {
    json.open_list();
    json.value(shape.name);
    json.value(shape.width);
    json.value(shape.count);
    json.value(shape.code);
    json.close();
  }
  json.close();
}

struct Gzip::Stream {
  z_stream z{};
  std::vector<char> block = std::vector<char>(size_t{64} << 10);
};

void Gzip::End::operator()(Stream* stream) const {
  deflateEnd(&stream->z);
  delete stream;
}

Gzip::Gzip() : stream_(new Stream) {
  constexpr int kGzip = 16;  // beside the window's bits: a gzip head is wanted
  deflateInit2(&stream_->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, MAX_MEM_LEVEL,
               Z_DEFAULT_STRATEGY);
}

void Gzip::deflate(std::string_view bytes, int flush) {
  z_stream& z = stream_->z;
  std::vector<char>& block = stream_->block;
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  do {
    z.next_out = reinterpret_cast<Bytef*>(block.data());
    z.avail_out = static_cast<uInt>(block.size());
    ::deflate(&z, flush);
    packed_.append(block.data(), block.size() - z.avail_out);
  } while (z.avail_out == 0);
}

void Gzip::add(std::string_view bytes) {
  constexpr size_t kMost = size_t{1} << 30;  // zlib counts in 32 bits
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kMost)))
    deflate(bytes.substr(0, kMost), Z_NO_FLUSH);
}

std::string Gzip::finish() {
  deflate({}, Z_FINISH);
  stream_.reset();
  return std::move(packed_);
}

}  // namespace xtrace
