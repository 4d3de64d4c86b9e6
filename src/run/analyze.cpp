#include "run/analyze.h"

#include <fmt/format.h>

#include <cstdio>
#include <ostream>

#include "keep/health.h"
#include "keep/output.h"
#include "run/answer.h"
#include "run/answer_index.h"
#include "run/beside.h"
#include "run/browser.h"
#include "run/complaints.h"
#include "run/load_runs.h"
#include "run/pager.h"
#include "run/trace_files.h"
#include "run/written_files.h"

namespace xtrace {

namespace {

void print_note(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Gives an answer again that was kept.
Result<Exit> repeat(const Request& request, const KeptAnswer& kept) {
  print_note(kept.notes);
  Status written;
  {
    const Pager pager(request.pages);
    written = print_answer([&](std::ostream& out) { out << kept.text; });
  }
  print_note(kept.remarks);
  if (!written) return tl::unexpected(written.error());
  return kept.exit;
}

/// Writes the answer, and keeps it if it may be kept.
Status write_and_keep(const Request& request, const Document& document, const AnswerIndex& index,
                      const LinkedRuns& runs) {
  const Trace& trace = runs.now->graph.trace();
  const bool may_keep = index.may_keep(trace);
  KeptAnswer kept;
  std::optional<std::string> text;
  Status written = write_answer(request.output, readers_of(request), [&](std::ostream& out) {
    if (!may_keep) return write_document(request, document, out);
    CopyingBuffer copying(out);
    std::ostream copied(&copying);
    write_document(request, document, copied, &kept.remarks);
    if (copied.bad()) return out.setstate(std::ios::badbit);
    text = copying.take();
  });
  if (!written || !text || runs.has_changed()) return written;
  kept.exit = document.is_no() ? Exit::no : Exit::answered;
  if (!request.quiet) kept.notes = words_of_complaints(trace, request.verbose);
  if (!request.quiet && !document.left_out().empty()) kept.remarks += document.left_out() + '\n';
  kept.text = *std::move(text);
  index.keep(kept);
  return written;
}

}  // namespace

Result<Exit> analyze(const Request& request, Health& health) {
  AnswerIndex index(request);
  if (const std::optional<KeptAnswer> kept = index.find()) return repeat(request, *kept);

  Stopwatch ingest;
  Result<std::vector<Trace>> traces = load_runs(request, index.take_found());
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
    written = write_and_keep(request, *document, index, runs);
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
