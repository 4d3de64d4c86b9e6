#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/system.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/serve_request.h"
#include "cli/verify.h"
#include "keep/health.h"
#include "live/follow_command.h"
#include "run/analyze.h"
#include "run/graph_files.h"
#include "run/written_files.h"

namespace xtrace {

namespace {

constexpr size_t kUnbroken = SIZE_MAX;

}  // namespace

Result<Exit> run(const Request& request) {
  if (!request.files.verify.empty()) return verify(request);
  if (Status safe = check_files(request); !safe) return tl::unexpected(safe.error());
  if (!request.quiet)
    for (const std::string& warning : request.warnings) fmt::print(stderr, "{}\n", warning);

  if (request.entry->is_live && request.view->follow_options()->open)
    return serve_request(request, {.opens_page = true});
  Health health(Stopwatch().read().begin);
  Result<Exit> exit = request.entry->is_live ? follow(request, health) : analyze(request, health);
  // Also of what went wrong: that is what a monitor is for.
  Status written = write_metrics(request.graph, health);
  if (exit && !written) return tl::unexpected(written.error());
  return exit;
}

std::string error_text(const Error& error, size_t columns) {
  // Every line of the message was made printable where it was put together.
  const std::string text = fmt::format("xtrace: {}", error.what);
  std::string lines;
  for (size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    const size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view words = line.substr(blanks);
    lines += std::string(blanks, ' ');
    lines += width(line) <= columns ? std::string(words) : wrapped(words, blanks + 2, columns);
    lines += '\n';
  }
  return lines;
}

void print_error(const Error& error) {
  const size_t columns =
      is_terminal(kStandardError) ? terminal_columns(kUnbroken, kStandardError) : kUnbroken;
  const std::string text = error_text(error, columns);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace xtrace
