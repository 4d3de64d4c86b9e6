#include "input/common/values.h"

#include <algorithm>

namespace xtrace {

namespace {

/// Bytes of `text`, which begins inside a string, up to and including its closing quote; npos if it
/// does not close. Long strings are passed at the speed of memchr.
size_t end_of_string(std::string_view text) {
  for (size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1)) {
    size_t backslashes = 0;
    while (backslashes < at && text[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at + 1;
  }
  return std::string_view::npos;
}

}  // namespace

size_t ValueScanner::feed(std::string_view bytes) {
  size_t at = 0;
  if (in_string_ && escaped_ && !bytes.empty()) {  // the backslash was the last byte before
    escaped_ = false;
    at = 1;
  }
  while (at < bytes.size()) {
    if (in_string_) {
      size_t length = end_of_string(bytes.substr(at));
      if (length == std::string_view::npos) {
        size_t text_end = bytes.find_last_not_of('\\');
        size_t backslashes = bytes.size() - (text_end == std::string_view::npos ? 0 : text_end + 1);
        escaped_ = std::min(backslashes, bytes.size() - at) % 2 == 1;
        return bytes.size();
      }
      in_string_ = false;
      at += length;
      continue;
    }
    char c = bytes[at++];
    if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      opened_ = true;
      ++depth_;
    } else if ((c == '}' || c == ']') && depth_ > 0 && --depth_ == 0) {
      return at;
    }
  }
  return bytes.size();
}

}  // namespace xtrace
