#include "run/complaints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/text.h"
#include "facts/payloads.h"
#include "facts/trace.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

std::string words_of(const Unread& unread, bool all) {
  constexpr size_t kFew = 3;
  size_t named = std::min(unread.paths.size(), all ? unread.paths.size() : kFew);
  std::string text = fmt::format("{} file{} skipped ({}): ", unread.files,
                                 unread.files == 1 ? "" : "s", unread.why);
  for (size_t i = 0; i < named; ++i)
    text += fmt::format("{}{}", i > 0 ? ", " : "", printable(unread.paths[i]));
  if (unread.files > named) text += fmt::format(" and {} more", unread.files - named);
  return text + '\n';
}

}  // namespace

std::string words_of_complaints(const Trace& trace, bool all) {
  constexpr size_t kFew = 10;
  std::string text;
  size_t shown = 0;
  for (const Complaint& complaint : trace.complaints) {
    if (!all && shown == kFew) break;
    ++shown;
    std::string path = printable(trace.sources[complaint.at.file].path);
    bool whole_file = complaint.at.line == 0;
    text += whole_file ? fmt::format("{}: {}\n", path, complaint.what)
                       : fmt::format("{}:{}: {}\n", path, complaint.at.line, complaint.what);
  }
  if (trace.complaints.size() > shown)
    text += fmt::format("… and more; --verbose lists them all\n");
  for (const Unread& unread : trace.unread) text += words_of(unread, all);
  // Of a single file without a record, the error that follows gives the count.
  const bool is_counted_later = trace.sources.size() == 1 && trace.sources.front().records == 0;
  for (const Source& source : trace.sources)
    if (source.skipped > 0 && !source.foreign && !is_counted_later)
      text += fmt::format("{}: {} skipped, {} used\n", printable(source.path), source.skipped,
                          plural(static_cast<int64_t>(source.records), "record"));
  return text;
}

void print_complaints(const Trace& trace, bool all) {
  const std::string text = words_of_complaints(trace, all);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void print_changed(const Payloads* payloads) {
  if (payloads == nullptr) return;
  for (const std::string& path : payloads->changed())
    fmt::print(stderr, "{}: changed while it was read; changed texts are omitted\n",
               printable(path));
}

}  // namespace xtrace
