#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"

namespace xtrace {

namespace {

constexpr std::string_view kExamples =
    R"(  xtrace dag logs.jsonl                  what happened: sessions, agents, calls, tools
  xtrace dag logs.jsonl -f json | jq .   the same for programs
  xtrace dag logs/ --agent Explore       a folder of logs, one type of agent
  xtrace explain run.json --node db      why an actor was reached: every chain that led there
  xtrace trust run.json                  every hop in causal order
  xtrace trace steps.jsonl --query Q-17  what exactly one query did, step by step
  xtrace eval suite.yaml logs/           did the agents behave as a suite expects
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

}  // namespace

std::string help_for_all() {
  std::string text =
      "xtrace shows what AI agents did, from the logs they leave behind.\n\nExamples:\n";
  text += kExamples;
  text += "\nCommands:\n";
  for (const ViewEntry& entry : views())
    text += fmt::format("  {:<12}{}\n", entry.name, entry.summary);
  for (const OtherCommand& command : other_commands())
    text += fmt::format("  {:<12}{}\n", command.name, command.summary);
  text += R"(
`xtrace COMMAND --help` tells more; `man xtrace` tells all. Input may be files, .gz, .zst, folders, or `-`.
)";
  return text;
}

std::string help_for(const OtherCommand& command) {
  if (command.help != nullptr) return command.help();
  std::vector<std::string_view> words;
  if (command.words != nullptr) words = command.words();
  std::string text = fmt::format("Usage: xtrace {}{}\n\nPrints {}.\n", command.name,
                                 words.empty() ? "" : " [NAME]", command.summary);
  if (!words.empty())
    text += "\n" + wrapped(fmt::format("NAME is one of {}.", fmt::join(words, ", ")), 0, 90) + "\n";
  return text;
}

std::string help_for(const ViewEntry& entry, const OptionList& options) {
  std::string text =
      fmt::format("Examples:\n{}\nUsage: xtrace {}{} {} [OPTIONS]\n\n{}\n\nOptions:\n",
                  entry.examples, entry.name, entry.takes_suite ? " SUITE" : "",
                  entry.compares ? "OLD NEW" : "[FILE...]", wrapped(entry.about, 0, 90));
  constexpr size_t kLeft = 28;
  for (const OptionSpec& spec : options.specs()) {
    std::string help = spec.help;
    if (!spec.words.empty()) help += fmt::format(" [{}]", fmt::join(spec.words, "|"));
    std::string left = left_side(spec);
    if (left.size() + 4 > kLeft)
      left += "\n" + std::string(kLeft, ' ');
    else
      left.resize(kLeft - 2, ' ');
    text += "  " + left + wrapped(help, kLeft, 100) + "\n";
  }
  text += fmt::format("  {:<{}}{}\n", "-h, --help", kLeft - 2, "this text");
  text +=
      fmt::format("\nExit: 0 answered, 1 {}, 2 wrong usage, 3 unusable input, 4 cannot write.\n",
                  entry.compares         ? "they differ (--exit-code)"
                  : entry.takes_suite    ? "failed, got worse, or not enough evidence"
                  : entry.gives_verdicts ? "out of the ordinary, or beyond a card"
                                         : "no such thing");
  return text;
}

namespace {

Result<Command> read_help(const std::vector<std::string>& words) {
  if (words.empty()) return Printed{help_for_all()};
  const std::string& name = words.front();
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
