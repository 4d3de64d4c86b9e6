#include "run/load_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/hidden_marker.h"
#include "base/system.h"
#include "base/text.h"
#include "input/common/format.h"
#include "input/parts/found_parts.h"
#include "input/parts/seal.h"
#include "link/graph/subject.h"
#include "run/complaints.h"
#include "run/progress.h"
#include "run/request.h"
#include "run/written_files.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

/// Sound logs without a call: a session that was only begun. Empty: there is none.
std::string begun_only(const Trace& trace) {
  for (const Source& source : trace.sources)
    if (source.records > 0 && !source.format.empty())
      return fmt::format("{}: nothing to show: {} of format {}, but no model call or span in {}",
                         printable(source.path),
                         plural(static_cast<int64_t>(source.records), "record"), source.format,
                         source.records == 1 ? "it" : "them");
  return {};
}

/// Answers of our own that found nothing.
bool is_empty_answer(const Trace& trace) {
  const auto is_one = [](const Source& source) {
    const Format* format = find_format(source.format);
    return source.records > 0 && source.skipped == 0 && format != nullptr && format->may_be_empty;
  };
  return !holds_activities(trace) && !trace.sources.empty() && trace.unread.empty() &&
         std::ranges::all_of(trace.sources, is_one);
}

/// Sound JSON of a shape that no format has, beside what is damaged.
bool has_unknown_records(const Trace& trace) {
  return std::ranges::any_of(trace.complaints, [](const Complaint& complaint) {
    return complaint.kind == Complaint::Kind::unknown_record;
  });
}

Status check_usable(const Request& request, const std::vector<std::string>& inputs,
                    const Trace& trace) {
  uint64_t skipped = 0, lost = 0;
  bool has_damaged = false;  // a log, rather than JSON of another kind
  for (const Source& source : trace.sources) {
    skipped += source.skipped;
    has_damaged |= source.skipped > 0 && !source.foreign;
  }
  for (const Unread& unread : trace.unread) lost += unread.may_hold_records ? unread.files : 0;
  const bool has_usage = request.view && request.view->shows_usage_alone() &&
                         std::ranges::any_of(trace.usage_statements, &UsageStatement::counts);
  if (!holds_activities(trace) && !has_usage && !is_empty_answer(trace)) {
    std::string what = fmt::format("{} files", trace.sources.size());
    if (trace.sources.size() == 1) what = printable(trace.sources.front().path);
    if (!has_damaged && !inputs.empty())
      what = printable(fmt::format("{}", fmt::join(inputs, ", ")));
    if (trace.sources.size() == 1 && trace.sources.front().bytes == 0)
      return fail(Exit::input,
                  what == "-" ? nothing_came_in(request) : fmt::format("{}: file is empty", what));
    std::string count = skipped > 0 ? fmt::format("; {} skipped", skipped) : "";
    if (const std::string begun = begun_only(trace); !begun.empty())
      return fail(Exit::input, begun + count);
    if (request.loading.format != nullptr)
      return fail(Exit::input,
                  fmt::format("{}: no record has the format {}; omit --from to detect the format{}",
                              what, request.loading.format->name, count));
    if (has_damaged && !has_unknown_records(trace))
      return fail(Exit::input,
                  fmt::format("{}: no record could be read; {} skipped as damaged", what, skipped));
    return fail(Exit::input,
                fmt::format("{}: unrecognized format; `xtrace help formats` lists the {} supported "
                            "formats; `xtrace list` finds your own sessions{}",
                            what, formats().size(), count));
  }
  if (request.strict && skipped > 0)
    return fail(Exit::input, fmt::format("--strict: {} skipped",
                                         plural(static_cast<int64_t>(skipped), "record")));
  if (request.strict && lost > 0)
    return fail(Exit::input, fmt::format("--strict: {} could not be read",
                                         plural(static_cast<int64_t>(lost), "file")));
  return {};
}

/// What reads spans again needs them where they were.
Status check_originals(const Request& request, const Trace& trace) {
  if (!request.entry->takes_suite && request.entry->name != "trace") return {};
  for (const Span& span : trace.spans)
    if (const Source& source = trace.sources[span.source.file];
        source.from_part && !source.seekable)
      return fail(
          Exit::input,
          fmt::format(
              "{}: `xtrace {}` needs the original spans, which parts do not contain, and {}",
              printable(source.path), request.entry->name,
              "the log is missing, has changed, or its part was made with a key; pass the log"));
  return {};
}

/// What a part hides it does not hold.
void warn_of_hidden(const Request& request, const Trace& trace) {
  const bool asks = request.redaction.which != Redaction::all || !request.reveal.empty();
  if (!asks || !trace.parts) return;
  for (size_t i = 0; i < trace.strings.size(); ++i)
    if (trace.strings[StringId(i)].find(kHiddenMarker) != std::string_view::npos) {
      fmt::print(stderr,
                 "warning: {} cannot show hidden text of a part, because the part does not contain "
                 "it; use the original log\n",
                 !request.reveal.empty()                     ? "--reveal"
                 : request.redaction.which == Redaction::off ? "--no-redact"
                                                             : "--keep-personal");
      return;
    }
}

