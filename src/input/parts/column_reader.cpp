#include <zstd.h>

#include <algorithm>

#include "input/bytes/bomb.h"
#include "input/parts/column_encoding.h"
#include "input/parts/columns.h"

namespace xtrace {

namespace {

/// No stream of a piece is as long; who says so is damaged.
constexpr uint64_t kLongest = uint64_t{1} << 36;

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
        ZSTD_getFrameContentSize(bytes.data(), bytes.size()) != plain) {
      fail();
      return;
    }
    rest.remove_prefix(size);
    stream->bytes.resize(plain);
    const size_t got = ZSTD_decompress(stream->bytes.data(), plain, bytes.data(), bytes.size());
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
  const uint64_t encoding = number(static_cast<uint64_t>(ColumnEncoding::recent));
  switch (static_cast<ColumnEncoding>(encoding)) {
    case ColumnEncoding::same: std::fill(column_.begin(), column_.end(), varint()); break;
    case ColumnEncoding::plain:
      for (size_t i = 0; i < rows && !failed_; ++i) column_[i] = varint();
      break;
    case ColumnEncoding::differences:
    case ColumnEncoding::scaled_differences: {
      const uint64_t scale =
          static_cast<ColumnEncoding>(encoding) == ColumnEncoding::differences ? 1 : varint();
      uint64_t before = 0;
      for (size_t i = 0; i < rows && !failed_; ++i) {
        before += unzigzag(varint()) * scale;
        column_[i] = before;
      }
      break;
    }
    case ColumnEncoding::recent: {
      const uint64_t none = varint(), scale = varint();
      uint64_t before = 0;
      for (size_t i = 0; i < rows && !failed_; ++i) {
        const uint64_t told = varint();
        if (told != 0) before += unzigzag(told - 1) * scale;
        column_[i] = told == 0 ? none : before;
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
  // They follow the words among the texts.
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
  known.reserve(prefix_lengths.size());
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
