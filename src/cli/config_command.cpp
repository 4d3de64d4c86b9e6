#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/number.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/read_options.h"
#include "settings/config.h"

namespace xtrace {

namespace {

/// Values and places are aligned as long as they are short.
constexpr size_t kWidest = 40;

std::string padded(std::string_view text, size_t columns) {
  return fmt::format("{}{}", text, std::string(columns - std::min(columns, width(text)), ' '));
}

/// `columns`: of the terminal, in which what keys mean is broken; 0: there is none.
std::string as_text(const Config& config, size_t columns) {
  std::string user = user_config_file();
  std::string text = "file: ";
  if (!config.file().empty())
    text += printable(config.file());
  else
    text += user.empty() ? "none" : fmt::format("none ({} does not exist)", printable(user));
  text += "\n\n";
  size_t name = 0, value = 0, origin = 0;
  for (size_t i = 0; i < config.values().size(); ++i) {
    name = std::max(name, config_keys()[i].name.size());
    value = std::max(value, std::min(kWidest, width(printable(config.values()[i].value))));
    origin = std::max(origin, std::min(kWidest, width(printable(config.values()[i].origin))));
  }
  const size_t left = name + value + origin + 6;
  constexpr size_t kNarrowest = 20, kBelow = 4;
  const bool is_beside = left + kNarrowest <= columns;
  for (size_t i = 0; i < config.values().size(); ++i) {
    const Configured& one = config.values()[i];
    const std::string_view meaning = config_keys()[i].meaning;
    text += fmt::format("{}  {}  ", padded(config_keys()[i].name, name),
                        padded(printable(one.value), value));
    if (is_beside || columns == 0)
      text += fmt::format("{}  {}\n", padded(printable(one.origin), origin),
                          columns == 0 ? std::string(meaning) : wrapped(meaning, left, columns));
    else
      text += fmt::format("{}\n{}{}\n", printable(one.origin), std::string(kBelow, ' '),
                          wrapped(meaning, kBelow, columns));
  }
  return text;
}

void write_value(JsonWriter& json, const ConfigKey& key, std::string_view value,
                 const std::vector<std::string>& texts) {
  if (key.kind == ConfigKey::Kind::patterns || key.kind == ConfigKey::Kind::texts) {
    json.open_list(JsonLayout::lines(8));
    for (const std::string& text : texts) json.value(text);
    json.close();
  } else if (std::optional<double> number = number_of<double>(value)) {
    json.value(*number);
  } else {
    json.raw(value);
  }
}

std::string as_json(const Config& config) {
  std::string text;
  JsonWriter json(text);
  json.open_object(JsonLayout::lines(2));
  if (!config.file().empty()) json.field("file", config.file());
  json.open_list("keys", JsonLayout::lines(4));
  for (size_t i = 0; i < config.values().size(); ++i) {
    const ConfigKey& key = config_keys()[i];
    const Configured& one = config.values()[i];
    json.open_object(JsonLayout::lines(6));
    json.field("key", key.name);
    json.key("value");
    write_value(json, key, one.value, one.texts);
    json.field("from", one.origin);
    json.key("default");
    write_value(json, key, key.fallback, {});
    if (!key.option.empty()) json.field("option", key.option);
    json.field("meaning", key.meaning);
    json.close();
  }
  json.close();
  json.close();
  return text += '\n';
}

std::string help_for_config() {
  std::string text = R"(Examples:
  xtrace config                            show all keys and where each value comes from
  xtrace config --config team.json         use another file
  xtrace config --set maxNodesPerTask=200  set a key

Usage: xtrace config [--config FILE] [--set KEY=VALUE]... [-f text|json]

Prints each configuration key with its value and its origin: default, a line of FILE, or --set.
FILE: by default $XDG_CONFIG_HOME/xtrace/config.json (~/.config if the variable is unset).
Precedence: options of a command, --set, FILE, default.

Keys, with the equivalent options:
)";
  constexpr size_t kLeft = 28;  // as in the help of options
  for (const ConfigKey& key : config_keys()) {
    std::string option = key.option.empty() ? "" : fmt::format(" ({})", key.option);
    text += fmt::format("  {:<{}}{}\n", key.name, kLeft - 2,
                        wrapped(fmt::format("{}{}", key.meaning, option), kLeft, 100));
  }
  return text;
}

/// `xtrace config [--config FILE] [--set KEY=VALUE]... [-f FORMAT]`: what is in force, and why.
Result<Command> read_config(const std::vector<std::string>& words) {
  std::string file, format = "text";
  bool json = false;
  std::vector<std::string> sets;
  OptionList options;
  options.add("--config", file, "FILE", "");
  options.add("--set", sets, "KEY=VALUE", "");
  options.add("-f,--format", format, "FORMAT", "", {"text", "json"});
  options.add("--json", json, "");
  Result<OptionsRead> read = read_options(words, options);
  if (!read) return fail(Exit::usage, read.error().what + "\ntry: xtrace config --help");
  if (read->help) return Printed{help_for_config()};
  if (Status settled = settle_words(options); !settled) return tl::unexpected(settled.error());
  for (const std::string& word : read->rest) {
    if (word.starts_with("-")) return unknown_option("config", word, options);
    return fail(Exit::usage,
                fmt::format("config: unexpected argument '{}'; use --config FILE to name a file",
                            printable(word)));
  }
  Result<Config> config = Config::read(file, sets);
  if (!config) return tl::unexpected(config.error());
  const size_t columns = is_terminal(kStandardOutput) ? terminal_columns(0) : 0;
  return Printed{json || format == "json" ? as_json(*config) : as_text(*config, columns)};
}

std::vector<std::string_view> words_behind_config() {
  return {"--config", "--set", "--format"};
}

}  // namespace

extern constinit const OtherCommand kConfigCommand = {
    .name = "config",
    .summary = "show the configuration and where it comes from",
    .manual =
        R"(.B config \fR[\fB\-\-config \fIFILE\fR] [\fB\-\-set \fIKEY\fB=\fIVALUE\fR]... [\fB\-f \fRtext|json]
prints each configuration key with its value and source: the default, a line of the file, or
.BR \-\-set .
)",
    .run = read_config,
    .help = help_for_config,
    .words = words_behind_config,
};

}  // namespace xtrace
