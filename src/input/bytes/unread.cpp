#include "input/bytes/unread.h"

#include <algorithm>

#include "base/text.h"

namespace xtrace {

void note_unread(std::vector<Unread>& unread, std::string_view why, const std::string& path,
                 bool may_hold_records) {
  constexpr size_t kNamed = 100;
  std::vector<Unread>::iterator same = std::find_if(
      unread.begin(), unread.end(), [&](const Unread& known) { return known.why == why; });
  if (same == unread.end())
    same = unread.insert(unread.end(), Unread{std::string(why), 0, {}, may_hold_records});
  ++same->files;
  if (same->paths.size() < kNamed) same->paths.push_back(path);
}

std::string_view why_of(const Error& error, const std::string& path) {
  std::string_view what = error.what;
  std::string shown = printable(path);
  size_t at = what.find(shown);
  if (at == std::string_view::npos) return what;
  what.remove_prefix(at + shown.size());
  return what.substr(std::min(what.find_first_not_of("': "), what.size()));
}

}  // namespace xtrace
