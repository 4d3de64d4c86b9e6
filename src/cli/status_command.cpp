#include <fmt/format.h>

#include "base/now.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/read_options.h"
#include "keep/private_folder.h"
#include "run/cache_report.h"
#include "run/own_logs.h"
#include "run/own_sessions.h"
#include "run/status.h"

namespace xtrace {

namespace {

std::string help_for_status() {
  return R"(Examples:
  xtrace status                       your newest session, in one line
  xtrace status 2                     a session of `xtrace list`, or 15f99783, by its ID
  xtrace status --cache               where the index is, its size, how to delete it
  PS1='$(xtrace status) \$ '          in the prompt of bash
  xtrace status -f json | jq .today   today's cost, for scripts

Usage: xtrace status [SESSION] [OPTIONS]

Prints what a session is doing, its cost, and today's cost over all local sessions. If Claude Code
runs it as the command of its status line, it takes the session from standard input. An index in
the cache folder ($XDG_CACHE_HOME/xtrace, else ~/.cache/xtrace) keeps names, sizes, ids and sums, so
that only logs that changed are read. You can delete it at any time.

Options:
  -f, --format FORMAT     text (default) or json
      --json              same as -f json
      --cache             report on the index: folder, size, how to delete it
      --no-cache          read all logs; neither use nor write the index
      --utc               days in UTC, not in the local time zone
      --prices FILE       additional price list
      --redact REGEX      additional redaction pattern (RE2; repeatable)
      --config FILE       configuration file (default: ~/.config/xtrace/config.json)
  -q, --quiet             no progress
)";
}

struct StatusOptions {
  std::string format = "text", prices, config;
  std::vector<std::string> redact;
  bool json = false, cache = false, no_cache = false, utc = false, quiet = false;

  void declare(Options& options) {
    options.add("-f,--format", format, "FORMAT", "", {"text", "json"});
    options.add("--json", json, "");
    options.add("--cache", cache, "");
    options.add("--no-cache", no_cache, "");
    options.add("--utc", utc, "");
    options.add("--prices", prices, "FILE", "");
    options.add("--redact", redact, "REGEX", "");
    options.add("--config", config, "FILE", "");
    options.add("-q,--quiet", quiet, "");
  }

  /// A request for a list, which has the prices, redaction and links of the configuration.
  Result<Request> request() const {
    std::vector<std::string> words = {"list", "--format=text", "--share"};
    if (!prices.empty()) words.push_back("--prices=" + prices);
    if (!config.empty()) words.push_back("--config=" + config);
    for (const std::string& regex : redact) words.push_back("--redact=" + regex);
    if (quiet) words.emplace_back("--quiet");
    if (no_cache) words.emplace_back("--no-cache");
    words.insert(words.end(), {"--", "/"});  // any input that exists; it is not read
    Result<Command> command = read_command_line(std::move(words));
    if (!command) return tl::unexpected(command.error());
    return std::get<Request>(*std::move(command));
  }
};

/// Reads what a client passes, if standard input brings anything.
Result<std::optional<StatusInput>> read_input() {
  // A client writes when it has started the command; on a busy machine that takes a while.
  constexpr std::chrono::milliseconds kPatience{300};
  if (probe_standard_input(kPatience) != StandardInput::bytes) return std::nullopt;
  // Claude Code passes about two kilobytes.
  constexpr size_t kMost = 1 << 20;
  std::string text;
  for (char bytes[1 << 12]; text.size() < kMost;) {
    const std::optional<size_t> read = read_from(kStandardInput, bytes, sizeof bytes);
    if (!read || *read == 0) break;
    text.append(bytes, *read);
  }
  Result<StatusInput> input = read_status_input(text);
  if (!input) return tl::unexpected(input.error());
  return std::optional<StatusInput>(*std::move(input));
}

Result<Exit> print_status(const StatusOptions& set, const std::string& session) {
  const Result<Request> request = set.request();
  if (!request) return tl::unexpected(request.error());
  Result<std::optional<StatusInput>> input = std::optional<StatusInput>();
  if (session.empty()) input = read_input();
  if (!input) return tl::unexpected(input.error());
  if (own_logs().empty() && !*input)
    if (Result<OwnSession> none = own_session(std::string(kLastSession), *request); !none)
      return tl::unexpected(none.error());
  const Result<OwnIndex> index = own_index(*request, request->uses_cache);
  if (!index) return tl::unexpected(index.error());
  Door door(request->redaction, Door::Level::basic, request->max_text, request->fields);
  const StatusQuestion question{*index, session, *std::move(input), now(),
                                set.utc ? Zone() : Zone::local()};
  const bool is_json = set.json || set.format == "json";
  const Result<std::string> text =
      is_json ? status_json(question, door) : status_line(question, door);
  if (!text) return tl::unexpected(text.error());
  std::fwrite(text->data(), 1, text->size(), stdout);
  return Exit::answered;
}

Result<Exit> print_cache(const StatusOptions& set) {
  const Result<Request> request = set.request();
  if (!request) return tl::unexpected(request.error());
  const std::string_view turned_off_by = request->uses_cache     ? ""
                                         : set.no_cache          ? "--no-cache"
                                         : is_cache_turned_off() ? "XTRACE_CACHE=off"
                                                                 : "the configuration";
  const std::string text = cache_report(cache_folder(), turned_off_by);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return Exit::answered;
}

/// `xtrace status [SESSION]`
Result<Command> read_status(const std::vector<std::string>& words) {
  StatusOptions set;
  OptionList options;
  set.declare(options);
  Result<OptionsRead> read = read_options(words, options);
  if (!read) return tl::unexpected(read.error());
  if (read->help) return Printed{help_for_status()};
  if (Status settled = settle_words(options); !settled) return tl::unexpected(settled.error());
  std::string session;
  for (const std::string& word : read->rest) {
    if (word.starts_with("-")) return unknown_option("status", word, options);
    if (!session.empty()) return fail(Exit::usage, "status: name one session, or none");
    session = word == kLastSession ? std::string() : word;
  }
  if (set.cache && (set.json || set.format == "json" || !session.empty()))
    return fail(Exit::usage, "status --cache prints text about the index, and about no session");
  if (set.cache) return Service{[set] { return print_cache(set); }};
  return Service{[set, session] { return print_status(set, session); }};
}

}  // namespace

extern constinit const OtherCommand kStatusCommand = {
    .name = "status",
    .summary = "print one line on what a session is doing and its cost",
    .hint = "one line for a prompt or status bar",
    .manual =
        R"(.B status \fR[\fISESSION\fR] [\fB\-f json\fR] [\fB\-\-cache\fR | \fB\-\-no\-cache\fR] [\fIOPTIONS\fR]
prints one line, for a shell prompt or an agent's status bar: what the session (default: the newest)
is doing, its cost, and today's cost over all local sessions. As the command of Claude Code's status
line it takes the session from standard input. An index in
.I $XDG_CACHE_HOME/xtrace
(default:
.IR ~/.cache/xtrace )
keeps names, sizes, ids and sums, so that only logs that changed are read;
.B \-\-cache
reports its folder and size, and how to delete it.
)",
    .run = read_status,
    .help = help_for_status,
};

}  // namespace xtrace
