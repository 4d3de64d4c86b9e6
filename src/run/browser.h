#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace xtrace {

/// The path of a page without a given name: in `$TMPDIR`, else /tmp. Others, who may write there
/// too, cannot guess it. Empty: the system gives no random bytes.
std::string temporary_page(std::string_view command);

/// Shows a file in `$BROWSER`, else in what the desktop opens pages with. Does not wait for it.
Status open_in_browser(const std::string& path);

}  // namespace xtrace
