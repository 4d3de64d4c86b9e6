#include "run/file_options.h"

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"

namespace xtrace {

void TraceFiles::declare(Options& options) {
  options.add("--output-dir", output_dir, "DIR",
              "write each trace to DIR/{projectId}/{queryId}.json; names that are no good file "
              "names are made safe");
  options.add("--index", index, "FILE",
              "with --output-dir: note each trace in the table Query of the SQLite database FILE, "
              "all of them in one transaction; with --verify: hold what it notes against the "
              "traces");
  options.add(
      "--verify", verify, "TRACE",
      "make TRACE again from the inputs, as it says it was made, and say what differs; of a "
      "folder, every *.json below it; may be given several times; exit 1 if anything does");
}

Status TraceFiles::check(std::string_view output, std::string_view format) const {
  if (!index.empty() && output_dir.empty() && verify.empty())
    return fail(Exit::usage, "--index requires --output-dir DIR or --verify DIR");
  if (!verify.empty() && (!output_dir.empty() || !output.empty()))
    return fail(Exit::usage, "--verify writes no files; remove --output and --output-dir");
  if (output_dir.empty()) return {};
  if (!output.empty())
    return fail(Exit::usage, "--output-dir and --output exclude each other; use one of them");
  if (!format.empty() && format != "json" && format != "both")
    return fail(Exit::usage, "--output-dir writes JSON files; use --format json or both");
  return {};
}

namespace {
constexpr int64_t kMostDays = 1'000'000;
}  // namespace

int64_t GraphFiles::days() const {
  int64_t days = number_of<int64_t>(retention).value_or(-1);
  return days <= kMostDays ? days : -1;
}

void GraphFiles::declare(Options& options) {
  options.add(
      "--snapshot", snapshot, "FILE",
      "also keep the answer as JSON in FILE, with those of before: SQLite where FILE ends in "
      ".sqlite, .sqlite3 or .db, else JSON");
  options.add("--retention", retention, "DAYS",
              "how many days older than the newest a kept snapshot may be (7)");
  options.add(
      "--metrics", metrics, "FILE",
      "write to FILE how the program fared: for Prometheus where FILE ends in .prom or .txt, "
      "else as OpenTelemetry's JSON; may be given several times. It measures real time and "
      "so, unlike every answer, differs from run to run");
}

Status GraphFiles::check() const {
  if (days() >= 0) return {};
  return fail(Exit::usage,
              fmt::format("--retention: '{}' is not a whole number of days from 0 to {}",
                          printable(retention), kMostDays));
}

}  // namespace xtrace
