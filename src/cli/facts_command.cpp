#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/loading_options.h"
#include "cli/own_inputs.h"
#include "cli/read_options.h"
#include "run/facts_files.h"

namespace xtrace {

namespace {

std::string help_for_facts() {
  return R"(Examples:
  (umask 077; head -c 32 /dev/urandom > k)                   one key for all machines
  xtrace facts logs/a.jsonl --key k -o a.xfacts              on the machine with a.jsonl
  xtrace dag a.xfacts b.xfacts                               same as dag logs/a.jsonl logs/b.jsonl
  xtrace facts big.jsonl --range 0-9999 --key k -o 0.xfacts  one job per range
  xtrace facts parts/ -o all.xfacts                          combine parts

Usage: xtrace facts FILE... (--key FILE | --open-hashes) -o PART [OPTIONS]
       xtrace facts PART... -o PART
       xtrace facts PART... --show

Writes a part: the calls, messages, tools and spans of logs, without their texts. A part is much
smaller than its logs. Every command accepts parts, folders of parts, and a mix of parts and logs; the
output is the same as for the logs, no matter how they were split. Hidden values become tokens; hashes
of texts can be checked only with the key. Logs that cannot be used are not an error; the part lists
them. If no part covers a section of a log, commands that read the parts fail without --allow-missing.

Options:
  -o, --output PART     part to write, atomically
  --key FILE            file of 32 secret random bytes, the same for all parts
  --open-hashes         use no key; anyone with the part can test whether a text occurs in the logs
  --range A-B           only lines of the file that begin in this byte range
  --origin FILE         where each line comes from, one {"file": PATH, "line": N, "offset": BYTES} per line
  --origin-name NAME    name to print for the file (default: its path)
  --arguments           add names and sealed hashes of tool arguments, so that diff can compare them
  --manifest FILE       append the part's SHA-256 and byte ranges to FILE
  --from FORMAT         read all records as this format
  -j, --jobs N          number of threads (does not affect the part)
  --show                print the contents of parts as JSON
  -q, --quiet           print errors only
)";
}

tl::unexpected<Error> bad_range(const std::string& text) {
  return fail(Exit::usage,
              fmt::format("--range: '{}' is not a byte range A-B with A < B", printable(text)));
}

Status read_range(const std::string& text, PartOptions& part) {
  if (text.empty()) return {};
  const size_t dash = text.find('-');
  if (dash == std::string::npos) return bad_range(text);
  const auto begin = number_of<uint64_t>(std::string_view(text).substr(0, dash));
  const auto end = number_of<uint64_t>(std::string_view(text).substr(dash + 1));
  if (!begin || !end || *begin > *end) return bad_range(text);
  part.range = {*begin, *end};
  return {};
}

Status check(const FactsRequest& request, bool show) {
  const PartOptions& part = request.part;
  if (request.inputs.empty())
    return fail(Exit::usage, "facts: name the logs; try: xtrace facts --help");
  if (show) return {};
  if (request.output.empty())
    return fail(Exit::usage, "facts: the output file is missing; use -o PART");
  if (!request.key.empty() && request.open_hashes)
    return fail(Exit::usage, "facts: --key and --open-hashes exclude each other");
  if (request.inputs.size() > 1 && (part.range || !part.origin.empty() || !part.name.empty()))
    return fail(Exit::usage,
                "facts: --range, --origin and --origin-name require a single input file");
  if (!part.origin.empty() && (part.range || !part.name.empty()))
    return fail(Exit::usage,
                "facts: --origin excludes --range and --origin-name, because it includes both");
  return {};
}

/// `xtrace facts FILE... --key FILE -o PART`
Result<Command> read_facts(const std::vector<std::string>& words) {
  FactsRequest request;
  std::string range, format, jobs;
  bool show = false;
  OptionList options;
  options.add("-o,--output", request.output, "PART", "");
  options.add("--key", request.key, "FILE", "");
  options.add("--open-hashes", request.open_hashes, "");
  options.add("--range", range, "A-B", "");
  options.add("--origin", request.part.origin, "FILE", "");
  options.add("--origin-name", request.part.name, "NAME", "");
  options.add("--from", format, "FORMAT", "");
  options.add("-j,--jobs", jobs, "N", "");
  options.add("--arguments", request.part.arguments, "");
  options.add("--manifest", request.manifest, "FILE", "");
  options.add("--show", show, "");
  options.add("-q,--quiet", request.quiet, "");
  Result<OptionsRead> read = read_options(words, options);
  if (!read) return tl::unexpected(read.error());
  if (read->help) return Printed{help_for_facts()};
  for (const std::string& word : read->rest) {
    if (word.starts_with("-") && word != "-") return unknown_option("facts", word, options);
    request.inputs.push_back(word);
  }
  if (Status ranged = read_range(range, request.part); !ranged)
    return tl::unexpected(ranged.error());
  if (Status known = read_loading(format, jobs, request.loading); !known)
    return tl::unexpected(known.error());
  if (!show) {
    Result<std::vector<std::string>> files =
        whole_files("facts", request.inputs, request.loading, request.quiet);
    if (!files) return tl::unexpected(files.error());
    request.inputs = *std::move(files);
  }
  if (Status sound = check(request, show); !sound) return tl::unexpected(sound.error());
  if (show) {
    Result<std::string> text = show_facts(request.inputs);
    if (!text) return tl::unexpected(text.error());
    return Printed{*std::move(text)};
  }
  if (Status written = write_facts(request); !written) return tl::unexpected(written.error());
  return Printed{};
}

}  // namespace

extern constinit const OtherCommand kFactsCommand = {
    .name = "facts",
    .summary = "extract shareable facts from logs on many machines",
    .hint = "extract facts without texts",
    .manual =
        R"(.B facts \fIFILE\fR... (\fB\-\-key \fIFILE\fR | \fB\-\-open\-hashes\fR) \fB\-o \fIPART\fR [\fB\-\-range \fIA\fB\-\fIB\fR | \fB\-\-origin \fIFILE\fR | \fB\-\-origin\-name \fINAME\fR] [\fB\-\-arguments\fR] [\fB\-\-manifest \fIFILE\fR]
writes facts from logs, without any of their texts, into a part, or combines parts; with
.B \-\-show
prints the contents of parts. Every command accepts parts instead of logs.
)",
    .run = read_facts,
    .help = help_for_facts,
};

}  // namespace xtrace
