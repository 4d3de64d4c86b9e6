#include <fmt/format.h>

#include <algorithm>

#include "base/one_of.h"
#include "base/terminal.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/help_lines.h"

namespace xtrace {

namespace {

constexpr std::string_view kExamples =
    R"(  xtrace                                 what your newest session did
  xtrace list                            all your sessions; then `xtrace dag 3`
  xtrace stats last                      what it cost, by model, agent and tool
  xtrace dag logs.jsonl                  what happened: agents, calls, tools
  xtrace dag logs.jsonl -f json | jq .   the same for programs
  xtrace dag logs/ --agent Explore       a folder of logs, one type of agent
  xtrace explain run.json --node db      why: every chain that led to an actor
  xtrace trust run.json                  every hop in causal order
  xtrace trace steps.jsonl --query Q-17  what one query did, step by step
  xtrace eval suite.yaml logs/           did agents behave as a suite expects
  xtrace diff monday.jsonl tuesday.jsonl what changed between two runs
  xtrace follow logs/ -f text            what is happening right now
  xtrace list logs.jsonl                 which sessions and agents are in here
)";

std::string left_side(const OptionSpec& spec) {
  std::string name = spec.name;
  if (size_t comma = name.find(','); comma != std::string::npos)
    name.insert(comma + 1, " ");
  else
    name = "    " + name;
  return spec.placeholder.empty() ? name : name + ' ' + spec.placeholder;
}

/// As wide as the terminal, up to what eyes follow easily.
size_t help_columns() {
  return std::min<size_t>(terminal_columns(80), 100);
}

constexpr size_t kLeft = 28;

std::string help_line(const OptionSpec& spec, size_t columns) {
  std::string help = spec.help;
  if (!spec.words.empty()) help += fmt::format(" ({})", fmt::join(spec.words, ", "));
  std::string left = left_side(spec);
  if (left.size() + 4 > kLeft)
    left += "\n" + std::string(kLeft, ' ');
  else
    left.resize(kLeft - 2, ' ');
  return "  " + left + wrapped(help, kLeft, columns) + "\n";
}

}  // namespace

std::string help_for_all() {
  std::string text =
      "xtrace shows what AI agents did, from the logs they leave behind.\n\nExamples:\n";
  text += fitted(kExamples, help_columns());
  text += "\nCommands:\n";
  const auto command = [&](std::string_view name, std::string_view summary) {
    text += fmt::format("  {:<12}{}\n", name, wrapped(summary, 14, help_columns()));
  };
  for (const ViewEntry& entry : views()) command(entry.name, entry.summary);
  for (const OtherCommand& other : other_commands()) command(other.name, other.summary);
  return text + '\n' +
         wrapped(
             "`xtrace COMMAND --help` tells more; `man xtrace` tells all. Input may be files, "
             "folders, packed ones (.gz, .zst), `-` for standard input, or your own sessions by "
             "the "
             "number or id that `xtrace list` shows, or `last`.",
             0, help_columns()) +
         '\n';
}

std::string help_for(const OtherCommand& command) {
  if (command.help != nullptr) return fitted(command.help(), help_columns());
  std::vector<std::string_view> words;
  if (command.words != nullptr) words = command.words();
  std::string text = fmt::format("Usage: xtrace {}{}\n\nPrints {}.\n", command.name,
                                 words.empty() ? "" : " [NAME]", command.summary);
  if (!words.empty())
    text += "\n" +
            wrapped(fmt::format("NAME is one of {}.", fmt::join(words, ", ")), 0, help_columns()) +
            "\n";
  return text;
}

std::string help_for(const ViewEntry& entry, const OptionList& options) {
  const size_t columns = help_columns();
  std::string text =
      fmt::format("Examples:\n{}\nUsage: xtrace {}{} {} [OPTIONS]\n\n{}\n",
                  fitted(entry.examples, columns), entry.name, entry.takes_suite ? " SUITE" : "",
                  entry.compares ? "OLD NEW" : "[FILE...]", wrapped(entry.about, 0, columns));
  std::vector<std::string_view> groups = {""};  // a command's own options first
  for (const OptionSpec& spec : options.specs())
    if (!is_one_of(spec.group, groups)) groups.push_back(spec.group);
  for (std::string_view group : groups) {
    text += fmt::format("\n{}:\n", group.empty() ? "Options" : group);
    for (const OptionSpec& spec : options.specs())
      if (spec.group == group) text += help_line(spec, columns);
    if (group.empty()) text += fmt::format("  {:<{}}{}\n", "-h, --help", kLeft - 2, "this text");
  }
  return text +
         fitted(fmt::format(
                    "\nExit: 0 answered, 1 {}, 2 wrong usage, 3 unusable input, 4 cannot write.\n",
                    entry.compares         ? "they differ (--exit-code)"
                    : entry.takes_suite    ? "failed, got worse, or not enough evidence"
                    : entry.gives_verdicts ? "out of the ordinary, or beyond a card"
                                           : "no such thing"),
                columns);
}

extern const OtherCommand kHelpCommand;

namespace {

Result<Command> read_help(const std::vector<std::string>& words) {
  if (words.empty()) return Printed{help_for_all()};
  const std::string& name = words.front();
  if (Status one = check_one_word(kHelpCommand, words); !one) return tl::unexpected(one.error());
  if (const ViewEntry* entry = find_view(name))
    return Printed{help_for(*entry, list_options(*entry).options)};
  for (const OtherCommand& command : other_commands())
    if (command.name == name) return Printed{help_for(command)};
  return unknown_command(name);
}

std::vector<std::string_view> words_behind_help() {
  std::vector<std::string_view> names = command_names();
  std::erase(names, "help");
  return names;
}

}  // namespace

extern constinit const OtherCommand kHelpCommand = {
    .name = "help",
    .summary = "what a command does and takes",
    .manual = R"(.B help \fR[\fICOMMAND\fR], \fB\-h, \-\-help
prints what there is, or what a command does and takes.
)",
    .run = read_help,
    .words = words_behind_help,
};

}  // namespace xtrace
