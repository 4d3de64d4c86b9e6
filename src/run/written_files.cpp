#include "run/written_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "input/bytes/inputs.h"
#include "input/load.h"
#include "input/parts/found_parts.h"
#include "keep/output.h"
#include "run/request.h"

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
      return fail(
          Exit::usage,
          fmt::format(
              "{}: '{}' is {}; use another file", files[i].option, printable(files[i].path),
              k == 0 ? "also the output" : fmt::format("also the file of {}", files[k].option)));
    }
  return {};
}

constexpr std::string_view kAlsoInput = "also an input";

/// That the shell gave an input as standard output is its own affair.
std::vector<WrittenFile> named_files(const Request& request) {
  std::vector<WrittenFile> files = written_files(request);
  if (request.output.empty()) files.erase(files.begin());
  return files;
}

/// A file that does not exist yet is no input, and a folder may hold many.
bool replaces_any(std::span<const WrittenFile> files) {
  return std::ranges::any_of(files, [](const WrittenFile& file) {
    return file_status(std::string(file.path)).has_value();
  });
}

/// What is below a folder may be anything, such as a page that the same command wrote before. A
/// file that cannot be read may be a log.
bool is_log(Input input, const LoadOptions& loading) {
  if (is_part_file(input.path)) return true;
  Found found;
  input.listed = false;
  found.inputs.push_back(std::move(input));
  Progress progress;
  const Result<Trace> trace = load(std::move(found), loading, progress);
  if (!trace) return true;
  const auto has_records = [](const Source& source) { return source.records + source.skipped > 0; };
  return std::ranges::any_of(trace->sources, has_records) ||
         std::ranges::any_of(trace->unread, &Unread::may_hold_records);
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
  add("--save-baseline", request.view->baseline_to_save().path);
  return files;
}

Readers readers_of(const Request& request) {
  const bool shows_more = request.level == Door::Level::full || request.shows_words ||
                          request.redaction.which != Redaction::all || !request.reveal.empty() ||
                          request.has_temporary_page;
  return shows_more ? Readers::owner : Readers::umask;
}

std::vector<std::string> settings_of(const Request& request) {
  std::vector<std::string> files = request.settings;
  for (const std::string& path : {request.loading.key, request.loading.manifest})
    if (!path.empty()) files.push_back(path);
  return files;
}

Status check_not_written(std::span<const WrittenFile> files, const std::string& read,
                         std::string_view what) {
  for (const auto& [option, path] : files)
    if (is_same_file(read, std::string(path)))
      return fail(Exit::usage,
                  fmt::format("{}: '{}' is {}; use another file", option, printable(path), what));
  return {};
}

Status check_not_written(const Request& request, const std::string& read) {
  return check_not_written(named_files(request), read, kAlsoInput);
}

Status check_inputs(std::span<const WrittenFile> files, const std::vector<std::string>& inputs,
                    const LoadOptions& loading) {
  for (const std::string& input : inputs) {
    const std::optional<FileStatus> status = file_status(input);
    // A pipe that is looked up is opened, and could not be read again.
    if (status && !status->is_folder()) {
      if (Status safe = check_not_written(files, input, kAlsoInput); !safe) return safe;
      continue;
    }
    if (!replaces_any(files)) continue;
    Result<Found> found = find_inputs({input});
    if (!found) continue;  // what is wrong is reported when it is read
    for (Input& one : found->inputs) {
      Status safe = check_not_written(files, one.path, kAlsoInput);
      if (!safe && is_log(std::move(one), loading)) return safe;
    }
  }
  return {};
}

Status check_files(const Request& request) {
  const std::vector<WrittenFile> files = named_files(request);
  for (const std::vector<std::string>& inputs : {request.inputs, request.view->inputs_before()})
    if (Status safe = check_inputs(files, inputs, request.loading); !safe) return safe;
  for (const std::string& file : settings_of(request))
    if (Status safe = check_not_written(files, file, "also read by this command"); !safe)
      return safe;
  return check_apart(request);
}

}  // namespace xtrace
