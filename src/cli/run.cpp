#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "base/text.h"
#include "cli/command.h"
#include "cli/complaints.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "input/excerpt.h"
#include "input/format.h"
#include "link/graph.h"

namespace xtrace {

namespace {

/// Lets a view, which knows no files, ask for payload.
class FilePayloads final : public Payloads {
 public:
  explicit FilePayloads(const Trace& trace) : excerpts_(trace) {}
  Of read(const Event& event) const override {
    Excerpt excerpt = excerpts_.of(event);
    return {std::move(excerpt.prompt), std::move(excerpt.answer), std::move(excerpt.error)};
  }

 private:
  mutable Excerpts excerpts_;
};

Status check_inputs(const Request& request, const Trace& trace) {
  uint64_t skipped = 0;
  for (const Source& source : trace.sources) skipped += source.skipped;
  if (trace.events.empty() && trace.spans.empty()) {
    std::string what = trace.sources.size() == 1 ? printable(trace.sources.front().path)
                                                 : fmt::format("{} files", trace.sources.size());
    std::vector<std::string_view> known;
    for (const Format& format : formats()) known.push_back(format.name);
    std::string count = skipped > 0 ? fmt::format("; {} skipped", skipped) : "";
    return fail(Exit::input, fmt::format("{}: nothing usable in it: no record of {}{}", what,
                                         fmt::join(known, ", "), count));
  }
  if (request.strict && skipped > 0)
    return fail(Exit::input, fmt::format("--strict: {} records were skipped", skipped));
  return {};
}

/// What a pipe held is gone once it was read.
void warn_of_pipes(const Trace& trace) {
  for (const Source& source : trace.sources)
    if (!source.seekable)
      fmt::print(stderr,
                 "{}: a pipe cannot be read again; for its texts, --level full needs a file\n",
                 printable(source.path));
}

Result<Document> tables_with_picture(const View& view, Question question, const Paper& paper) {
  Result<Document> document = view.answer(question);
  if (!document) return document;
  question.face = Face::drawing;
  Result<Document> drawn = view.answer(question);
  if (!drawn) return drawn;
  std::ostringstream mermaid;
  write_mermaid(*drawn, paper, mermaid);
  document->add(Record{{{}, kPicture, {question.door.composed(mermaid.str())}}});
  return document;
}

}  // namespace

Result<Exit> run(Request request) {
  for (const std::string& input : request.inputs)
    if (!request.output.empty() && is_same_file(input, request.output))
      return fail(Exit::usage,
                  fmt::format("--output: '{}' is the input", printable(request.output)));

  Progress progress;
  Result<Trace> trace = [&] {
    ShownProgress shown(progress, !request.quiet && isatty(STDERR_FILENO));
    return load(request.inputs, request.loading, progress);
  }();
  if (!trace) return tl::unexpected(trace.error());
  if (!request.quiet) print_complaints(*trace, request.verbose);
  if (Status usable = check_inputs(request, *trace); !usable) return tl::unexpected(usable.error());

  Graph graph =
      link(*std::move(trace), request.linking);  // from here on, no new facts and no new links
  Door door(request.redaction, request.level, request.max_text);
  FilePayloads payloads(graph.trace());
  bool full = request.level == Door::Level::full;
  if (full && !request.quiet) warn_of_pipes(graph.trace());
  Question question{graph,
                    door,
                    request.renderer->face,
                    full ? &payloads : nullptr,
                    request.paper.cuts,
                    request.renderer->keeps_properties};
  Result<Document> answer = request.renderer->adds_picture
                                ? tables_with_picture(*request.view, question, request.paper)
                                : request.view->answer(question);
  // From here on, no looking at the graph. Errors name what there is, and names are the input's.
  if (!answer)
    return fail(answer.error().exit, std::string(door.name_once(answer.error().what).view()));
  Status written = write_answer(request.output, [&](std::ostream& out) {
    request.renderer->write(*answer, request.paper, out);
  });
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
