#include <zstd.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/digits.h"
#include "input/parts/column_encoding.h"
#include "input/parts/columns.h"

namespace xtrace {

namespace {

/// Enough for facts: more costs time and saves hardly anything.
constexpr int kLevel = 9;
size_t length_of(uint64_t value) {
  return (static_cast<size_t>(std::bit_width(value | 1)) + 6) / 7;
}

size_t length_of_differences(std::span<const uint64_t> values, uint64_t scale) {
  size_t length = 0;
  uint64_t before = 0;
  for (uint64_t value : values) {
    length += length_of(zigzag(
        static_cast<uint64_t>(static_cast<int64_t>(value - before) / static_cast<int64_t>(scale))));
    before = value;
  }
  return length;
}

/// The value for none in a column; the commonest of those that do.
uint64_t none_of(std::span<const uint64_t> values) {
  constexpr uint64_t kNoLength = uint64_t{1} << 63;  // kNoDuration
  uint64_t none = 0;
  ptrdiff_t most = -1;
  for (const uint64_t tried : {uint64_t{0}, ~uint64_t{0}, kNoLength})
    if (const ptrdiff_t count = std::count(values.begin(), values.end(), tried); count > most)
      none = tried, most = count;
  return none;
}

std::vector<uint64_t> without(std::span<const uint64_t> values, uint64_t none) {
  std::vector<uint64_t> some;
  some.reserve(values.size());
  for (uint64_t value : values)
    if (value != none) some.push_back(value);
  return some;
}

/// Does anything differ by so much that there is no number beyond it?
bool differ_widely(std::span<const uint64_t> values) {
  uint64_t before = 0;
  for (uint64_t value : values)
    if (zigzag(value - std::exchange(before, value)) == ~uint64_t{0}) return true;
  return false;
}

/// Times are told in nanoseconds, and written down in milliseconds.
uint64_t scale_of(std::span<const uint64_t> values) {
  for (const uint64_t scale : {1'000'000'000U, 1'000'000U, 1'000U}) {
    uint64_t before = 0;
    bool fits = true;
    for (size_t i = 0; i < values.size() && fits; ++i) {
      fits = static_cast<int64_t>(values[i] - before) % static_cast<int64_t>(scale) == 0;
      before = values[i];
    }
    if (fits) return scale;
  }
  return 1;
}

void append_varint(std::string& to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>(value | 0x80);
  to += static_cast<char>(value);
}

std::string compressed(std::string_view plain) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  const size_t size =
      ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), kLevel);
  packed.resize(ZSTD_isError(size) != 0 ? 0 : size);
  return packed;
}

bool is_small_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool is_uuid(std::string_view text) {
  if (text.size() != kUuid) return false;
  for (size_t i = 0; i < kUuid; ++i)
    if (is_dash(i) ? text[i] != '-' : !is_small_hex(text[i])) return false;
  return true;
}

TextKind kind_of(std::string_view text) {
  constexpr size_t kShortest = 12;  // what is shorter is more often a word
  if (is_uuid(text)) return TextKind::uuid;
  if (text.size() < kShortest) return TextKind::words;
  if (text.size() % 2 == 0 && std::all_of(text.begin(), text.end(), is_small_hex))
    return TextKind::hex;
  const std::string_view end = text.substr(text.find_last_of("_-") + 1);
  const bool has_digit = end.find_first_of("0123456789") != std::string_view::npos;
  const bool is_plain = std::all_of(end.begin(), end.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return has_digit && is_plain && end.size() >= kShortest ? TextKind::id : TextKind::words;
}

/// What ids of one kind have in common: `toolu_01`, `call-`.
size_t prefix_of(std::string_view id) {
  constexpr size_t kVersion = 2;  // `msg_01` is what a vendor writes before what differs
  const size_t sign = id.find_last_of("_-");
  return sign == std::string_view::npos ? 0 : std::min(id.size(), sign + 1 + kVersion);
}

/// Two digits a byte.
void append_hex(std::string& to, std::string_view digits) {
  int high = -1;
  for (char c : digits) {
    if (c == '-') continue;
    if (high < 0)
      high = hex_digit(c);
    else
      to += static_cast<char>(high * 16 + hex_digit(c)), high = -1;
  }
}

}  // namespace

void ColumnWriter::varint(uint64_t value) {
  append_varint(numbers_, value);
}

