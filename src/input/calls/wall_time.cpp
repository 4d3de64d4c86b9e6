#include "input/calls/wall_time.h"

#include <algorithm>
#include <cmath>

#include "base/number.h"

namespace xtrace {

namespace {

/// Bytes at either end of what a tool gave in which its length may be told.
constexpr size_t kLooked = 400;

Duration seconds_at(std::string_view text) {
  constexpr double kCentury = 100.0 * 366 * 86400;
  double seconds = -1;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  read_double(text, seconds);
  if (!(seconds >= 0 && seconds < kCentury)) return kNoDuration;
  return Duration(std::llround(seconds * 1e9));
}

/// Of the lines before what was printed, which may hold such words too.
Duration told_in_head(std::string_view output) {
  constexpr std::string_view kMark = "Wall time";
  std::string_view head = output.substr(0, std::min(output.find("\nOutput:"), kLooked));
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    if (line.starts_with(kMark))
      return seconds_at(
          line.substr(std::min(line.find_first_not_of(':', kMark.size()), line.size())));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
  }
  return kNoDuration;
}

/// What was printed precedes it with its quotation marks escaped.
Duration told_in_json(std::string_view output) {
  constexpr std::string_view kMark = "\"duration_seconds\":";
  const std::string_view end = output.substr(output.size() - std::min(output.size(), kLooked));
  const size_t at = end.rfind(kMark);
  // Other tools' results may bear such a name; that of a shell is beside its exit code.
  const size_t beside = std::max(end.rfind("\"exit_code\":"), end.rfind("\"metadata\":"));
  return at == end.npos || beside > at ? kNoDuration : seconds_at(end.substr(at + kMark.size()));
}

}  // namespace

Duration read_wall_time(std::string_view output) {
  if (output.starts_with("{\"output\":")) return told_in_json(output);
  const bool has_head =
      output.starts_with("Wall time: ") || output.starts_with("Chunk ID: ") ||
      output.starts_with("Script completed\n") || output.starts_with("Script failed\n") ||
      (output.starts_with("Exit code: ") && output.find("\nOutput:") != output.npos);
  return has_head ? told_in_head(output) : kNoDuration;
}

}  // namespace xtrace
