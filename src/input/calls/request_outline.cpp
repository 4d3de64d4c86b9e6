#include "input/calls/request_outline.h"

#include "input/common/cursor.h"

namespace xtrace {

std::optional<size_t> find_request(std::string_view record) {
  constexpr size_t kLooked = 64 << 10;  // envelopes are short; a system prompt may be in between
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
