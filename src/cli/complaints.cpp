#include "cli/complaints.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "base/text.h"
#include "facts/trace.h"

namespace xtrace {

void print_complaints(const Trace& trace, bool all) {
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
    text += fmt::format("… and more like these; --verbose names them\n");
  for (const Source& source : trace.sources)
    if (source.skipped > 0)
      text += fmt::format("{}: {} skipped, {} records used\n", printable(source.path),
                          source.skipped, source.records);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace xtrace
