#include "run/analysis.h"

#include <fmt/format.h>
#include <unistd.h>

#include <sstream>

#include "base/text.h"
#include "input/common/format.h"
#include "keep/output.h"
#include "run/complaints.h"
#include "run/judgement.h"
#include "run/progress.h"
#include "run/table_choice.h"
#include "view/common/reveal.h"

namespace xtrace {

namespace {

Status check_inputs(const Request& request, const std::vector<std::string>& inputs,
                    const Trace& trace) {
  uint64_t skipped = 0, lost = 0;
  for (const Source& source : trace.sources) skipped += source.skipped;
  for (const Unread& unread : trace.unread) lost += unread.may_hold_records ? unread.files : 0;
  if (trace.events.empty() && trace.spans.empty()) {
    std::string what = fmt::format("{} files", trace.sources.size());
    if (trace.sources.size() == 1) what = printable(trace.sources.front().path);
    if (trace.sources.empty()) what = printable(fmt::format("{}", fmt::join(inputs, ", ")));
    std::vector<std::string_view> known;
    for (const Format& format : formats()) known.push_back(format.name);
    std::string count = skipped > 0 ? fmt::format("; {} skipped", skipped) : "";
    return fail(Exit::input, fmt::format("{}: nothing usable in it: no record of {}{}", what,
                                         fmt::join(known, ", "), count));
  }
  if (request.strict && skipped > 0)
    return fail(Exit::input, fmt::format("--strict: {} records were skipped", skipped));
  if (request.strict && lost > 0)
    return fail(Exit::input, fmt::format("--strict: {} files could not be read", lost));
  return {};
}

}  // namespace

std::vector<WrittenFile> written_files(const Request& request) {
  std::vector<WrittenFile> files = {
      {"--output", request.output.empty() ? std::string_view("/dev/stdout") : request.output}};
  auto add = [&](std::string_view option, const std::string_view path) {
    if (!path.empty()) files.push_back({option, path});
  };
  add("--audit-log", request.audit_log);
  add("--index", request.files.index);
  add("--snapshot", request.graph.snapshot);
  for (const std::string& path : request.graph.metrics) add("--metrics", path);
  add("--save-baseline", baseline_to_save(request).path);
  return files;
}

Status check_not_written(const Request& request, const std::string& read, std::string_view what) {
  for (const auto& [option, path] : written_files(request)) {
    // That the shell gave an input as standard output is its own affair.
    if (option == "--output" && request.output.empty()) continue;
    if (is_same_file(read, std::string(path)))
      return fail(Exit::usage, fmt::format("{}: '{}' is {}", option, printable(path), what));
  }
  return {};
}

Result<Graph> Analysis::read(const Request& request, const std::vector<std::string>& inputs) {
  Progress progress;
  Result<Trace> trace = [&] {
    ShownProgress shown(progress, !request.quiet && isatty(STDERR_FILENO));
    return load(inputs, request.loading, progress);
  }();
  if (!trace) return tl::unexpected(trace.error());
  for (const Source& source : trace->sources)  // which may have stood in a folder
    if (Status safe = check_not_written(request, source.path, "an input"); !safe)
      return tl::unexpected(safe.error());
  if (!request.quiet) print_complaints(*trace, request.verbose);
  if (Status usable = check_inputs(request, inputs, *trace); !usable)
    return tl::unexpected(usable.error());
  return link(*std::move(trace), request.linking);
}

Result<std::unique_ptr<Analysis>> Analysis::about(const Request& request) {
  if (!request.entry->compares) {
    Result<Graph> graph = read(request, request.inputs);
    if (!graph) return tl::unexpected(graph.error());
    return std::unique_ptr<Analysis>(new Analysis(request, *std::move(graph)));
  }
  Result<Graph> before = read(request, {request.inputs.front()});
  if (!before) return tl::unexpected(before.error());
  Result<Graph> now = read(request, {request.inputs.back()});
  if (!now) return tl::unexpected(now.error());
  std::unique_ptr<Analysis> analysis(new Analysis(request, *std::move(now)));
  analysis->earlier_ = std::make_unique<const Earlier>(*std::move(before));
  return analysis;
}

std::vector<const Trace*> Analysis::traces() const {
  std::vector<const Trace*> all = {&graph_.trace()};
  if (earlier_ != nullptr) all.insert(all.begin(), &earlier_->graph.trace());
  return all;
}

/// Of two runs, what either has.
Status Analysis::reveal_in(Door& door) const {
  if (earlier_ == nullptr) return reveal(request_.reveal, graph_, request_.redaction, door);
  for (const std::string& id : request_.reveal) {
    Status in_old = reveal({id}, earlier_->graph, request_.redaction, door);
    if (Status found = reveal({id}, graph_, request_.redaction, door); !found && !in_old)
      return found;
  }
  return {};
}

Result<std::unique_ptr<Door>> Analysis::door(Audit* audit) const {
  std::unique_ptr<Door> door = std::make_unique<Door>(request_.redaction, request_.level,
                                                      request_.max_text, request_.fields);
  if (Status found = reveal_in(*door); !found)
    return fail(found.error().exit, std::string(door->name_once(found.error().what).view()));
  if (audit != nullptr && !request_.audit_log.empty()) door->keep(*audit);
  return door;
}

Question Analysis::question(Door& door, size_t query) const {
  Question question{graph_,
                    door,
                    request_.renderer->face,
                    &payloads_,
                    request_.paper.cuts,
                    request_.renderer->keeps_properties,
                    query,
                    request_.options,
                    &request_.prices};
  if (earlier_ != nullptr) question.before = &earlier_->before;
  return question;
}

Result<Document> Analysis::answer(Door& door, size_t query) const {
  Question asked = question(door, query);
  Result<Document> document = request_.view->answer(asked);
  if (document && request_.renderer->adds_picture) {
    asked.face = Face::drawing;
    Result<Document> drawn = request_.view->answer(asked);
    if (!drawn) return drawn;
    std::ostringstream mermaid;
    write_mermaid(*drawn, request_.paper, mermaid);
    document->add(Record{{{}, kPicture, {door.composed(mermaid.str())}}});
  }
  if (document)
    if (Status has = check_has_table(*document, request_); !has) return tl::unexpected(has.error());
  // From here on, no looking at the graph. Errors name what there is, and names are the input's.
  if (!document)
    return fail(document.error().exit, std::string(door.name_once(document.error().what).view()));
  return document;
}

Result<Document> Analysis::tables(Door& door) const {
  Question asked = question(door, Question::kEachQuery);
  asked.face = Face::tables;
  asked.shortens = asked.with_properties = false;
  Result<Document> document = request_.view->answer(asked);
  if (!document)
    return fail(document.error().exit, std::string(door.name_once(document.error().what).view()));
  return document;
}

std::vector<std::string> Analysis::inputs() const {
  std::vector<std::string> paths;
  for (const Trace* trace : traces())
    for (const Source& source : trace->sources) paths.push_back(source.path);
  return paths;
}

Moment Analysis::newest() const {
  Moment newest;
  for (const Event& event : graph_.trace().events)
    if (event.start > newest.time) newest = {event.start, event.decimals};
  // Spans tell nanoseconds, and are written with as many decimals as it takes.
  for (const Span& span : graph_.trace().spans)
    if (span.start > newest.time) newest = {span.start, 9};
  return newest;
}

uint64_t Analysis::records() const {
  uint64_t records = 0;
  for (const Trace* trace : traces())
    for (const Source& source : trace->sources) records += source.records;
  return records;
}

bool Analysis::met_errors() const {
  for (const Trace* trace : traces()) {
    for (const Source& source : trace->sources)
      if (source.skipped > 0) return true;
    for (const Unread& unread : trace->unread)
      if (unread.may_hold_records) return true;
  }
  return false;
}

Result<size_t> Analysis::queries() const {
  Result<std::unique_ptr<Door>> own = door();
  if (!own) return tl::unexpected(own.error());
  Result<size_t> count = request_.view->queries(question(**own, Question::kEachQuery));
  if (!count)
    return fail(count.error().exit, std::string((*own)->name_once(count.error().what).view()));
  return count;
}

}  // namespace xtrace
