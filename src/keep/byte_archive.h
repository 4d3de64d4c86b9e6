#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace xtrace {

/// Writes values one after another, for a ByteReader that names them in the same order. Numbers are
/// in the order of this machine: the bytes never leave it.
class ByteWriter {
 public:
  void operator()(const uint64_t& number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    out.append(bytes, sizeof bytes);
  }
  void operator()(const int64_t& number) { (*this)(static_cast<uint64_t>(number)); }
  void operator()(const Time& time) { (*this)(int64_t{time.time_since_epoch().count()}); }
  void operator()(const std::string& text) {
    (*this)(uint64_t{text.size()});
    out += text;
  }
  template <class Word>
  void word(const Word& word, Word /*last*/) {
    (*this)(static_cast<uint64_t>(word));
  }
  template <class Item, class Each>
  void list(const std::vector<Item>& items, Each each) {
    (*this)(uint64_t{items.size()});
    for (const Item& item : items) each(*this, item);
  }
  std::string out;
};

/// Reads what a ByteWriter wrote; of other bytes it makes values without a meaning, and is_done()
/// is false unless they happen to fit.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}
  void operator()(uint64_t& number) {
    if (!has(sizeof number)) return;
    std::memcpy(&number, left_.data(), sizeof number);
    left_.remove_prefix(sizeof number);
  }
  void operator()(int64_t& number) {
    uint64_t bits = 0;
    (*this)(bits);
    number = static_cast<int64_t>(bits);
  }
  void operator()(Time& time) {
    int64_t count = 0;
    (*this)(count);
    time = Time(Duration(count));
  }
  void operator()(std::string& text) {
    uint64_t size = 0;
    (*this)(size);
    if (!has(size)) return;
    text = left_.substr(0, size);
    left_.remove_prefix(size);
  }
  /// A value of an enumeration whose largest is `last`.
  template <class Word>
  void word(Word& word, Word last) {
    uint64_t number = 0;
    (*this)(number);
    is_sound_ &= number <= static_cast<uint64_t>(last);
    if (is_sound_) word = static_cast<Word>(number);
  }
  template <class Item, class Each>
  void list(std::vector<Item>& items, Each each) {
    uint64_t size = 0;
    (*this)(size);
    if (!has(size)) return;  // an item takes a byte at least
    items.resize(size);
    for (Item& item : items) each(*this, item);
  }
  /// Was there enough for all that was read, and nothing else?
  bool is_done() const { return is_sound_ && left_.empty(); }

 private:
  bool has(uint64_t bytes) {
    is_sound_ &= bytes <= left_.size();
    return is_sound_;
  }
  std::string_view left_;
  bool is_sound_ = true;
};

}  // namespace xtrace
