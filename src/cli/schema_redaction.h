#pragma once

#include <span>
#include <string>

#include "redact/secret_kinds.h"

namespace xtrace {

/// What redaction replaces: these kinds of secrets that vendors issue, and the rules for the rest.
std::string redaction_kinds_json(std::span<const SecretKind> kinds);
/// The same as a table.
std::string redaction_kinds_text(std::span<const SecretKind> kinds);

}  // namespace xtrace
