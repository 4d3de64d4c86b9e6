#pragma once

#include <string>

#include "input/common/json.h"

namespace xtrace {

/// What an error is called by the log, never what it says: of `{"type", "code", "status",
/// "message"}`, whatever tells most (facts/error_class.h), a status as `http_429`; of a text, the
/// exception or the error of the operating system that it names. `error`: it is one, and has no
/// name. Empty: it is none.
std::string error_word(json::element error);

}  // namespace xtrace
