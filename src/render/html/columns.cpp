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

}  // namespace

void PageColumns::add(std::string_view name, std::vector<int64_t> values, std::string_view code) {
  if (code.find('d') != std::string_view::npos)
    for (size_t i = values.size(); i-- > 1;) values[i] -= values[i - 1];
  if (code.find('z') != std::string_view::npos)
    for (int64_t& value : values) value = value < 0 ? -2 * value - 1 : 2 * value;
  int64_t largest = 0;
  for (int64_t value : values) largest = std::max(largest, value);
  const uint32_t width = width_of(static_cast<uint64_t>(largest));
  for (uint32_t plane = 0; plane < width; ++plane) {
    plane_.clear();
    for (int64_t value : values)
      plane_ += static_cast<char>(static_cast<uint64_t>(value) >> (8 * plane) & 0xff);
    packed_.add(plane_);
  }
  shapes_.push_back({std::string(name), width, values.size(), std::string(code)});
}

void PageColumns::add_nullable(std::string_view name, std::vector<int64_t> values) {
  for (int64_t& value : values) value = value == Chart::kUnknown || value < 0 ? 0 : value + 1;
  add(name, std::move(values));
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

std::string PageColumns::pack(std::string_view behind) {
  packed_.add(behind);
  return packed_.finish();
}

struct Gzip::Stream {
  z_stream z{};
  std::vector<char> block = std::vector<char>(size_t{256} << 10);
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
