#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace xtrace {

/// A value of a file that users write, JSON, TOML or YAML, and the line where it begins.
struct Setting {
  enum class Kind : uint8_t { null, boolean, number, text, list, table };

  Kind kind = Kind::null;
  size_t line = 1;  ///< 0: from the command line
  bool truth = false;
  double number = 0;
  std::string text;
  std::vector<struct SettingItem> items;  ///< set if a list or table

  /// Nullptr: it has no such key.
  const Setting* find(std::string_view key) const;
};

struct SettingItem {
  std::string key;  ///< empty in a list
  Setting value;
};

/// Says what is wrong with a setting: `file:line: what`; without a line (0), `path: what`, where
/// the path is the name of an option.
tl::unexpected<Error> wrong_setting(const std::string& path, size_t line, std::string_view what);
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
