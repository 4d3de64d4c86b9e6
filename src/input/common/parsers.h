#pragma once

#include <cstring>
#include <deque>
#include <memory>
#include <string_view>

#include "input/common/json.h"

namespace xtrace {

/// Parsers for JSON that stands inside strings of a record. Documents live until the next record.
class Parsers {
 public:
  void next_record() { used_ = 0; }

  /// Parses `text`; false when it is no JSON.
  bool parse(std::string_view text, json::element& root) {
    if (used_ == slots_.size()) slots_.emplace_back();
    return parse(text, slots_[used_++], root);
  }
  /// The same for a document that is done with before the next one.
  bool parse_for_now(std::string_view text, json::element& root) {
    return parse(text, passing_, root);
  }

 private:
  struct Slot {
    simdjson::dom::parser parser;
    std::unique_ptr<char[]> bytes;
    size_t room = 0;
  };

  static bool parse(std::string_view text, Slot& slot, json::element& root) {
    if (text.empty()) return false;
    size_t room = text.size() + simdjson::SIMDJSON_PADDING;
    if (slot.room < room) {
      slot.room = room;
      slot.bytes = std::make_unique_for_overwrite<char[]>(room);
    }
    std::memcpy(slot.bytes.get(), text.data(), text.size());
    return !slot.parser.parse(slot.bytes.get(), text.size(), false).get(root);
  }

  std::deque<Slot> slots_;
  Slot passing_;
  size_t used_ = 0;
};

}  // namespace xtrace
