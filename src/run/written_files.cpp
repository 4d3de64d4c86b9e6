#include "run/written_files.h"

#include <fmt/format.h>

#include "base/text.h"
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
      return fail(Exit::usage,
                  fmt::format("{}: '{}' is {}", files[i].option, printable(files[i].path),
                              k == 0 ? "also the output"
                                     : fmt::format("also the file of {}", files[k].option)));
    }
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
  add("--save-baseline", request.view->baseline_to_save().path);
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

Status check_files(const Request& request) {
  for (const std::string& input : request.inputs)
    if (Status safe = check_not_written(request, input, "also an input"); !safe) return safe;
  for (const std::string& file : request.settings)
    if (Status safe = check_not_written(request, file, "also read by this command"); !safe)
      return safe;
  return check_apart(request);
}

}  // namespace xtrace