Result<Trace> load_run(const Request& request, const std::vector<std::string>& inputs,
                       std::optional<Result<Found>> found) {
  Progress unwatched;
  Progress& progress = request.progress != nullptr ? *request.progress : unwatched;
  Result<Trace> trace = [&]() -> Result<Trace> {
    ShownProgress shown(progress, !request.quiet && is_terminal(kStandardError));
    if (!found) found = find_inputs(inputs);
    if (!*found) return tl::unexpected(found->error());
    return load(**std::move(found), request.loading, progress);
  }();
  if (!trace) return trace;
  for (const Source& source : trace->sources)  // which a plan may have named
    if (Status safe = check_not_written(request, source.path); !safe)
      return tl::unexpected(safe.error());
  if (!request.quiet) print_complaints(*trace, request.verbose);
  if (!request.quiet) warn_of_hidden(request, *trace);
  if (request.loading.cleared != nullptr && trace->parts) request.loading.cleared->miss_inputs();
  if (!request.quiet && trace->parts)
    for (const std::string& missing : trace->parts->missing)
      fmt::print(stderr, "{}: not in any of the given parts\n", missing);
  if (Status usable = check_usable(request, inputs, *trace); !usable)
    return tl::unexpected(usable.error());
  if (!request.quiet && is_empty_answer(*trace))
    fmt::print(stderr, "warning: the input is xtrace output without any results\n");
  if (Status here = check_originals(request, *trace); !here) return tl::unexpected(here.error());
  return trace;
}

/// Parts contain keyed hashes of names, so the names asked for are compared by these.
Status check_comparable(const Request& request) {
  if (!request.entry->compares || request.inputs_are_read) return {};
  Result<std::optional<std::string>> before = key_of_parts(request.inputs.front());
  if (!before) return tl::unexpected(before.error());
  Result<std::optional<std::string>> now = key_of_parts(request.inputs.back());
  if (!now) return tl::unexpected(now.error());
  if (!*before && !*now) return {};
  if (!*before || !*now)
    return fail(Exit::usage,
                fmt::format("{}: cannot compare a log with parts; pass two logs, or make parts of "
                            "both: xtrace facts LOG --arguments --key FILE -o PART",
                            printable(*before ? request.inputs.back() : request.inputs.front())));
  if (**before != **now)
    return fail(
        Exit::input,
        "cannot compare parts made with different keys; make the parts of both sides with one key");
  if (request.level == Door::Level::full)
    return fail(Exit::usage, "--level full: parts do not contain argument values; pass the logs");
  return {};
}

Status check_key(const std::string& path) {
  if (path.empty()) return {};
  const Result<Seal> seal = read_key(path);
  return seal ? Status() : tl::unexpected(seal.error());
}

void warn_of_key(const Request& request) {
  if (request.quiet || request.loading.key.empty()) return;
  if (const std::string warning = warning_of_key(request.loading.key); !warning.empty())
    fmt::print(stderr, "warning: {}\n", warning);
}

/// Once, of all runs together.
void print_withheld(const Request& request) {
  const ClearedTexts* cleared = request.redaction.cleared.get();
  if (request.quiet || cleared == nullptr) return;
  const ClearedTexts::Counts counts = cleared->counts();
  if (counts.withheld == 0) return;
  const Clearance& clearance = cleared->clearance();
  std::string unlabelled;
  if (cleared->keeps_open() && counts.unlabelled > 0)
    unlabelled = fmt::format("; {} {} no label and {} as {} (--unlabelled)", counts.unlabelled,
                             counts.unlabelled == 1 ? "has" : "have",
                             counts.unlabelled == 1 ? "counts" : "count", clearance.unlabelled);
  fmt::print(stderr, "note: --clearance {}: texts of {} of {} are withheld{}\n", clearance.label,
             counts.withheld, plural(counts.records, "record"), unlabelled);
}

}  // namespace

/// The advice next to it is for users who wanted their own sessions without a terminal.
std::string nothing_came_in(const Request& request) {
  return fmt::format("standard input is empty; pipe a log in, or name a file or folder{}",
                     request.entry->lists_sessions
                         ? ", such as ~/.claude/projects for your own sessions"
                         : ", or `last` for your newest session");
}

Result<std::vector<Trace>> load_runs(const Request& request, std::optional<Result<Found>> found) {
  if (Status sound = check_key(request.loading.key); !sound) return tl::unexpected(sound.error());
  std::vector<std::vector<std::string>> runs = {request.inputs};
  if (request.entry->compares) {
    const auto newer = request.inputs.begin() + static_cast<std::ptrdiff_t>(request.older);
    runs = {{request.inputs.begin(), newer}, {newer, request.inputs.end()}};
  } else if (request.view != nullptr && !request.view->inputs_before().empty()) {
    runs.insert(runs.begin(), request.view->inputs_before());
  }
  if (Status comparable = check_comparable(request); !comparable)
    return tl::unexpected(comparable.error());
  warn_of_key(request);
  std::vector<Trace> traces;
  if (request.inputs_are_read) {
    traces.resize(runs.size());
    return traces;
  }
  for (const std::vector<std::string>& inputs : runs) {
    Result<Trace> trace = load_run(request, inputs, std::exchange(found, std::nullopt));
    if (!trace) return tl::unexpected(trace.error());
    traces.push_back(*std::move(trace));
  }
  print_withheld(request);
  return traces;
}

}  // namespace xtrace
