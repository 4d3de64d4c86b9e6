#include "input/parts/columns.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/digits.h"
#include "input/bytes/bomb.h"

namespace xtrace {

namespace {

/// Enough for facts: more costs time and saves hardly anything.
constexpr int kLevel = 9;
/// No stream of a piece is as long; who says so is damaged.
constexpr uint64_t kLongest = uint64_t{1} << 36;

/// Of more rows each takes a byte, so that a few bytes cannot ask for all the memory there is.
constexpr size_t kRowsForNothing = 1 << 16;

enum class Way : uint8_t { same, plain, differences, scaled_differences };

constexpr uint64_t zigzag(uint64_t difference) {
  return (difference << 1) ^ (difference >> 63 != 0 ? ~uint64_t{0} : 0);
}
constexpr uint64_t unzigzag(uint64_t folded) {
  return (folded >> 1) ^ (~(folded & 1) + 1);
}

size_t length_of(uint64_t value) {
  return (static_cast<size_t>(std::bit_width(value | 1)) + 6) / 7;
}

size_t length_of_differences(std::span<const uint64_t> values, uint64_t scale) {
  size_t length = 0;
  uint64_t before = 0;
  for (uint64_t value : values) {
    length += length_of(zigzag(static_cast<uint64_t>(static_cast<int64_t>(value - before) /
                                                     static_cast<int64_t>(scale))));
    before = value;
  }
  return length;
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

enum class TextKind : uint8_t { words, id, hex, uuid };

constexpr size_t kUuid = 36;
constexpr bool is_dash(size_t at) {
  return at == 8 || at == 13 || at == 18 || at == 23;
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

std::string hex_of(std::string_view bytes, bool with_dashes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (char c : bytes)
    for (int digit : {static_cast<uint8_t>(c) >> 4, c & 15}) {
      if (with_dashes && is_dash(text.size())) text += '-';
      text += kDigits[static_cast<size_t>(digit)];
    }
  return text;
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
    numbers_ += static_cast<char>(Way::same);
    return varint(values.front());
  }
  const size_t plain = std::accumulate(values.begin(), values.end(), size_t{0},
                                       [](size_t sum, uint64_t v) { return sum + length_of(v); });
  const uint64_t scale = scale_of(values);
  if (plain <= length_of_differences(values, scale)) {
    numbers_ += static_cast<char>(Way::plain);
    for (uint64_t value : values) varint(value);
    return;
  }
  numbers_ += static_cast<char>(scale == 1 ? Way::differences : Way::scaled_differences);
  if (scale != 1) varint(scale);
  uint64_t before = 0;
  for (uint64_t value : values) {
    varint(zigzag(static_cast<uint64_t>(static_cast<int64_t>(value - before) /
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
    // What stood before is told by how many others came since.
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

std::string_view ColumnReader::Stream::take(size_t count, bool& failed) {
  if (count > bytes.size() - at) {
    failed = true;
    return {};
  }
  at += count;
  return std::string_view(bytes).substr(at - count, count);
}

ColumnReader::ColumnReader(std::string_view packed) {
  numbers_.bytes = packed;  // in which the lengths stand
  uint64_t lengths[7];
  for (uint64_t& length : lengths) length = number(kLongest);
  std::string_view rest = packed.substr(numbers_.at);
  numbers_ = {};
  const uint64_t* length = lengths;
  for (Stream* stream : {&numbers_, &texts_, &ids_}) {
    const uint64_t plain = *length++, size = *length++;
    const std::string_view bytes = rest.substr(0, size);
    // What a frame says of itself comes before what it takes to hold it.
    if (failed_ || bytes.size() < size || unpacks_like_a_bomb(plain, size, kMostOfZstd) ||
        ZSTD_getFrameContentSize(bytes.data(), bytes.size()) != plain)
      {
      fail();
      return;
    }
    rest.remove_prefix(size);
    stream->bytes.resize(plain);
    const size_t got =
        ZSTD_decompress(stream->bytes.data(), plain, bytes.data(), bytes.size());
    if (ZSTD_isError(got) != 0 || got != plain) {
      fail();
      return;
    }
  }
  if (rest.size() != *length) {
      fail();
      return;
    }
  raw_.bytes = rest;
}

uint64_t ColumnReader::varint() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (numbers_.at >= numbers_.bytes.size()) break;
    const uint8_t byte = static_cast<uint8_t>(numbers_.bytes[numbers_.at++]);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  failed_ = true;
  return 0;
}

uint64_t ColumnReader::number() {
  return failed_ ? 0 : varint();
}

uint64_t ColumnReader::number(uint64_t most) {
  const uint64_t value = number();
  if (value > most) failed_ = true;
  return failed_ ? 0 : value;
}

const std::vector<uint64_t>& ColumnReader::column(size_t rows) {
  column_.assign(rows, 0);
  if (rows == 0 || failed_) return column_;
  const uint64_t way = number(static_cast<uint64_t>(Way::scaled_differences));
  switch (static_cast<Way>(way)) {
    case Way::same: std::fill(column_.begin(), column_.end(), varint()); break;
    case Way::plain:
      for (size_t i = 0; i < rows && !failed_; ++i) column_[i] = varint();
      break;
    case Way::differences:
    case Way::scaled_differences: {
      const uint64_t scale = static_cast<Way>(way) == Way::differences ? 1 : varint();
      uint64_t before = 0;
      for (size_t i = 0; i < rows && !failed_; ++i) {
        before += unzigzag(varint()) * scale;
        column_[i] = before;
      }
    }
  }
  return column_;
}

const std::vector<uint64_t>& ColumnReader::hashes(size_t rows) {
  column(rows);
  for (uint64_t& value : column_) {
    if (value > 1) {
      if (value - 1 > hashes_.size()) failed_ = true;
      value = failed_ ? 0 : hashes_[hashes_.size() - (value - 1)];
    } else if (value == 1) {
      value = 0;
      const std::string_view bytes = raw_.take(8, failed_);
      for (size_t i = 0; i < bytes.size(); ++i)
        value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
      hashes_.push_back(value);
    }
    if (failed_) break;
  }
  return column_;
}

std::string_view ColumnReader::text() {
  return texts_.take(number(), failed_);
}

std::vector<std::string> ColumnReader::texts() {
  std::vector<std::string> texts;
  const uint64_t rows = this->rows();
  if (failed_) return texts;
  const std::vector<uint64_t> kinds = column(rows);
  const size_t uuids = static_cast<size_t>(
      std::count(kinds.begin(), kinds.end(), static_cast<uint64_t>(TextKind::uuid)));
  const size_t ids = static_cast<size_t>(
      std::count(kinds.begin(), kinds.end(), static_cast<uint64_t>(TextKind::id)));
  const std::vector<uint64_t> lengths = column(rows - uuids);
  const std::vector<uint64_t> prefixes = column(ids);
  // They stand behind the words among the texts.
  std::vector<uint64_t> prefix_lengths;
  const uint64_t fresh = this->rows();
  for (uint64_t i = 0; i < fresh && !failed_; ++i) prefix_lengths.push_back(number());
  size_t words = 0;
  for (size_t i = 0, next = 0; i < rows; ++i) {
    if (static_cast<TextKind>(kinds[i]) == TextKind::uuid) continue;
    const uint64_t length = lengths[next++];
    if (static_cast<TextKind>(kinds[i]) == TextKind::words)
      words += std::min<uint64_t>(length, texts_.bytes.size());
  }
  std::vector<std::string_view> known;
  const size_t texts_begin = texts_.at;
  texts_.take(words, failed_);
  for (uint64_t length : prefix_lengths) known.push_back(texts_.take(length, failed_));
  const size_t texts_end = texts_.at;
  texts_.at = texts_begin;
  texts.reserve(rows);
  for (size_t i = 0, next = 0, nth = 0; i < rows && !failed_; ++i) {
    const TextKind kind = static_cast<TextKind>(kinds[i]);
    const size_t length = kind == TextKind::uuid ? kUuid : lengths[next++];
    switch (kind) {
      case TextKind::words: texts.emplace_back(texts_.take(length, failed_)); break;
      case TextKind::id: {
        const uint64_t prefix = prefixes[nth++];
        if (prefix >= known.size()) fail();
        if (!failed_) texts.emplace_back(known[prefix]).append(ids_.take(length, failed_));
        break;
      }
      case TextKind::hex: texts.push_back(hex_of(raw_.take(length / 2, failed_), false)); break;
      case TextKind::uuid: texts.push_back(hex_of(raw_.take(16, failed_), true)); break;
      default: fail();
    }
  }
  if (texts_.at != texts_begin + words) fail();
  texts_.at = texts_end;
  return texts;
}

uint64_t ColumnReader::rows() {
  return number(std::max(kRowsForNothing, numbers_.bytes.size()));
}

bool ColumnReader::is_at_end() const {
  return !failed_ && numbers_.at == numbers_.bytes.size() && texts_.at == texts_.bytes.size() &&
         ids_.at == ids_.bytes.size() && raw_.at == raw_.bytes.size();
}

}  // namespace xtrace
