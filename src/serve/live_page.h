#pragma once

#include <string>

#include "serve/message.h"

namespace xtrace::serve {

/// The page around the explorer: it loads the explorer again when the log has grown, and shows the
/// new one in place of the old one when that is drawn, with everything where it was.
SharedText live_page();
/// Its Content-Security-Policy: these very bytes run, and nothing is loaded from elsewhere.
const std::string& live_page_policy();

}  // namespace xtrace::serve
