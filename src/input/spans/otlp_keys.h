#pragma once

#include <string_view>

namespace xtrace {

/// A key of OTLP as its JSON has it: `resourceSpans`, also where a library writes it as the
/// protocol's own files do, `resource_spans`.
std::string_view otlp_key(std::string_view key);

}  // namespace xtrace
