#include "input/transcripts/part.h"

#include "base/hash.h"
#include "base/newlines.h"
#include "input/common/cursor.h"

namespace xtrace {

namespace {

/// Makes parts of what is in another one; each begins behind the one before, so that lines are
/// counted once.
class PartLocator {
 public:
  explicit PartLocator(const Part& whole) : whole_(whole), line_(whole.at.line) {}

  Part part(size_t begin, size_t end) {
    std::string_view passed = whole_.text.substr(counted_, begin - counted_);
    line_ += static_cast<uint32_t>(count_newlines(passed));
    counted_ = begin;
    Part part{whole_.text.substr(begin, end - begin), whole_.at};
    part.at.offset += begin;
    part.at.length = static_cast<uint32_t>(part.text.size());
    if (part.at.check != 0) part.at.keep_check(sample_hash_of(part.text));
    part.at.line = line_;
    return part;
  }

 private:
  const Part& whole_;
  uint32_t line_;
  size_t counted_ = 0;
};

/// Calls `each(key, begin, end)` with where the values of an object are.
template <class Each>
void each_value(std::string_view object, Each each) {
  Cursor cursor(object, 0);
  if (!cursor.take('{')) return;
  for (std::string_view name; cursor.key(name);) {
    cursor.next();
    const size_t begin = cursor.at();
    if (!cursor.skip_value()) return;
    each(name, begin, cursor.at());
  }
}

}  // namespace

Part Part::field(std::string_view key) const {
  PartLocator locator(*this);
  Part found;
  found.at = at;
  each_value(text, [&](std::string_view name, size_t begin, size_t end) {
    if (name == key) found = locator.part(begin, end);  // the last of equal keys counts
  });
  return found;
}

std::vector<std::pair<std::string_view, Part>> Part::members() const {
  PartLocator locator(*this);
  std::vector<std::pair<std::string_view, Part>> found;
  each_value(text, [&](std::string_view name, size_t begin, size_t end) {
    found.emplace_back(name, locator.part(begin, end));
  });
  return found;
}

std::vector<Part> Part::items() const {
  PartLocator locator(*this);
  std::vector<Part> found;
  Cursor cursor(text, 0);
  if (!cursor.take('[')) return found;
  while (cursor.next() != ']') {
    if (cursor.take(',')) continue;
    size_t begin = cursor.at();
    if (!cursor.skip_value()) break;
    found.push_back(locator.part(begin, cursor.at()));
  }
  return found;
}

}  // namespace xtrace
