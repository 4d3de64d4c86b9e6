#include "input/common/parsers.h"

#include <cstring>
#include <new>

namespace xtrace {

Parsers::Parsers() = default;
Parsers::~Parsers() = default;

bool Parsers::parse(std::string_view text, json::element& root) {
  if (used_ == slots_.size()) slots_.emplace_back();
  return parse(text, slots_[used_++], root);
}

bool Parsers::parse_for_now(std::string_view text, json::element& root) {
  return parse(text, passing_, root);
}

bool Parsers::parse(std::string_view text, Slot& slot, json::element& root) {
  if (text.empty()) return false;
  size_t room = text.size() + simdjson::SIMDJSON_PADDING;
  if (slot.room < room) {
    slot.room = room;
    slot.bytes = std::make_unique_for_overwrite<char[]>(room);
  }
  std::memcpy(slot.bytes.get(), text.data(), text.size());
  const simdjson::error_code error =
      slot.parser.parse(slot.bytes.get(), text.size(), false).get(root);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  return !error;
}

}  // namespace xtrace
