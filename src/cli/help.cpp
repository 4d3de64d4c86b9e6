#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/one_of.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/answer_formats.h"
#include "cli/commands.h"
#include "cli/help_lines.h"
#include "input/common/format.h"
#include "view/common/filter.h"

namespace xtrace {

namespace {

constexpr std::string_view kExamples =
    R"(  xtrace                                 show your newest session
  xtrace list                            list your sessions; then `xtrace dag 3`
  xtrace stats last                      cost and time of your newest session
  xtrace dag logs.jsonl --json | jq .    a log, as JSON
  xtrace explain run.json --node db      why an actor was reached
  xtrace diff monday.jsonl tuesday.jsonl compare two runs
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

constexpr size_t kLeft = 28;  // where explanations begin; longer options get a line of their own

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

/// The options, below the titles of their groups; those of the command itself first.
std::string option_groups(std::span<const OptionSpec> options, size_t columns) {
  std::string text;
  std::vector<std::string_view> groups = {""};
  for (const OptionSpec& spec : options)
    if (!is_one_of(spec.group, groups)) groups.push_back(spec.group);
  for (std::string_view group : groups) {
    std::string lines;
    for (const OptionSpec& spec : options)
      if (spec.group == group) lines += help_line(spec, columns);
    if (!lines.empty()) text += fmt::format("\n{}:\n{}", group.empty() ? "Options" : group, lines);
  }
  return text;
}

/// The commands by what they are for.
struct CommandGroup {
  std::string_view title;
  std::vector<std::string_view> names;
};
const std::vector<CommandGroup>& command_groups() {
  static const std::vector<CommandGroup> kGroups = {
      {"Look",
       {"list", "dag", "stats", "report", "explain", "impact", "advise", "whatif", "follow",
        "serve", "status"}},
      {"Check", {"eval", "diff", "blame", "assess", "trace", "audit", "trust", "taint"}},
      {"Data", {"convert", "facts", "shard", "annotate", "prices"}},
      {"Setup", {"mcp", "config", "schema", "completion", "help"}}};
  return kGroups;
}

std::string_view summary_of(std::string_view name) {
  if (const ViewEntry* entry = find_view(name)) return entry->summary;
  const OtherCommand* command = find_other_command(name);
  return command == nullptr ? std::string_view() : command->summary;
}

/// Every option that several commands share, once, with all its values: filters, or all others.
std::vector<OptionSpec> shared_options(bool filters) {
  std::vector<OptionSpec> all;
  for (const ViewEntry& entry : views()) {
    const Listed listed = list_options(entry);
    for (const OptionSpec& spec : listed.options.specs()) {
      if (spec.group.empty() || (spec.group == kFilters) != filters || spec.long_name() == "--to")
        continue;
      auto known = std::ranges::find(all, spec.name, &OptionSpec::name);
      if (known == all.end()) known = all.insert(all.end(), spec);
      for (std::string_view word : spec.words)
        if (!is_one_of(word, known->words)) known->words.push_back(word);
    }
  }
  return all;
}

std::string options_topic() {
  return "Options that most commands share. Filters: `xtrace help filters`.\n" +
         option_groups(shared_options(false), help_columns());
}

std::string filters_topic() {
  return "Filters choose what a command shows. Several filters must all match; a repeated filter\n"
         "matches any of its values.\n" +
         option_groups(shared_options(true), help_columns());
}

std::string formats_topic() {
  const size_t columns = help_columns();
  const auto line = [&](std::string_view name, std::string_view meaning) {
    return fmt::format("  {:<18}{}\n", name, wrapped(meaning, 20, columns));
  };
  std::string text = "Output formats (-f, --format; `convert --to` for the last ones):\n";
  for (const Renderer& renderer : renderers()) text += line(renderer.name, renderer.summary);
  text += "\nInput formats, recognized automatically (--from reads all records as one of them):\n";
  for (const Format& format : formats()) text += line(format.name, format.summary);
  return text;
}

std::string exit_codes_topic() {
  return R"(Exit codes:
  0    success
  1    negative result: not found, check failed, anomaly, or runs differ (--exit-code)
  2    usage error
  3    unreadable or unsupported input; with --strict, also any skipped record
  4    cannot write the output; -o FILE is atomic, so no partial file remains
  70   internal error in xtrace
  130  interrupted
)";
}

/// What `xtrace help` explains beside commands.
struct HelpTopic {
  std::string_view name, summary;
  std::string (*text)();
};
constexpr HelpTopic kTopics[] = {
    {"options", "output, privacy, input and configuration options", options_topic},
    {"filters", "options that choose what is shown", filters_topic},
    {"formats", "output and input formats", formats_topic},
    {"exit-codes", "exit codes", exit_codes_topic},
};

}  // namespace

