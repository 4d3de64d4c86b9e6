#include "cli/config_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/read_options.h"
#include "settings/config.h"

namespace xtrace {

namespace {

/// Values and places stand below one another as far as they are short.
constexpr size_t kWidest = 40;

std::string padded(std::string_view text, size_t columns) {
  return fmt::format("{}{}", text, std::string(columns - std::min(columns, width(text)), ' '));
}

std::string as_text(const Config& config) {
  std::string user = user_config_file();
  std::string text = "file: ";
  if (!config.file().empty())
    text += printable(config.file());
  else
    text += user.empty() ? "none" : fmt::format("none; there is no {}", printable(user));
  text += "\n\n";
  size_t name = 0, value = 0, origin = 0;
  for (size_t i = 0; i < config.values().size(); ++i) {
    name = std::max(name, config_keys()[i].name.size());
    value = std::max(value, std::min(kWidest, width(printable(config.values()[i].value))));
    origin = std::max(origin, std::min(kWidest, width(printable(config.values()[i].origin))));
  }
  for (size_t i = 0; i < config.values().size(); ++i) {
    const Configured& one = config.values()[i];
    text += fmt::format("{}  {}  {}  {}\n", padded(config_keys()[i].name, name),
                        padded(printable(one.value), value), padded(printable(one.origin), origin),
                        config_keys()[i].meaning);
  }
  return text;
}

void write_value(JsonWriter& json, const ConfigKey& key, std::string_view value,
                 const std::vector<std::string>& texts) {
  if (key.kind == ConfigKey::Kind::patterns) {
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

}  // namespace

Result<Command> read_config(std::vector<std::string> words) {
  std::string file, format;
  std::vector<std::string> sets;
  OptionList options;
  options.add("--config", file, "FILE", "");
  options.add("--set", sets, "KEY=VALUE", "");
  options.add("-f,--format", format, "FORMAT", "", {"text", "json"});
  Result<OptionsRead> read = read_options(std::move(words), options);
  if (!read) return fail(Exit::usage, read.error().what + "\ntry: xtrace config --help");
  if (read->help) return Printed{help_for_config()};
  if (Status checked = check_words(options); !checked) return tl::unexpected(checked.error());
  for (const std::string& word : read->rest) {
    if (word.starts_with("-")) return unknown_option("config", word, options);
    return fail(Exit::usage, fmt::format("config: it takes no '{}'; name a file with --config",
                                         printable(word)));
  }
  Result<Config> config = Config::read(file, sets);
  if (!config) return tl::unexpected(config.error());
  if (format.empty()) format = isatty(STDOUT_FILENO) ? "text" : "json";
  return Printed{format == "json" ? as_json(*config) : as_text(*config)};
}

}  // namespace xtrace
