#include "run/file_options.h"

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"

namespace xtrace {

void TraceFiles::declare(Options& options) {
  options.add("--output-dir", output_dir, "DIR",
              "write each trace to DIR/{projectId}/{queryId}.json");
  options.add("--index", index, "FILE",
              "with --output-dir: add a row for each trace to this SQLite database; with --verify: "
              "check its rows");
  options.add("--verify", verify, "TRACE",
              "regenerate TRACE (or all *.json files in a folder TRACE) from the inputs and report "
              "differences (repeatable)");
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
constexpr int64_t kMostDays = 1'000'000;  // far beyond the range of times, without overflow
}  // namespace

int64_t GraphFiles::days() const {
  int64_t days = number_of<int64_t>(retention).value_or(-1);
  return days <= kMostDays ? days : -1;
}

void GraphFiles::declare(Options& options) {
  options.add("--snapshot", snapshot, "FILE",
              "append the output to FILE: an SQLite database if the name ends in .sqlite, .sqlite3 "
              "or .db, otherwise JSON");
  options.add("--retention", retention, "DAYS",
              "delete snapshots more than DAYS days older than the newest one (7)");
  options.add("--metrics", metrics, "FILE",
              "write metrics of xtrace itself to FILE: Prometheus format if the name ends in .prom "
              "or .txt, otherwise OpenTelemetry JSON (repeatable)");
}

Status GraphFiles::check() const {
  if (days() >= 0) return {};
  return fail(Exit::usage,
              fmt::format("--retention: '{}' is not a whole number of days from 0 to {}",
                          printable(retention), kMostDays));
}

}  // namespace xtrace
