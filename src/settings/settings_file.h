#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "settings/setting.h"

namespace xtrace {

/// The kind of file that a command expects, for errors about a log or folder in its place.
struct WantedFile {
  std::string_view what;    ///< "a list of prices"
  std::string_view hint{};  ///< "`xtrace prices` prints one"
};
/// "expected a list of prices; `xtrace prices` prints one".
std::string expected_here(const WantedFile& wanted);
/// "cannot read the list of prices 'x': file is empty", with Exit::usage.
tl::unexpected<Error> cannot_read(const WantedFile& wanted, const std::string& path,
                                  std::string_view why);

/// The text of the file, without a byte order mark. Errors have Exit::usage.
Result<std::string> read_text_file(const std::string& path, const WantedFile& wanted);

/// Reads the whole file. Errors name `file:line`, with Exit::usage.
Result<Setting> read_settings(const std::string& path, const WantedFile& wanted);

/// Reads a JSON text from outside files. None if it is not JSON.
std::optional<Setting> setting_of_json(const std::string& text);

}  // namespace xtrace
