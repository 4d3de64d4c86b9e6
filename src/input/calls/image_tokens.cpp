#include "input/calls/image_tokens.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/base64.h"

namespace xtrace {

namespace {

constexpr uint64_t kPixelsPerToken = 750;
constexpr int64_t kMost = 1600;
constexpr size_t kHead = 64;                    // bytes that have the size of most images
constexpr size_t kJpegHead = size_t{64} << 10;  // it may have a small picture of itself before it
constexpr std::string_view kJpeg = "\xff\xd8";

using Size = std::pair<uint64_t, uint64_t>;

/// A number of `count` bytes, the highest first; 0: it ends before that.
uint64_t big(std::string_view bytes, size_t at, size_t count) {
  uint64_t number = 0;
  for (const char c : bytes.substr(std::min(at, bytes.size()), count))
    number = number << 8 | static_cast<unsigned char>(c);
  return at + count <= bytes.size() ? number : 0;
}
/// The same, the lowest first.
uint64_t little(std::string_view bytes, size_t at, size_t count) {
  uint64_t number = 0;
  for (size_t i = count; i-- > 0;) number = number << 8 | big(bytes, at + i, 1);
  return number;
}

/// The frame's header follows other segments, each of which says how long it is.
Size size_of_jpeg(std::string_view bytes) {
  for (size_t at = 2; at + 9 < bytes.size() && big(bytes, at, 1) == 0xff;) {
    const uint64_t marker = big(bytes, at + 1, 1);
    const bool is_frame =
        marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (is_frame) return {big(bytes, at + 7, 2), big(bytes, at + 5, 2)};
    at += 2 + big(bytes, at + 2, 2);
  }
  return {};
}

Size size_of_webp(std::string_view bytes) {
  const std::string_view kind = bytes.substr(12, 4);
  if (kind == "VP8X") return {little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1};
  if (kind == "VP8 ") return {little(bytes, 26, 2) & 0x3fff, little(bytes, 28, 2) & 0x3fff};
  if (kind != "VP8L") return {};
  const uint64_t bits = little(bytes, 21, 4);
  return {(bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1};
}

Size size_of(std::string_view bytes) {
  if (bytes.size() < 32) return {};
  if (bytes.starts_with("\x89PNG")) return {big(bytes, 16, 4), big(bytes, 20, 4)};
  if (bytes.starts_with("GIF8")) return {little(bytes, 6, 2), little(bytes, 8, 2)};
  if (bytes.starts_with(kJpeg)) return size_of_jpeg(bytes);
  if (bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP") return size_of_webp(bytes);
  return {};
}

int64_t tokens_of_part(json::element part) {
  if (json::text_at(part, "type") != "image") return 0;
  json::element source;
  const bool is_there = json::find(part, "source", source);
  return tokens_of_image(is_there ? json::text_at(source, "data") : std::string_view());
}

}  // namespace

int64_t tokens_of_image(uint64_t width, uint64_t height) {
  constexpr uint64_t kLargest = 1 << 15;  // by the other side it is more than the most anyway
  const uint64_t pixels = std::min(width, kLargest) * std::min(height, kLargest);
  return std::min(kMost, static_cast<int64_t>(pixels / kPixelsPerToken));
}

int64_t tokens_of_image(std::string_view base64) {
  std::string head = base64_bytes(base64, kHead);
  if (head.starts_with(kJpeg)) head = base64_bytes(base64, kJpegHead);
  const auto [width, height] = size_of(head);
  return width == 0 || height == 0 ? kMost : tokens_of_image(width, height);
}

int64_t tokens_of_images(json::element body) {
  if (!json::is_array(body)) return tokens_of_part(body);
  int64_t tokens = 0;
  json::items(body, [&](json::element part) { tokens += tokens_of_part(part); });
  return tokens;
}

}  // namespace xtrace
