#include "view/story/thought_tags.h"

#include <algorithm>

namespace xtrace {

namespace {

struct Tag {
  std::string_view written, key;
};
constexpr Tag kTags[] = {{"{why}", "why"}, {"{how}", "how"}, {"{alternatives}", "alternatives"}};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kAround = " \t\r\n:";
  size_t begin = text.find_first_not_of(kAround);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kAround) - begin + 1);
}

}  // namespace

std::vector<std::pair<std::string_view, std::string_view>> tags_of_thought(std::string_view text) {
  std::vector<std::pair<std::string_view, std::string_view>> found;
  auto next = [&](size_t from) {
    std::pair<size_t, const Tag*> first{text.npos, nullptr};
    for (const Tag& tag : kTags)
      if (size_t at = text.find(tag.written, from); at < first.first) first = {at, &tag};
    return first;
  };
  for (auto [at, tag] = next(0); tag != nullptr;) {
    size_t begin = at + tag->written.size();
    auto [end, other] = next(begin);
    if (std::string_view said = trimmed(text.substr(begin, end - begin)); !said.empty())
      found.emplace_back(tag->key, said);
    at = end, tag = other;
  }
  return found;
}

}  // namespace xtrace
