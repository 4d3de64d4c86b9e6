#include "input/request_outline.h"

#include <algorithm>

#include "input/values.h"

namespace xtrace {

namespace {

constexpr std::string_view kBlank = " \t\r\n";

/// Walks over the fields of objects in bytes that may or may not be valid JSON.
class Cursor {
 public:
  Cursor(std::string_view bytes, size_t at) : bytes_(bytes), at_(at) {}

  size_t at() const { return at_; }
  char next() {
    at_ = std::min(bytes_.find_first_not_of(kBlank, at_), bytes_.size());
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

}  // namespace

std::optional<size_t> find_request(std::string_view record) {
  constexpr size_t kLooked = 64 << 10;  // envelopes are short; a system prompt may stand in between
  record = record.substr(0, kLooked);
  Cursor at(record, 0);
  if (!at.take('{')) return std::nullopt;
  for (std::string_view key; at.key(key);) {
    if (key == "body" && at.next() == '{') return at.at();
    if (key == "request" && at.next() == '{') {
      size_t request = at.at();
      Cursor inside(record, request + 1);
      for (std::string_view name; inside.key(name);) {
        if (name == "messages") return request;
        if (name == "body" && inside.next() == '{') return inside.at();
        if (!inside.skip_value()) return std::nullopt;
      }
      return std::nullopt;
    }
    if (!at.skip_value()) return std::nullopt;
  }
  return std::nullopt;
}

bool outline_items(std::string_view bytes, std::vector<size_t>& begins, size_t& end) {
  Cursor at(bytes, 0);
  for (;;) {
    char c = at.next();
    if (c == ']') {
      end = at.at();
      return true;
    }
    if (c == ',') {
      at.take(',');
      continue;
    }
    if (c != '{') return false;
    begins.push_back(at.at());
    if (!at.skip_value()) return false;
  }
}

std::optional<RequestOutline> outline_request(std::string_view bytes) {
  RequestOutline outline;
  Cursor at(bytes, 0);
  bool found = false;
  if (!at.take('{')) return std::nullopt;
  for (std::string_view key; at.next() != '}';) {
    if (!at.key(key)) return std::nullopt;
    if (key != "messages") {
      if (!at.skip_value()) return std::nullopt;
      continue;
    }
    if (found || !at.take('[')) return std::nullopt;
    found = true;
    size_t open = at.at();
    if (!outline_items(bytes.substr(open), outline.messages, outline.tail)) return std::nullopt;
    for (size_t& begin : outline.messages) begin += open;
    outline.tail += open;
    at = Cursor(bytes, outline.tail + 1);
  }
  outline.end = at.at() + 1;
  if (outline.messages.empty()) return std::nullopt;
  return outline;
}

}  // namespace xtrace
