#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace xtrace {

/// Does an object of the JSON text have a key twice? Parsers differ in what they make of that.
bool has_key_twice(std::string_view text);

/// The JSON Schema of the output of a command.
std::string schema_text_of(std::string_view view);
/// What is wrong with an answer by the schema of its view, a line each; empty if nothing is.
std::string faults_in(const nlohmann::json& answer, std::string_view view);

}  // namespace xtrace
