#include "run/facts_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <ostream>

#include "base/system.h"
#include "base/text.h"
#include "input/bytes/inputs.h"
#include "input/parts/found_parts.h"
#include "input/parts/manifest.h"
#include "input/parts/show_part.h"
#include "keep/output.h"
#include "run/progress.h"
#include "run/written_files.h"

namespace xtrace {

namespace {

struct Inputs {
  std::vector<std::string> logs;
  std::vector<Input> parts;
};

Status check_part_overwrites_nothing(const FactsRequest& request) {
  std::vector<WrittenFile> written = {{"--output", request.output}};
  if (!request.manifest.empty()) {
    if (is_same_file(request.manifest, request.output) || request.manifest == request.output)
      return fail(Exit::usage, fmt::format("--manifest: '{}' is also the output; use another file",
                                           printable(request.manifest)));
    written.push_back({"--manifest", request.manifest});
  }
  if (Status safe = check_inputs(written, request.inputs, request.loading); !safe) return safe;
  for (const std::string& file : {request.key, request.part.origin})
    if (!file.empty())
      if (Status safe = check_not_written(written, file, "also read by this command"); !safe)
        return safe;
  return {};
}

/// A folder of parts is looked through; whether another holds logs is seen when these are read.
Result<Inputs> sort_inputs(const FactsRequest& request) {
  Result<Found> found = find_inputs(request.inputs);
  if (!found) return tl::unexpected(found.error());
  if (Status safe = check_part_overwrites_nothing(request); !safe)
    return tl::unexpected(safe.error());
  Result<std::vector<Input>> parts = take_parts(*found);
  if (!parts) return tl::unexpected(parts.error());
  Inputs sorted;
  sorted.parts = *std::move(parts);
  if (sorted.parts.empty())
    sorted.logs = request.inputs;
  else
    for (const Input& input : found->inputs) sorted.logs.push_back(input.path);
  return sorted;
}

Result<Seal> seal_of(const FactsRequest& request) {
  if (!request.key.empty()) return read_key(request.key);
  if (request.open_hashes) return Seal();
  return fail(Exit::usage,
              "facts: --key FILE is required: 32 random bytes, the same for all parts of a log, "
              "which keep texts from being guessed; create one with (umask 077; head -c 32 "
              "/dev/urandom > xtrace.key), or use --open-hashes");
}

/// Of logs.
Result<FactsPart> mapped(const FactsRequest& request, const std::vector<std::string>& logs) {
  Result<Seal> seal = seal_of(request);
  if (!seal) return tl::unexpected(seal.error());
  if (const std::string warning = warning_of_key(request.key);
      !warning.empty() && !request.quiet && !request.key.empty())
    fmt::print(stderr, "warning: {}\n", warning);
  Progress progress;
  Result<PartMade> made = [&] {
    ShownProgress shown(progress, !request.quiet && is_terminal(kStandardError));
    return make_part(logs, request.loading, request.part, *seal, progress);
  }();
  if (!made) return tl::unexpected(made.error());
  if (!request.quiet && (made->skipped > 0 || made->records == 0))
    fmt::print(stderr, "{}: {} records, {} skipped\n", printable(request.output), made->records,
               made->skipped);
  return std::move(made->part);
}

/// A manifest that is new appears with its line; others append to one that exists.
Status note_part(const std::string& manifest, const std::string& line) {
  if (!file_status(manifest)) {
    const int error = write_new(kCurrentFolder, manifest, Readers::umask,
                                [&](std::ostream& out) { out << line; });
    if (error == 0) return {};
    if (error != EEXIST) return cannot_write(manifest, error);
  }
  return append_to_manifest(manifest, line);
}

}  // namespace

Status write_facts(const FactsRequest& request) {
  Result<Inputs> inputs = sort_inputs(request);
  if (!inputs) return tl::unexpected(inputs.error());
  FactsPart whole;
  for (const Input& input : inputs->parts) {
    Result<FactsPart> part = read_part_file(input.path);
    if (!part) return tl::unexpected(part.error());
    if (Status joined = join_parts(*std::move(part), input.path, whole); !joined) return joined;
  }
  if (!inputs->logs.empty()) {
    Result<FactsPart> part = mapped(request, inputs->logs);
    if (!part) return tl::unexpected(part.error());
    if (Status joined = join_parts(*std::move(part), inputs->logs.front(), whole); !joined)
      return joined;
  }
  auto write = [&](const std::string& bytes) {
    return write_answer(request.output, Readers::owner, [&](std::ostream& out) { out << bytes; });
  };
  if (request.manifest.empty()) return write(written_part(std::move(whole)));
  const std::string bytes = written_part(whole);
  if (Status written = write(bytes); !written) return written;
  Result<std::string> line = manifest_line(whole, bytes, request.output);
  return line ? note_part(request.manifest, *line) : tl::unexpected(line.error());
}

Result<std::string> show_facts(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) {
    Result<FactsPart> part = read_part_file(path);
    if (!part) return tl::unexpected(part.error());
    Result<std::string> shown = shown_part(*part, path);
    if (!shown) return shown;
    text += *shown;
  }
  return text;
}

}  // namespace xtrace
