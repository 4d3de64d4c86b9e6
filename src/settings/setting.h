#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace xtrace {

/// A value of a file that users write, JSON, TOML or YAML, and the line on which it stands.
struct Setting {
  enum class Kind : uint8_t { null, boolean, number, text, list, table };

  Kind kind = Kind::null;
  size_t line = 1;  ///< 0: it stands in no file, but on the command line
  bool truth = false;
  double number = 0;
  std::string text;
  std::vector<struct SettingItem> items;  ///< of a list or table

  /// Nullptr: it has no such key.
  const Setting* find(std::string_view key) const;
};

struct SettingItem {
  std::string key;  ///< of a list empty
  Setting value;
};

/// What is to stand in a file, for who gives a log or a folder in its place.
struct WantedFile {
  std::string_view what;    ///< "a list of prices"
  std::string_view hint{};  ///< "`xtrace prices` prints one"
};
/// "a list of prices is expected here; `xtrace prices` prints one".
std::string expected_here(const WantedFile& wanted);
/// "cannot read the list of prices 'x': file is empty", with Exit::usage.
tl::unexpected<Error> cannot_read(const WantedFile& wanted, const std::string& path,
                                  std::string_view why);

/// The whole file. What is broken is named as `file:line`, with Exit::usage.
Result<Setting> read_settings(const std::string& path, const WantedFile& wanted);

/// A JSON text that stands in no file; none: it is no JSON.
std::optional<Setting> setting_of_json(const std::string& text);

/// Says what is wrong with a setting: `file:line: what`; where it stands in no file, `path: what`,
/// with the name of the option for a path.
tl::unexpected<Error> wrong_setting(const std::string& path, const Setting& where,
                                    const std::string& what);

// What a setting must be, or else an Error says so; `what` is its name in that.
Result<std::string> text_of(const std::string& path, const Setting& setting, std::string_view what);
Result<std::vector<std::string>> texts_of(const std::string& path, const Setting& setting,
                                          std::string_view what);
Result<double> number_of(const std::string& path, const Setting& setting, std::string_view what);
/// A table with no other keys than these.
Status check_keys(const std::string& path, const Setting& setting, std::string_view what,
                  const std::vector<std::string_view>& known);

}  // namespace xtrace
