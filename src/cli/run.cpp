#include <fmt/format.h>

#include <cstdio>

#include "base/text.h"
#include "cli/asking.h"
#include "cli/output.h"
#include "cli/trace_files.h"
#include "cli/verify.h"

namespace xtrace {

Result<Exit> run(Request request) {
  if (!request.files.verify.empty()) return verify(request);
  for (const std::string& input : request.inputs)
    if (!request.output.empty() && is_same_file(input, request.output))
      return fail(Exit::usage,
                  fmt::format("--output: '{}' is the input", printable(request.output)));

  Result<std::unique_ptr<Asking>> asking = Asking::about(request);
  if (!asking) return tl::unexpected(asking.error());
  if (request.files.any()) return write_trace_files(request, **asking);
  std::unique_ptr<Door> door = (*asking)->door();
  Result<Document> answer = (*asking)->answer(*door);
  if (!answer) return tl::unexpected(answer.error());
  Status written =
      write_answer(request.output, [&](std::ostream& out) { (*asking)->write(*answer, out); });
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
