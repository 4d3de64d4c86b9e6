#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace xtrace {

/// The path of a page without a given name: in `$TMPDIR`, else /tmp, one for each command and
/// process.
std::string temporary_page(std::string_view command);

/// Shows a file in `$BROWSER`, else in what the desktop opens pages with. Does not wait for it.
Status open_in_browser(const std::string& path);

}  // namespace xtrace
