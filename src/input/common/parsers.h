#pragma once

#include <deque>
#include <memory>
#include <string_view>

#include "input/common/json.h"

namespace xtrace {

/// Parsers for JSON that stands inside strings of a record. Documents live until the next record.
class Parsers {
 public:
  Parsers();
  ~Parsers();

  void next_record() { used_ = 0; }

  /// Parses `text`; false when it is no JSON.
  bool parse(std::string_view text, json::element& root);
  /// The same for a document that is done with before the next one.
  bool parse_for_now(std::string_view text, json::element& root);

 private:
  struct Slot {
    simdjson::dom::parser parser;
    std::unique_ptr<char[]> bytes;
    size_t room = 0;
  };

  static bool parse(std::string_view text, Slot& slot, json::element& root);

  std::deque<Slot> slots_;
  Slot passing_;
  size_t used_ = 0;
};

}  // namespace xtrace
