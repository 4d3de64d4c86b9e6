#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace xtrace {

struct Request;

/// Parses JSON in which no object has a key twice: programs differ in which of two equal keys they
/// believe, and so might readers. `has_equal_keys` is set where that is what is wrong.
std::optional<nlohmann::json> parse_strict(const std::string& bytes,
                                           bool* has_equal_keys = nullptr);

/// Puts the patterns and files that the verifier names in place of the digests that a recorded
/// command has of them. Exit::input: one of them is not among the verifier's.
Status restore_recorded(std::vector<std::string>& words, const Request& request);

}  // namespace xtrace
