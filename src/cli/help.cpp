#include <fmt/format.h>

#include "cli/command.h"
#include "settings/config.h"

namespace xtrace {

namespace {

constexpr std::string_view kExamples =
    "  xtrace dag logs.jsonl                  what happened: sessions, agents, calls, tools\n"
    "  xtrace dag logs.jsonl -f json | jq .   the same for programs\n"
    "  xtrace dag logs/ --agent Explore       a folder of logs, one type of agent\n"
    "  xtrace explain run.json --node db      why an actor was reached: every chain that led "
    "there\n"
    "  xtrace trust run.json                  every hop in causal order\n"
    "  xtrace trace steps.jsonl --query Q-17  what exactly one query did, step by step\n"
    "  xtrace eval suite.yaml logs/           did the agents behave as a suite expects\n"
    "  xtrace diff monday.jsonl tuesday.jsonl what changed between two runs\n"
    "  xtrace follow logs/ -f text            what is happening right now\n"
    "  xtrace list logs.jsonl                 which sessions and agents are in here\n";

std::string wrapped(std::string_view text, size_t indent, size_t columns) {
  std::string lines, line;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!line.empty() && indent + line.size() + 1 + word.size() > columns) {
      lines += line + "\n" + std::string(indent, ' ');
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  return lines + line;
}

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
  text += fmt::format("  {:<12}{}\n", "prices",
                      "what tokens of which model cost, as `--prices` takes it");
  text += fmt::format("  {:<12}{}\n", "config", "what is configured, and where");
  text += fmt::format("  {:<12}{}\n", "schema", "the JSON Schema of a command's answer");
  text += fmt::format("  {:<12}{}\n", "completion",
                      "the script that completes commands in bash, zsh or fish");
  text += fmt::format("  {:<12}{}\n", "help", "what a command does and takes");
  text +=
      "\n`xtrace COMMAND --help` tells more; `man xtrace` tells all. Input may be files, .gz, "
      ".zst, "
      "folders, or `-`.\n";
  return text;
}

std::string help_for_prices() {
  return "Examples:\n"
         "  xtrace prices                        the prices that costs are reckoned with\n"
         "  xtrace prices claude-opus-4.5        those for one model, as a log names it\n"
         "  xtrace prices > mine.json            to change them, and use with --prices mine.json\n"
         "\nUsage: xtrace prices [MODEL] [--prices FILE]\n\n"
         "Prints dollars for a million tokens, as JSON: the makers' list prices for standard "
         "service, each\nwith the day on which it was looked up, and over them those of FILE. With "
         "MODEL, the price of\nthat model alone; exit 1 where none is known.\n";
}

std::string help_for_config() {
  std::string text =
      "Examples:\n"
      "  xtrace config                            what is in force, and what said so\n"
      "  xtrace config --config team.json         the same with another file\n"
      "  xtrace config --set maxNodesPerTask=200  a key set on the command line\n"
      "\nUsage: xtrace config [--config FILE] [--set KEY=VALUE]... [-f text|json]\n\n"
      "Prints each key of the configuration with its value, and what gave it that: the default, a "
      "line of\nFILE, or --set. FILE is $XDG_CONFIG_HOME/xtrace/config.json unless it is named, "
      "with "
      "~/.config for a\nvariable that is not set. An option of a command goes before --set, that "
      "before FILE.\n\nKeys, with the options that say the same:\n";
  constexpr size_t kLeft = 28;
  for (const ConfigKey& key : config_keys()) {
    std::string option = key.option.empty() ? "" : fmt::format(" ({})", key.option);
    text += fmt::format("  {:<{}}{}\n", key.name, kLeft - 2,
                        wrapped(fmt::format("{}{}", key.meaning, option), kLeft, 100));
  }
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

}  // namespace xtrace
