#include "input/common/item_places.h"

#include "base/hash.h"
#include "base/newlines.h"
#include "input/common/cursor.h"

namespace xtrace {

namespace {

class ItemWalk {
 public:
  ItemWalk(std::string_view text, bool (*opens)(std::string_view), bool (*holds)(std::string_view),
           std::vector<size_t>& begins)
      : at_(text, 0), opens_(opens), holds_(holds), begins_(begins) {}

  bool walk_object() {
    if (!at_.take('{')) return false;
    for (std::string_view key; at_.next() != '}';) {
      if (!at_.key(key)) return false;
      bool walked = holds_(key) && at_.next() == '[' ? walk_list(true)
                    : !opens_(key)                   ? at_.skip_value()
                    : at_.next() == '['              ? walk_list(false)
                                                     : walk_value();
      if (!walked) return false;
    }
    return at_.take('}');
  }

 private:
  bool walk_value() { return at_.next() == '{' ? walk_object() : at_.skip_value(); }

  bool walk_list(bool of_items) {
    at_.take('[');
    while (at_.next() != ']') {
      if (of_items) begins_.push_back(at_.at());
      if (of_items ? !at_.skip_value() : !walk_value()) return false;
      at_.take(',');
    }
    return at_.take(']');
  }

  Cursor at_;
  bool (*opens_)(std::string_view);
  bool (*holds_)(std::string_view);
  std::vector<size_t>& begins_;
};

}  // namespace

ItemPlaces::ItemPlaces(std::string_view text, const Extent& at, bool (*opens)(std::string_view),
                       bool (*holds)(std::string_view))
    : text_(text), at_(at) {
  if (!ItemWalk(text, opens, holds, begins_).walk_object()) begins_.clear();
}

Extent ItemPlaces::next() {
  if (next_ >= begins_.size()) return at_;
  size_t begin = begins_[next_++];
  std::string_view passed = text_.substr(counted_, begin - counted_);
  line_ += static_cast<uint32_t>(count_newlines(passed));
  counted_ = begin;
  Extent place = at_;
  place.line += line_;
  place.offset += begin;
  // The last one's length takes in what follows; nobody parses it from there.
  size_t end = next_ < begins_.size() ? begins_[next_] : at_.length;
  place.length = static_cast<uint32_t>(end - begin);
  if (place.check != 0) place.keep_check(sample_hash_of(text_.substr(begin, end - begin)));
  return place;
}

}  // namespace xtrace
