#pragma once

#include <algorithm>
#include <string_view>

#include "input/common/values.h"

namespace xtrace {

/// Walks over the fields of objects in bytes that may or may not be valid JSON.
class Cursor {
 public:
  Cursor(std::string_view bytes, size_t at) : bytes_(bytes), at_(at) {}

  size_t at() const { return at_; }
  char next() {
    at_ = std::min(bytes_.find_first_not_of(" \t\r\n", at_), bytes_.size());
    return at_ < bytes_.size() ? bytes_[at_] : '\0';
  }
  bool take(char wanted) {
    if (next() != wanted) return false;
    ++at_;
    return true;
  }
  /// The raw text of a key and its colon; false at the end of the object.
  bool key(std::string_view& key) {
    take(',');
    if (!take('"')) return false;
    size_t end = bytes_.find('"', at_);
    if (end == std::string_view::npos) return false;
    key = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    // A key with an escape in it is none that we look for, and ends elsewhere.
    return key.find('\\') == std::string_view::npos && take(':');
  }
  bool skip_value() {
    char c = next();
    if (c == '{' || c == '[') {
      ValueScanner scanner;
      at_ += scanner.feed(bytes_.substr(at_));
      return scanner.closed();
    }
    if (c == '"') return skip_string();
    at_ = std::min(bytes_.find_first_of(",}] \t\r\n", at_), bytes_.size());
    return at_ < bytes_.size();
  }

 private:
  bool skip_string() {
    for (++at_; at_ < bytes_.size(); ++at_) {
      at_ = std::min(bytes_.find_first_of("\"\\", at_), bytes_.size());
      if (at_ == bytes_.size()) return false;
      if (bytes_[at_] == '"') return ++at_, true;
      ++at_;  // what is escaped
    }
    return false;
  }

  std::string_view bytes_;
  size_t at_;
};

}  // namespace xtrace
