#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/loading_options.h"
#include "cli/own_inputs.h"
#include "cli/read_options.h"
#include "run/shard_files.h"

namespace xtrace {

namespace {

constexpr size_t kMostShards = 10000;  // as many as four digits name

std::string help_for_shard() {
  return R"(Examples:
  xtrace shard --by session -n 8 -o plans logs/              plan 8 independent shards
  xtrace list plans/0003.plan                                use one with any command
  xtrace dag plans/plan.json                                 use all: same as dag logs/
  parallel xtrace stats {} -o {.}.json ::: plans/*.plan      all shards in parallel

Usage: xtrace shard --by session -n N -o DIR FILE... [OPTIONS]

Writes plans that list the log lines to read together; copies nothing. Sessions, conversations, traces,
runs and everything linked stay in one shard. DIR/plan.json lists all shards with the size and
SHA-256 of each file; DIR/0000.plan and so on contain one shard each. Transcripts, documents, archives and
databases are assigned as whole files. If a log changes afterwards, commands reject the plan.

Options:
  --by session          keep sessions and everything linked to them together
  -n, --shards N        number of shards (fewer if fewer groups of lines are independent)
  -o, --output DIR      folder for the plans
  --from FORMAT         read all records as this format
  -j, --jobs N          number of threads (does not affect the plans)
  -q, --quiet           print errors only
)";
}

/// `xtrace shard --by session -n 8 -o DIR FILE...`
Result<Command> read_shard(const std::vector<std::string>& words) {
  ShardRequest request;
  std::string by, shards, format, jobs;
  OptionList options;
  options.add("--by", by, "session", "");
  options.add("-n,--shards", shards, "N", "");
  options.add("-o,--output", request.folder, "DIR", "");
  options.add("--from", format, "FORMAT", "");
  options.add("-j,--jobs", jobs, "N", "");
  options.add("-q,--quiet", request.quiet, "");
  Result<OptionsRead> read = read_options(words, options);
  if (!read) return tl::unexpected(read.error());
  if (read->help) return Printed{help_for_shard()};
  for (const std::string& word : read->rest) {
    if (word.starts_with("-") && word != "-") return unknown_option("shard", word, options);
    request.inputs.push_back(word);
  }
  if (request.inputs.empty())
    return fail(Exit::usage, "shard: name the logs; try: xtrace shard --help");
  if (by != "session")
    return fail(Exit::usage, by.empty() ? "shard: --by is missing; use --by session"
                                        : fmt::format("--by: unknown value '{}'; use --by session",
                                                      printable(by)));
  const auto count = number_of<size_t>(shards);
  if (!count || *count < 1 || *count > kMostShards)
    return fail(
        Exit::usage,
        fmt::format("shard: the number of shards is missing or invalid; use -n N, from 1 to {}",
                    kMostShards));
  request.shards = *count;
  if (request.folder.empty())
    return fail(Exit::usage, "shard: the output folder is missing; use -o DIR");
  if (Status known = read_loading(format, jobs, request.loading); !known)
    return tl::unexpected(known.error());
  Result<std::vector<std::string>> files =
      whole_files("shard", request.inputs, request.loading, request.quiet);
  if (!files) return tl::unexpected(files.error());
  request.inputs = *std::move(files);
  if (Status written = write_shards(request); !written) return tl::unexpected(written.error());
  return Printed{};
}

}  // namespace

extern constinit const OtherCommand kShardCommand = {
    .name = "shard",
    .summary = "split logs into independent shards",
    .manual =
        R"(.B shard \-\-by session \-n \fIN\fB \-o \fIDIR\fR \fIFILE\fR...
writes plans that split logs into independent shards: no session is split, and no link crosses shards.
Every command accepts a plan instead of logs; \fIDIR\fR/plan.json contains all shards.
)",
    .run = read_shard,
    .help = help_for_shard,
};

}  // namespace xtrace
