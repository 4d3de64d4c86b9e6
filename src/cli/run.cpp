#include <fmt/format.h>

#include <cstdio>

#include "base/text.h"
#include "cli/asking.h"
#include "cli/audit_log.h"
#include "cli/follow.h"
#include "cli/output.h"
#include "cli/trace_files.h"
#include "cli/verify.h"

namespace xtrace {

namespace {

/// The answer would be lost, also where it goes to a file as standard output.
Status check_audit_log(const Request& request) {
  const std::string output = request.output.empty() ? "/dev/stdout" : request.output;
  if (request.audit_log.empty() ||
      (request.audit_log != output && !is_same_file(request.audit_log, output)))
    return {};
  return fail(Exit::usage,
              fmt::format("--audit-log: '{}' is the output", printable(request.audit_log)));
}

Status check_files(const Request& request) {
  for (const std::string& input : request.inputs)
    if (Status safe = check_not_written(request, input, "the input"); !safe) return safe;
  for (const std::string& file : request.settings)
    if (Status safe = check_not_written(request, file, "read as well"); !safe) return safe;
  return check_audit_log(request);
}

}  // namespace

Result<Exit> run(Request request) {
  if (!request.files.verify.empty()) return verify(request);
  if (Status safe = check_files(request); !safe) return tl::unexpected(safe.error());
  if (!request.quiet)
    for (const std::string& warning : request.warnings) fmt::print(stderr, "{}\n", warning);

  if (is_live(*request.entry)) return follow(request);
  Result<std::unique_ptr<Asking>> asking = Asking::about(request);
  if (!asking) return tl::unexpected(asking.error());
  if (request.files.any()) return write_trace_files(request, **asking);
  Audit audit;
  Result<std::unique_ptr<Door>> door = (*asking)->door(&audit);
  if (!door) return tl::unexpected(door.error());
  Result<Document> answer = (*asking)->answer(**door);
  if (!answer) return tl::unexpected(answer.error());
  Status written =
      write_answer(request.output, [&](std::ostream& out) { (*asking)->write(*answer, out); });
  if (written && !request.audit_log.empty())
    written = write_audit(request.audit_log, audit, **door);
  if (!written) return tl::unexpected(written.error());
  return Exit::answered;
}

void print_error(const Error& error) {
  // Every line of the message was made printable where it was put together.
  std::string text = fmt::format("xtrace: {}", error.what);
  if (!text.ends_with('\n')) text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace xtrace
