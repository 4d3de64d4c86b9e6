#include "run/analyze.h"

#include <fmt/format.h>

#include <cstdio>
#include <ostream>

#include "keep/health.h"
#include "keep/output.h"
#include "run/answer.h"
#include "run/beside.h"
#include "run/browser.h"
#include "run/load_runs.h"
#include "run/pager.h"
#include "run/trace_files.h"
#include "run/written_files.h"

namespace xtrace {

Result<Exit> analyze(const Request& request, Health& health) {
  Stopwatch ingest;
  Result<std::vector<Trace>> traces = load_runs(request);
  if (!traces) {
    health.note_ingest(ingest.read(), 0, true);
    return tl::unexpected(traces.error());
  }
  // From here on no new facts. Records are read again, but only to be quoted.

  const LinkedRuns runs = link_runs(*std::move(traces), request.link_options());
  health.note_ingest(ingest.read(), static_cast<int64_t>(runs.records()), runs.met_errors());
  // From here on no new links.

  if (request.files.any()) {  // many answers, in a folder
    Result<Exit> written = write_trace_files(request, runs);
    if (!request.quiet) runs.print_changed();
    return written;
  }

  Audit audit;
  Result<std::unique_ptr<Door>> door = open_door(request, runs, &audit);
  if (!door) return tl::unexpected(door.error());
  Result<Document> document = answer(request, runs, **door);
  if (!document) return tl::unexpected(document.error());
  // From here on the answer is known, but for the rows of its streams, which are made as they are
  // written: they look at the runs and pass the door.

  Status written;
  {
    const Pager pager(request.pages);
    written = write_answer(request.output, readers_of(request), [&](std::ostream& out) {
      write_document(request, *document, out);
    });
  }
  if (!request.quiet) runs.print_changed();
  if (!request.quiet && !document->left_out().empty())
    fmt::print(stderr, "{}\n", document->left_out());
  // From here on nothing of the answer passes the door: what it replaced is known.

  for (const auto& [rule, count] : (*door)->redactor().counts()) health.note_redactions(count);
  if (written) written = write_beside({request, runs, *document, **door, audit, health});
  if (written && request.opens_page) written = open_in_browser(request.output);
  if (!written) return tl::unexpected(written.error());
  return document->is_no() ? Exit::no : Exit::answered;
}

}  // namespace xtrace
