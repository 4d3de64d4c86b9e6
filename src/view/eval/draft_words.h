#pragma once

#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "settings/suite.h"

namespace xtrace {

/// As YAML and JSON write it.
inline std::string in_quotes(std::string_view text) {
  std::string json;
  JsonWriter(json).value(text);
  return json;
}

/// Any use of the tool of this name.
inline ExpectedTool tool_named(std::string_view name) {
  ExpectedTool tool;
  tool.name = tool.text = name;
  return tool;
}

}  // namespace xtrace
