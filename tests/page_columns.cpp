#include "page_columns.h"

#include <zlib.h>

#include <catch2/catch.hpp>

#include "base/digits.h"

namespace xtrace {

namespace {

std::string bytes_of(std::string_view text) {
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<uint32_t>(base64_digit(c));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  return bytes;
}

/// Cuts the first `units` units of UTF-16, as browsers count them, from the front of `text`.
std::string cut_front(std::string_view& text, int64_t units) {
  size_t length = 0;
  while (units > 0 && length < text.size()) {
    const auto c = static_cast<unsigned char>(text[length]);
    units -= c >= 0xf0 ? 2 : 1;
    for (++length; length < text.size() && (text[length] & 0xc0) == 0x80;) ++length;
  }
  std::string front(text.substr(0, length));
  text.remove_prefix(length);
  return front;
}

}  // namespace

std::string text_between(const std::string& page, std::string_view begin, std::string_view end) {
  const size_t from = page.find(begin);
  REQUIRE(from != std::string::npos);
  return page.substr(from + begin.size(), page.find(end, from) - from - begin.size());
}

std::string gunzipped(const std::string& packed) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, MAX_WBITS + 16) == Z_OK);
  std::string bytes(size_t{1} << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int state = Z_OK;
  while (state == Z_OK) {
    if (stream.total_out == bytes.size()) bytes.resize(2 * bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + stream.total_out);
    stream.avail_out = static_cast<uInt>(bytes.size() - stream.total_out);
    state = inflate(&stream, Z_NO_FLUSH);
  }
  CHECK(state == Z_STREAM_END);
  bytes.resize(stream.total_out);
  inflateEnd(&stream);
  return bytes;
}

PageData::PageData(const std::string& page) {
  head = nlohmann::json::parse(
      text_between(page, "<script type=\"application/json\" id=\"x-head\">", "</script>"));
  const std::string bytes = gunzipped(bytes_of(
      text_between(page, "<script type=\"application/octet-stream\" id=\"x-data\">", "</script>")));
  size_t at = 0;
  for (const nlohmann::json& column : head["columns"]) {
    const size_t width = column[1], count = column[2];
    const std::string code = column[3];
    std::vector<int64_t>& values = columns_[column[0]];
    values.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      int64_t value = 0;
      for (size_t plane = width; plane-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[at + plane * count + i]);
      if (code.find('z') != std::string::npos) value = value & 1 ? -(value + 1) / 2 : value / 2;
      if (code.find('d') != std::string::npos && i > 0) value += values.back();
      values.push_back(value);
    }
    at += width * count;
  }
  texts = bytes.substr(at);
  CHECK(texts.size() == head["text"]);
}

std::vector<PageData::Edge> PageData::edges() const {
  const PageData& page = *this;
  std::string_view rest = texts;
  std::vector<std::string> words, ids;
  for (int64_t length : page["s_length"]) words.push_back(cut_front(rest, length));
  for (int64_t length : page["id_length"]) ids.push_back(cut_front(rest, length));
  std::vector<Edge> edges;
  for (size_t row = 0; row < ids.size(); ++row)
    for (int64_t i = 0; i < page["degree"][row]; ++i) {
      const size_t e = edges.size();
      edges.push_back({ids.at(row - static_cast<size_t>(page["e_source"][e])), ids[row],
                       words.at(static_cast<size_t>(page["e_type"][e])),
                       static_cast<double>(page["e_confidence"][e]) / 1e4});
    }
  return edges;
}

}  // namespace xtrace
