#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "settings/setting.h"

namespace xtrace {

/// Something that can be configured. Keys and defaults are those of the ExplainabilityAgent, so
/// that a file that configures it serves here as well.
struct ConfigKey {
  enum class Kind : uint8_t { whole, number, truth, word, texts, patterns };
  std::string_view name;
  Kind kind;
  std::string_view fallback;   ///< the value where nobody says anything, in JSON
  double least = 0, most = 0;  ///< of what is a number
  std::string_view option;     ///< the one that says the same on a command line; empty: none does
  std::string_view meaning;    ///< for users, in a line
  std::span<const std::string_view> (*words)() = nullptr;  ///< of a word: those it may be
};

/// Every key, in the order in which users see them.
std::span<const ConfigKey> config_keys();

/// What is in force of a key.
struct Configured {
  std::string value;               ///< in JSON
  std::string origin;              ///< `default`, `config.json:7` or `--set`
  std::vector<std::string> texts;  ///< of a list; of a word, the word
  bool is_default = true;
};

/// What a configuration file and `--set` say. Of a key that both name `--set` counts; an option of
/// a command goes before both.
class Config {
 public:
  /// `file` empty: the user's own, `$XDG_CONFIG_HOME/xtrace/config.json` or that below `~/.config`,
  /// if there is one. `sets` are `KEY=VALUE`, of one key the last counts. What cannot be heeded is
  /// an Error with Exit::usage that names file:line.
  static Result<Config> read(const std::string& file, const std::vector<std::string>& sets);

  /// The file that was read; empty: none.
  const std::string& file() const { return file_; }
  /// In the order of config_keys().
  const std::vector<Configured>& values() const { return values_; }
  const Configured& operator[](std::string_view key) const;
  bool redacts_personal() const { return (*this)["redactPII"].value == "true"; }
  bool uses_cache() const { return (*this)["cache"].value == "true"; }

 private:
  Config();
  Status read_file(const std::string& path);
  Status read_sets(const std::vector<std::string>& sets);
  /// `table` is what `what` is called in errors.
  Status read_table(const std::string& path, const Setting& table, std::string_view what);

  std::string file_;
  std::vector<Configured> values_;
};

/// Where a user's own file would be; empty: nobody knows.
std::string user_config_file();

}  // namespace xtrace
