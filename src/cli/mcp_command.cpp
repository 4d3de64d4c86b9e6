#include <fmt/format.h>

#include <filesystem>

#include "base/nearest.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/question_line.h"
#include "cli/read_options.h"
#include "mcp/server.h"
#include "mcp/texts.h"
#include "redact/clearance.h"
#include "run/own_logs.h"

namespace xtrace {

namespace {

std::string help_for_mcp() {
  return R"(Examples:
  claude mcp add xtrace -- xtrace mcp         let Claude Code ask about your sessions
  codex mcp add xtrace -- xtrace mcp          the same for Codex
  xtrace mcp logs/                            about the logs of a folder instead
  xtrace mcp --print-agents-md >> AGENTS.md   for agents that use the command line

Usage: xtrace mcp [PATH...] [OPTIONS]

Serves the Model Context Protocol on standard input and output, for agents; a client starts it. Its
tools only read: sessions, explain, impact, cost, waste, whatif, blame. They answer about your own
sessions, or those in PATH, and read no other file. Answers are limited to 2,000 tokens; clients can ask
for more, and read on.
Warnings go to standard error.

Options:
  --level LEVEL           basic (default): names and numbers; full: also text, redacted
  --clearance LABEL       withhold texts with a higher or unknown sensitivity label, or without one
  --unlabelled LABEL      label of records without one, for --clearance (default: secret)
  --label LABEL=RANK      meaning of a label in the log: sigilo=secret (repeatable)
  --prices FILE           additional price list
  --redact REGEX          additional redaction pattern (RE2; repeatable)
  --redact-patterns FILE  redaction rules from FILE (repeatable)
  --config FILE           configuration file (default: ~/.config/xtrace/config.json)
  --print-agents-md       print a section for an AGENTS.md file instead of serving
  -q, --quiet             print errors only, no warnings
)";
}

/// What the owner has set, for every answer.
struct McpOptions {
  std::string level = "basic", prices, config, clearance, unlabelled;
  std::vector<std::string> redact, redact_patterns, labels;
  bool prints_agents_text = false, quiet = false;

  void declare(Options& options) {
    options.add("--level", level, "LEVEL", "", {"basic", "full"});
    const std::vector<std::string_view> ranks(clearances().begin(), clearances().end());
    options.add("--clearance", clearance, "LABEL", "", ranks);
    options.add("--unlabelled", unlabelled, "LABEL", "", ranks);
    options.add("--label", labels, "LABEL=RANK", "");
    options.add("--prices", prices, "FILE", "");
    options.add("--redact", redact, "REGEX", "");
    options.add("--redact-patterns", redact_patterns, "FILE", "");
    options.add("--config", config, "FILE", "");
    options.add("--print-agents-md", prints_agents_text, "");
    options.add("-q,--quiet", quiet, "");
  }

  /// The same as words of a command line. What a terminal would be shown does not go to a client.
  std::vector<std::string> words() const {
    std::vector<std::string> words = {"--format=text", "--color=never", "--no-pager",
                                      "--level=" + level};
    if (level != "full") words.emplace_back("--share");  // which level full excludes
    if (!clearance.empty()) words.push_back("--clearance=" + clearance);
    if (!unlabelled.empty()) words.push_back("--unlabelled=" + unlabelled);
    for (const std::string& meaning : labels) words.push_back("--label=" + meaning);
    if (!prices.empty()) words.push_back("--prices=" + prices);
    if (!config.empty()) words.push_back("--config=" + config);
    for (const std::string& regex : redact) words.push_back("--redact=" + regex);
    for (const std::string& file : redact_patterns) words.push_back("--redact-patterns=" + file);
    if (quiet) words.emplace_back("--quiet");
    return words;
  }
};

/// Reads the command line of a view, with what the owner has set.
Result<Request> make_request(const std::vector<std::string>& owner,
                             const std::vector<std::string>& words) {
  std::vector<std::string> line = words;
  line.insert(line.begin() + 1, owner.begin(), owner.end());
  return read_question(std::move(line));
}

Status check_paths(const std::vector<std::string>& paths, const OptionList& options) {
  for (const std::string& path : paths) {
    if (path.starts_with("-")) return unknown_option("mcp", path, options);
    std::error_code error;
    if (!std::filesystem::exists(path, error))
      return fail(Exit::usage, fmt::format("mcp: no file or folder '{}'", printable(path)));
  }
  return {};
}

/// `xtrace mcp [PATH...]`
Result<Command> read_mcp(const std::vector<std::string>& words) {
  McpOptions set;
  OptionList options;
  set.declare(options);
  Result<OptionsRead> read = read_options(words, options);
  if (!read) return tl::unexpected(read.error());
  if (read->help) return Printed{help_for_mcp()};
  if (Status settled = settle_words(options); !settled) return tl::unexpected(settled.error());
  if (set.prints_agents_text) return Printed{std::string(mcp::kAgentsText)};
  if (Status exist = check_paths(read->rest, options); !exist) return tl::unexpected(exist.error());
  const std::vector<std::string> owner = set.words();
  // A wrong setting is an error now, not in each answer.
  const std::vector<std::string> trial = {"list", "--", "/"};
  if (Result<Request> sound = make_request(owner, trial); !sound)
    return tl::unexpected(sound.error());
  if (!read->rest.empty()) set_own_logs(std::move(read->rest));
  return Service{[owner] {
    if (is_terminal(kStandardInput))
      fmt::print(stderr,
                 "waiting for requests of a client; to connect one: "
                 "claude mcp add xtrace -- xtrace mcp\n");
    mcp::Answerer answerer(
        [owner](const std::vector<std::string>& line) { return make_request(owner, line); });
    return mcp::serve(
        kStandardInput, kStandardOutput,
        [&](const mcp::Tool& tool, const std::vector<mcp::GivenArgument>& arguments,
            const mcp::Watch& watch) { return answerer.answer(tool, arguments, watch); });
  }};
}

}  // namespace

extern constinit const OtherCommand kMcpCommand = {
    .name = "mcp",
    .summary = "answer questions of agents (Model Context Protocol)",
    .hint = "answer questions of agents",
    .manual = R"(.B mcp \fR[\fIPATH ...\fR] [\fB\-\-level full\fR] [\fIOPTIONS\fR]
serves the Model Context Protocol (revision 2026-07-28 and, after
.BR initialize ,
2025-11-25 and earlier ones) on standard input and output. Its tools
.BR sessions ", " explain ", " impact ", " cost ", " waste ", " whatif " and " blame
answer with the text of
.BR list ", " explain ", " impact ", " stats ", " advise ", " whatif " and " blame
about the sessions of your agents, or those in PATH, and read no other file. Answers are limited to
2,000 tokens (estimated) unless the client sets
.BR max_tokens ;
the rest is available by a cursor. Texts are shown only with
.BR "\-\-level full" .
.B mcp \-\-print\-agents\-md
prints a section for an AGENTS.md file.
)",
    .run = read_mcp,
    .help = help_for_mcp,
};

}  // namespace xtrace
