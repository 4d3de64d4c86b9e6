#include "settings/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/json_writer.h"
#include "base/number.h"
#include "base/one_of.h"
#include "base/text.h"
#include "base/variable.h"
#include "redact/clearance.h"
#include "settings/redaction_file.h"
#include "settings/settings_file.h"

namespace xtrace {

namespace {

using KeyKind = ConfigKey::Kind;
using SettingKind = Setting::Kind;

/// The object that holds our keys in a file which other programs read too.
constexpr std::string_view kWrapper = "explainabilityAgent";
constexpr WantedFile kWanted = {"a configuration", "`xtrace config --help` lists its keys"};
constexpr const char* kSetOption = "--set";

std::span<const std::string_view> places_of_words() {
  static constexpr std::string_view kPlaces[] = {"auto", "always"};
  return kPlaces;
}

std::span<const std::string_view> default_formats() {
  static constexpr std::string_view kFormats[] = {"text", "json"};
  return kFormats;
}

constexpr ConfigKey kKeys[] = {
    {"maxCoTDepth", KeyKind::whole, "5", 1, 1e6, "--max-depth",
     "levels of nested reasoning steps shown before the rest is summarized"},
    {"pruneLatencyThresholdMs", KeyKind::number, "50", 0, 1e9, "--fold-latency",
     "fold routine steps if each of them took less than this many milliseconds"},
    {"minCostUsdDetail", KeyKind::number, "0.0001", 0, 1e9, "--fold-cost",
     "never fold a step that cost at least this many dollars"},
    {"nodeTTLMinutes", KeyKind::number, "120", 0, 1e9, "--node-ttl",
     "fold steps that ended more than this many minutes before the newest step (default: off)"},
    {"maxNodesPerTask", KeyKind::whole, "500", 1, 1e9, "--max-nodes",
     "maximum number of nodes shown per task"},
    {"redactPII", KeyKind::truth, "true", 0, 0, "--keep-personal",
     "replace personal data; the option turns this off"},
    {"ownTerminal", KeyKind::truth, "true", 0, 0, "--share",
     "show titles and the start of prompts on your own terminal; the option turns this off"},
    {"words", KeyKind::word, "\"auto\"", 0, 0, "--words",
     "where to show titles and the start of prompts: auto (your own terminal) or always (also in "
     "pipes and files, but not in CI)",
     places_of_words},
    {"cache", KeyKind::truth, "true", 0, 0, "--no-cache",
     "keep an index in the cache folder; the option turns this off"},
    {"format", KeyKind::word, "\"text\"", 0, 0, "--format", "output format: text or json",
     default_formats},
    {"redactionPatterns", KeyKind::patterns, "[]", 0, 0, "--redact",
     "additional redaction patterns (RE2 syntax)"},
    {"clearance", KeyKind::word, "\"\"", 0, 0, "--clearance",
     "withhold texts of records with a higher or unknown label, or without one", clearances},
    {"unlabelled", KeyKind::word, "\"secret\"", 0, 0, "--unlabelled",
     "what records without a label count as, for --clearance", clearances},
    {"sensitivityLabels", KeyKind::texts, "[]", 0, 0, "--label",
     "meaning of sensitivity labels in your logs: sigilo=secret"},
    {"hiddenArrows", KeyKind::texts, "[]", 0, 0, "--hide-arrows",
     "kinds of arrows that pages hide at first: results, spawns, reports, errors, inferred"},
    {"port", KeyKind::whole, "0", 0, 65535, "--port",
     "port of xtrace serve and follow --open (0: one that is free)"},
    {"persistRetentionDays", KeyKind::whole, "7", 0, 1e6, "--retention",
     "delete stored snapshots more than this many days older than the newest one"},
    {"reorderWindowMs", KeyKind::number, "100", 0, 1e9, "--window",
     "reorder events that arrive up to this many milliseconds late"},
    {"maxQueuedUpdates", KeyKind::whole, "100", 0, 1e9, "--max-queued",
     "maximum number of updates queued for a slow reader"},
};

/// As JSON has it, and with as many digits as it takes.
std::string number_text(double number) {
  if (number == std::floor(number) && std::abs(number) < 1e15)
    return fmt::format("{}", static_cast<int64_t>(number));
  std::string text = fmt::format("{}", number);
  if (text.find('e') == std::string::npos) return text;
  std::string plain = fmt::format("{:.15f}", number);
  plain.erase(plain.find_last_not_of('0') + 1);
  return number_of<double>(plain) == number ? plain : text;
}

std::string list_text(const std::vector<std::string>& texts) {
  std::string list;
  JsonWriter json(list);
  json.open_list(JsonLayout::tight());
  for (const std::string& text : texts) json.value(text);
  json.close();
  return list;
}

Status set_number(const std::string& path, const ConfigKey& key, const Setting& setting,
                  Configured& value) {
  bool is_whole = key.kind == KeyKind::whole;
  bool fits = setting.kind == SettingKind::number && setting.number >= key.least &&
              setting.number <= key.most &&
              (!is_whole || setting.number == std::floor(setting.number));
  if (!fits)
    return wrong_setting(
        path, setting,
        fmt::format("{} must be a {} from {} to {}", key.name, is_whole ? "whole number" : "number",
                    number_text(key.least), number_text(key.most)));
  value.value = number_text(setting.number);
  return {};
}

/// Compiles them too, so that the error for one that RE2 refuses has its line.
Status set_texts(const std::string& path, const ConfigKey& key, const Setting& setting,
                 Configured& value) {
  Result<std::vector<std::string>> texts = texts_of(path, setting, key.name);
  if (!texts) return tl::unexpected(texts.error());
  value.value = list_text(*texts);
  value.texts = *std::move(texts);
  return {};
}

Status set_patterns(const std::string& path, const ConfigKey& key, const Setting& setting,
                    Configured& value) {
  if (Status set = set_texts(path, key, setting, value); !set) return set;
  RedactionSettings tried;
  for (const auto& [none, item] : setting.items)
    if (Status added = add_pattern(path, item, item.text, tried); !added) return added;
  return {};
}

Status set_word(const std::string& path, const ConfigKey& key, const Setting& setting,
                Configured& value) {
  if (setting.kind != SettingKind::text || !is_one_of(setting.text, key.words()))
    return wrong_setting(path, setting,
                         fmt::format("{} must be {}", key.name, fmt::join(key.words(), " or ")));
  value.value = fmt::format("\"{}\"", setting.text);
  value.texts = {setting.text};
  return {};
}

Status set_value(const std::string& path, const ConfigKey& key, const Setting& setting,
                 Configured& value) {
  if (key.kind == KeyKind::patterns) return set_patterns(path, key, setting, value);
  if (key.kind == KeyKind::texts) return set_texts(path, key, setting, value);
  if (key.kind == KeyKind::word) return set_word(path, key, setting, value);
  if (key.kind != KeyKind::truth) return set_number(path, key, setting, value);
  if (setting.kind != SettingKind::boolean)
    return wrong_setting(path, setting, fmt::format("{} must be true or false", key.name));
  value.value = setting.truth ? "true" : "false";
  return {};
}

/// The value after `KEY=`, read as the type of the key; otherwise it remains a text and is refused.
Setting typed_value(const ConfigKey* key, const std::string& text) {
  Setting one;
  one.line = 0;
  one.kind = SettingKind::text;
  one.text = text;
  if (key == nullptr) return one;
  if (key->kind == KeyKind::truth && (text == "true" || text == "false")) {
    one.kind = SettingKind::boolean;
    one.truth = text == "true";
  } else if (key->kind == KeyKind::whole || key->kind == KeyKind::number) {
    std::optional<double> number = number_of<double>(text);
    one.number = number.value_or(0);
    if (number) one.kind = SettingKind::number;
  } else if (key->kind == KeyKind::patterns || key->kind == KeyKind::texts) {
    // `[a-z]` is one pattern and no JSON.
    if (std::optional<Setting> list = setting_of_json(text);
        list && list->kind == SettingKind::list)
      return *std::move(list);
    Setting list = one;
    list.kind = SettingKind::list;
    list.items = {{{}, one}};
    return list;
  }
  return one;
}

const ConfigKey* find_key(std::string_view name) {
  for (const ConfigKey& key : kKeys)
    if (key.name == name) return &key;
  return nullptr;
}

}  // namespace

std::span<const ConfigKey> config_keys() {
  return kKeys;
}

std::string user_config_file() {
  // A relative path is invalid there and to be ignored (XDG Base Directory Specification).
  if (const std::string_view base = variable("XDG_CONFIG_HOME"); base.starts_with('/'))
    return std::string(base) + "/xtrace/config.json";
  const std::string_view home = variable("HOME");
  return home.empty() ? std::string() : std::string(home) + "/.config/xtrace/config.json";
}

Config::Config() {
  for (const ConfigKey& key : kKeys) values_.push_back({std::string(key.fallback), "default", {}});
}

Result<Config> Config::read(const std::string& file, const std::vector<std::string>& sets) {
  Config config;
  config.file_ = file.empty() ? user_config_file() : file;
  // One that cannot be looked at may say what is to be hidden, so it is read, and that fails.
  if (std::error_code error;
      file.empty() && !std::filesystem::exists(config.file_, error) && !error)
    config.file_.clear();
  if (!config.file_.empty())
    if (Status read = config.read_file(config.file_); !read) return tl::unexpected(read.error());
  if (Status read = config.read_sets(sets); !read) return tl::unexpected(read.error());
  return config;
}

Status Config::read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return cannot_read(kWanted, path, fmt::format("it is a folder; {}", expected_here(kWanted)));
  // An empty one configures nothing: `--config /dev/null`.
  if (std::ifstream peeked(path, std::ios::binary); peeked && peeked.peek() == EOF) return {};
  Result<Setting> root = read_settings(path, kWanted);
  if (!root) return tl::unexpected(root.error());
  // Other programs use the keys next to the wrapper.
  if (const Setting* ours = root->find(kWrapper)) return read_table(path, *ours, kWrapper);
  return read_table(path, *root, "the configuration");
}

