#include <fmt/format.h>

#include <cstdio>

#include "base/text.h"
#include "cli/command.h"
#include "cli/verify.h"
#include "keep/health.h"
#include "live/follow_command.h"
#include "run/analyze.h"
#include "run/graph_files.h"
#include "run/written_files.h"

namespace xtrace {

Result<Exit> run(const Request& request) {
  if (!request.files.verify.empty()) return verify(request);
  if (Status safe = check_files(request); !safe) return tl::unexpected(safe.error());
  if (!request.quiet)
    for (const std::string& warning : request.warnings) fmt::print(stderr, "{}\n", warning);

  Health health(Stopwatch().read().begin);
  Result<Exit> exit = request.entry->is_live ? follow(request, health) : analyze(request, health);
  // Also of what went wrong: that is what a monitor is for.
  Status written = write_metrics(request.graph, health);
  if (exit && !written) return tl::unexpected(written.error());
  return exit;
}

void print_error(const Error& error) {
  // Every line of the message was made printable where it was put together.
  std::string text = fmt::format("xtrace: {}", error.what);
  if (!text.ends_with('\n')) text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace xtrace