std::string help_for_all() {
  const size_t columns = help_columns();
  std::string text =
      "xtrace analyzes AI agent logs: what happened, what it cost, and why.\n\n"
      "Usage: xtrace COMMAND [FILE...] [OPTIONS]\n\n"
      "FILE: a log, a folder, an archive (.gz, .zst) or `-` for standard input; or a\n"
      "local session by the number or id that `xtrace list` shows, or `last`.\n\nExamples:\n";
  text += fitted(kExamples, columns);
  const auto line = [&](std::string_view name, std::string_view summary) {
    text += fmt::format("  {:<12}{}\n", name, wrapped(summary, 14, columns));
  };
  for (const CommandGroup& group : command_groups()) {
    text += fmt::format("\n{}:\n", group.title);
    for (std::string_view name : group.names) line(name, summary_of(name));
  }
  text += "\nTopics (`xtrace help TOPIC`):\n";
  for (const HelpTopic& topic : kTopics) line(topic.name, topic.summary);
  return text + "\nHelp for a command: `xtrace COMMAND --help`. Reference: `man xtrace`.\n";
}

std::string help_for(const OtherCommand& command) {
  if (command.help != nullptr) return fitted(command.help(), help_columns());
  std::vector<std::string_view> words;
  if (command.words != nullptr) words = command.words();
  const std::string_view placeholder = command.placeholder;
  std::string text = fmt::format("Usage: xtrace {}{}{}\n\nPurpose: {}.\n", command.name,
                                 placeholder.empty() ? "" : " ", placeholder, command.summary);
  if (!words.empty()) {
    const size_t bracket = placeholder.starts_with('[') ? 1 : 0;
    text += "\n" +
            wrapped(fmt::format("{} is one of {}.",
                                placeholder.substr(bracket, placeholder.size() - 2 * bracket),
                                fmt::join(words, ", ")),
                    0, help_columns()) +
            "\n";
  }
  return text;
}

std::string help_for(const Listed& listed) {
  const size_t columns = help_columns();
  const ViewEntry& entry = *listed.entry;
  std::vector<OptionSpec> own(
      listed.options.specs().begin(),
      listed.options.specs().begin() + static_cast<std::ptrdiff_t>(listed.own));
  const bool filters =
      std::erase_if(own, [](const OptionSpec& spec) { return spec.group == kFilters; }) > 0;
  std::string text =
      fmt::format("{}\n\nUsage: xtrace {}{} {} [OPTIONS]\n\nExamples:\n{}",
                  wrapped(entry.about, 0, columns), entry.name, entry.takes_suite ? " SUITE" : "",
                  entry.compares ? "OLD NEW" : "[FILE...]", fitted(entry.examples, columns));
  text += option_groups(own, columns);
  if (!entry.converts)
    text += "\n" +
            wrapped(fmt::format("Output formats (-f): {}.", fmt::join(format_names(entry), ", ")),
                    0, columns) +
            "\n";
  return text + fmt::format(
                    "\n{}utput, privacy and input options: `xtrace help options`.\n"
                    "Exit codes: 0 success, 1 {}; others: `xtrace help exit-codes`.\n",
                    filters ? "Filters: `xtrace help filters`.\nO" : "O",
                    entry.compares         ? "runs differ (--exit-code)"
                    : entry.takes_suite    ? "failed, regressed or not enough evidence"
                    : entry.gives_verdicts ? entry.no_means
                                           : "not found");
}

extern const OtherCommand kHelpCommand;

namespace {

std::vector<std::string_view> words_behind_help() {
  std::vector<std::string_view> names = command_names();
  std::erase(names, "help");
  for (const HelpTopic& topic : kTopics) names.push_back(topic.name);
  return names;
}

Result<Command> read_help(const std::vector<std::string>& words) {
  if (words.empty()) return Printed{help_for_all()};
  const std::string& name = words.front();
  if (Status one = check_one_word(kHelpCommand, words); !one) return tl::unexpected(one.error());
  if (const ViewEntry* entry = find_view(name)) return Printed{help_for(list_options(*entry))};
  for (const HelpTopic& topic : kTopics)
    if (topic.name == name) return Printed{topic.text()};
  for (const OtherCommand& command : other_commands())
    if (command.name == name) return Printed{help_for(command)};
  std::vector<std::string_view> known = words_behind_help();
  return fail(Exit::usage, fmt::format("help: no command or topic '{}'{}\ntry: xtrace help",
                                       printable(name), did_you_mean(name, known)));
}

}  // namespace

extern constinit const OtherCommand kHelpCommand = {
    .name = "help",
    .summary = "show help for a command or topic",
    .manual = R"(.B help \fR[\fICOMMAND\fR | \fITOPIC\fR], \fB\-h, \-\-help
prints help for all commands, for one command, or for a topic: options, filters, formats, exit-codes.
)",
    .run = read_help,
    .words = words_behind_help,
    .placeholder = "[NAME]",
};

}  // namespace xtrace