Status Config::read_sets(const std::vector<std::string>& sets) {
  for (const std::string& set : sets) {
    size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(Exit::usage,
                  fmt::format("{}: '{}' is not of the form KEY=VALUE", kSetOption, printable(set)));
    std::string name = set.substr(0, equals);
    Setting table;
    table.line = 0;
    table.kind = SettingKind::table;
    table.items = {{name, typed_value(find_key(name), set.substr(equals + 1))}};
    if (Status read = read_table(kSetOption, table, "the configuration"); !read) return read;
  }
  return {};
}

Status Config::read_table(const std::string& path, const Setting& table, std::string_view what) {
  std::vector<std::string_view> names;
  for (const ConfigKey& key : kKeys) names.push_back(key.name);
  if (Status known = check_keys(path, table, what, names); !known) return known;
  for (const auto& [name, setting] : table.items) {
    const ConfigKey* key = find_key(name);
    Configured value;
    if (Status set = set_value(path, *key, setting, value); !set) return set;
    value.is_default = false;
    value.origin = path;
    if (setting.line > 0)
      value.origin =
          fmt::format("{}:{}", std::filesystem::path(path).filename().string(), setting.line);
    values_[static_cast<size_t>(key - kKeys)] = std::move(value);
  }
  return {};
}

const Configured& Config::operator[](std::string_view key) const {
  return values_.at(static_cast<size_t>(find_key(key) - kKeys));
}

}  // namespace xtrace