void ColumnWriter::number(uint64_t value) {
  varint(value);
}

void ColumnWriter::column(std::span<const uint64_t> values) {
  if (values.empty()) return;
  const bool is_one =
      std::all_of(values.begin(), values.end(), [&](uint64_t v) { return v == values.front(); });
  if (is_one && values.size() <= kRowsForNothing) {
    numbers_ += static_cast<char>(ColumnEncoding::same);
    return varint(values.front());
  }
  const size_t plain = std::accumulate(values.begin(), values.end(), size_t{0},
                                       [](size_t sum, uint64_t v) { return sum + length_of(v); });
  const uint64_t scale = scale_of(values), none = none_of(values);
  const std::vector<uint64_t> some = without(values, none);
  const uint64_t some_scale = scale_of(some);
  const size_t recent = values.size() - some.size() + length_of_differences(some, some_scale);
  if (recent < std::min(plain, length_of_differences(values, scale)) && !differ_widely(some))
    return recent_column(values, none, some_scale);
  if (plain <= length_of_differences(values, scale)) {
    numbers_ += static_cast<char>(ColumnEncoding::plain);
    for (uint64_t value : values) varint(value);
    return;
  }
  numbers_ += static_cast<char>(scale == 1 ? ColumnEncoding::differences
                                           : ColumnEncoding::scaled_differences);
  if (scale != 1) varint(scale);
  uint64_t before = 0;
  for (uint64_t value : values) {
    varint(zigzag(
        static_cast<uint64_t>(static_cast<int64_t>(value - before) / static_cast<int64_t>(scale))));
    before = value;
  }
}

void ColumnWriter::recent_column(std::span<const uint64_t> values, uint64_t none, uint64_t scale) {
  numbers_ += static_cast<char>(ColumnEncoding::recent);
  varint(none);
  varint(scale);
  uint64_t before = 0;
  for (uint64_t value : values) {
    if (value == none) {
      varint(0);
      continue;
    }
    varint(1 + zigzag(static_cast<uint64_t>(static_cast<int64_t>(value - before) /
                                            static_cast<int64_t>(scale))));
    before = value;
  }
}

void ColumnWriter::hashes(std::span<const uint64_t> values) {
  std::vector<uint64_t> kinds;
  kinds.reserve(values.size());
  for (uint64_t value : values) {
    if (value == 0) {
      kinds.push_back(0);
      continue;
    }
    const auto [known, is_new] = hashes_.try_emplace(value, hashes_.size());
    // What preceded is told by how many others came since.
    kinds.push_back(is_new ? 1 : 1 + hashes_.size() - known->second);
    for (size_t i = 0; is_new && i < 8; ++i) raw_ += static_cast<char>(value >> (8 * i));
  }
  column(kinds);
}

void ColumnWriter::text(std::string_view text) {
  varint(text.size());
  texts_ += text;
}

void ColumnWriter::texts(const std::vector<std::string>& texts) {
  std::vector<uint64_t> kinds, lengths, prefixes;
  std::vector<std::string> fresh;
  for (const std::string& text : texts) {
    const TextKind kind = kind_of(text);
    kinds.push_back(static_cast<uint64_t>(kind));
    if (kind != TextKind::uuid) lengths.push_back(text.size());
    switch (kind) {
      case TextKind::words: texts_ += text; break;
      case TextKind::id: {
        const size_t end = prefix_of(text);
        const auto [known, is_new] = prefixes_.try_emplace(text.substr(0, end), prefixes_.size());
        if (is_new) fresh.push_back(known->first);
        prefixes.push_back(known->second);
        lengths.back() -= end;
        ids_ += std::string_view(text).substr(end);
        break;
      }
      case TextKind::hex:
      case TextKind::uuid: append_hex(raw_, text); break;
    }
  }
  number(texts.size());
  column(kinds);
  column(lengths);
  column(prefixes);
  number(fresh.size());
  for (const std::string& prefix : fresh) text(prefix);
}

std::string ColumnWriter::packed() const {
  std::string head, body;
  for (const std::string* stream : {&numbers_, &texts_, &ids_}) {
    const std::string bytes = compressed(*stream);
    append_varint(head, stream->size());
    append_varint(head, bytes.size());
    body += bytes;
  }
  append_varint(head, raw_.size());
  return head + body + raw_;
}

}  // namespace xtrace
