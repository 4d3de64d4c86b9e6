#include <fmt/format.h>

#include <cstdio>

#include "base/text.h"
#include "cli/verify.h"
#include "keep/audit_log.h"
#include "keep/health.h"
#include "keep/output.h"
#include "live/follow_command.h"
#include "run/analysis.h"
#include "run/graph_files.h"
#include "run/judgement.h"
#include "run/trace_files.h"

namespace xtrace {

namespace {

/// One of two would be lost, also where the output is a file as standard output.
Status check_apart(const Request& request) {
  const std::vector<WrittenFile> files = written_files(request);
  for (size_t i = 1; i < files.size(); ++i)
    for (size_t k = 0; k < i; ++k) {
      if (files[i].path != files[k].path &&
          !is_same_file(std::string(files[i].path), std::string(files[k].path)))
        continue;
      return fail(Exit::usage,
                  fmt::format("{}: '{}' is {}", files[i].option, printable(files[i].path),
                              k == 0 ? "the output" : fmt::format("that of {}", files[k].option)));
    }
  return {};
}

Status check_files(const Request& request) {
  for (const std::string& input : request.inputs)
    if (Status safe = check_not_written(request, input, "the input"); !safe) return safe;
  for (const std::string& file : request.settings)
    if (Status safe = check_not_written(request, file, "read as well"); !safe) return safe;
  return check_apart(request);
}

/// Reads, links and answers, and notes how that went.
Result<Exit> answer(const Request& request, Health& health) {
  Stopwatch watch;
  Result<std::unique_ptr<Analysis>> analysis = Analysis::about(request);
  if (!analysis) {
    health.note_ingest(watch.read(), 0, true);
    return tl::unexpected(analysis.error());
  }
  health.note_ingest(watch.read(), static_cast<int64_t>((*analysis)->records()),
                     (*analysis)->met_errors());
  if (request.files.any()) return write_trace_files(request, **analysis);
  Audit audit;
  Result<std::unique_ptr<Door>> door = (*analysis)->door(&audit);
  if (!door) return tl::unexpected(door.error());
  Result<Document> answer = (*analysis)->answer(**door);
  if (!answer) return tl::unexpected(answer.error());
  Status written =
      write_answer(request.output, [&](std::ostream& out) { (*analysis)->write(*answer, out); });
  for (const auto& [rule, count] : (*door)->redactor().counts()) health.note_redactions(count);
  if (written && !request.audit_log.empty())
    written = write_audit(request.audit_log, audit, **door);
  if (written) written = keep_graph(request, **analysis, health);
  if (written) written = save_baseline(request, **analysis);
  if (!written) return tl::unexpected(written.error());
  return answer->is_no() ? Exit::no : Exit::answered;
}

}  // namespace

Result<Exit> run(Request request) {
  if (!request.files.verify.empty()) return verify(request);
  if (Status safe = check_files(request); !safe) return tl::unexpected(safe.error());
  if (!request.quiet)
    for (const std::string& warning : request.warnings) fmt::print(stderr, "{}\n", warning);

  Health health(Stopwatch().read().begin);
  Result<Exit> exit = request.entry->is_live ? follow(request, health) : answer(request, health);
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
