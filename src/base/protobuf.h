#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace xtrace {

/// How a value of Protocol Buffers is encoded: https://protobuf.dev/programming-guides/encoding.
enum class WireType : uint8_t { varint = 0, eight_bytes = 1, length = 2, four_bytes = 5 };

/// Writes a message of Protocol Buffers, a field after the other, by their numbers. A message
/// within it is written by itself and then taken in as bytes.
class ProtobufWriter {
 public:
  void integer(uint32_t field, uint64_t value) {
    tag(field, WireType::varint);
    varint(value);
  }
  void fixed64(uint32_t field, uint64_t value) {
    tag(field, WireType::eight_bytes);
    for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(value >> shift & 0xff);
  }
  void real(uint32_t field, double value) { fixed64(field, std::bit_cast<uint64_t>(value)); }
  /// Text, bytes, or a message.
  void bytes(uint32_t field, std::string_view value) {
    tag(field, WireType::length);
    varint(value.size());
    bytes_ += value;
  }
  void message(uint32_t field, const ProtobufWriter& of) { bytes(field, of.bytes_); }

  const std::string& all() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void tag(uint32_t field, WireType type) {
    varint(uint64_t{field} << 3 | static_cast<uint8_t>(type));
  }
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7f) | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

/// A field of a message of Protocol Buffers.
struct ProtobufField {
  uint32_t number = 0;
  WireType type = WireType::varint;
  uint64_t integer = 0;      ///< of a varint, and of fixed bytes
  std::string_view bytes{};  ///< of a text, bytes or a message
};

/// Walks the fields of a message, which may be anything: it looks at no byte outside it.
class ProtobufFields {
 public:
  explicit ProtobufFields(std::string_view message) : rest_(message) {}

  /// The next field; false at the end, and where something is wrong.
  bool next(ProtobufField& field) {
    if (rest_.empty() || is_broken_) return false;
    is_broken_ = !read(field);
    return !is_broken_;
  }
  /// Did it end where a field was not whole, or is none?
  bool is_broken() const { return is_broken_; }
  /// What is left of the message.
  std::string_view rest() const { return rest_; }

 private:
  bool read(ProtobufField& field) {
    uint64_t tag = 0;
    if (!varint(tag) || tag >> 3 == 0 || tag >> 3 > 0x1fffffff) return false;
    field = {static_cast<uint32_t>(tag >> 3), static_cast<WireType>(tag & 7)};
    uint64_t size = 0;
    switch (field.type) {
      case WireType::varint: return varint(field.integer);
      case WireType::eight_bytes: return fixed(8, field.integer);
      case WireType::four_bytes: return fixed(4, field.integer);
      case WireType::length:
        if (!varint(size) || size > rest_.size()) return false;
        field.bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return true;
    }
    return false;
  }
  bool fixed(size_t size, uint64_t& number) {
    if (size > rest_.size()) return false;
    for (size_t i = size; i-- > 0;) number = number << 8 | static_cast<unsigned char>(rest_[i]);
    rest_.remove_prefix(size);
    return true;
  }
  bool varint(uint64_t& number) {
    number = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      number |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  std::string_view rest_;
  bool is_broken_ = false;
};

}  // namespace xtrace
