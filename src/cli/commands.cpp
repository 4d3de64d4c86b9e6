#include "cli/commands.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/parts.h"
#include "base/text.h"

namespace xtrace {

// Each is defined in the file that implements it.
extern const OtherCommand kFactsCommand, kShardCommand, kAnnotateCommand, kPricesCommand,
    kStatusCommand, kAuditCommand, kConfigCommand, kMcpCommand, kServeCommand, kSchemaCommand,
    kCompletionCommand, kHelpCommand, kManualPageCommand;

std::span<const OtherCommand> other_commands() {
  static const OtherCommand kCommands[] = {kServeCommand,  kAuditCommand,      kStatusCommand,
                                           kFactsCommand,  kShardCommand,      kAnnotateCommand,
                                           kPricesCommand, kConfigCommand,     kMcpCommand,
                                           kSchemaCommand, kCompletionCommand, kHelpCommand};
  return kCommands;
}

const OtherCommand* find_other_command(std::string_view name) {
  for (const OtherCommand& command : other_commands())
    if (command.name == name) return &command;
  return name == kManualPageCommand.name ? &kManualPageCommand : nullptr;
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const ViewEntry& entry : views()) names.push_back(entry.name);
  for (const OtherCommand& command : other_commands()) names.push_back(command.name);
  return names;
}

std::vector<std::string> options_of(const OtherCommand& command) {
  std::vector<std::string> options = {"--help"};
  const std::string help = command.help == nullptr ? std::string() : command.help();
  for_each_part(help, '\n', [&](std::string_view line) {
    const size_t begin = line.find("--");
    const bool is_option =
        line.starts_with("  -") && (begin == 2 || line.find(", --") + 2 == begin);
    if (is_option)
      options.emplace_back(line.substr(begin, line.find_first_of(" ,=", begin) - begin));
  });
  return options;
}

Status check_one_word(const OtherCommand& command, const std::vector<std::string>& words) {
  if (words.size() < 2) return {};
  return fail(Exit::usage, fmt::format("{}: unexpected argument '{}'; it takes only one",
                                       command.name, printable(words[1])));
}

namespace {

/// What other tools for these logs call a command, and what does it here.
struct CommandElsewhere {
  std::string_view names, command;
};
constexpr CommandElsewhere kCommandsElsewhere[] = {
    {"daily|cost|costs|usage|spend", "report"},
    {"weekly", "report --by week"},
    {"monthly", "report --by month"},
    {"block|blocks", "report --by block"},
    {"model|models", "report --by model"},
    {"project|projects", "report --by project"},
    {"today", "report --since today"},
    {"session|sessions", "list"},
    {"statusline", "status"},
    {"context", "stats"},
    {"optimize|savings|waste", "advise"},
    {"simulate|bottleneck|bottlenecks", "whatif"},
    {"live|watch|monitor|tail", "follow"},
    {"graph|tree|timeline", "dag"},
    {"replay|view", "dag last -f html"},
};

std::string_view find_equivalent(std::string_view name) {
  std::string_view found;
  for (const CommandElsewhere& row : kCommandsElsewhere)
    for_each_part(row.names, '|', [&](std::string_view other) {
      if (other == name) found = row.command;
    });
  return found;
}

}  // namespace

tl::unexpected<Error> unknown_command(const std::string& name) {
  const std::vector<std::string_view> known = command_names();
  const std::string_view equivalent = find_equivalent(name);
  return fail(
      Exit::usage,
      fmt::format("unknown command '{}'{}\ncommands: {}; try: xtrace --help", printable(name),
                  equivalent.empty() ? did_you_mean(name, known)
                                     : fmt::format("; did you mean xtrace {}?", equivalent),
                  fmt::join(known, ", ")));
}

}  // namespace xtrace
