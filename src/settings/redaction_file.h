#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "redact/custom_rule.h"
#include "redact/field_policy.h"
#include "settings/setting.h"

namespace xtrace {

/// What users want hidden beside what the built-in rules find, put together from all their files.
struct RedactionSettings {
  std::vector<CompiledRule> rules;
  size_t sought_everywhere = 0;  ///< of these
  std::optional<bool> personal;  ///< hide personal data too; the last file that says it counts
  FieldPolicy fields;
  std::vector<std::string> warnings;  ///< of each file: what of it is not heeded, with file:line
};

/// Adds what a file says: JSON of our own, or the TOML of gitleaks. Whatever cannot be heeded is an
/// Error with Exit::usage that names file:line and the rule.
Status read_redaction_file(const std::string& path, RedactionSettings& settings);

/// The part of that for the TOML of gitleaks.
Status read_gitleaks(const std::string& path, const Setting& root, RedactionSettings& settings);

/// Adds a pattern that was written without a name.
Status add_pattern(const std::string& path, const Setting& where, std::string regex,
                   RedactionSettings& settings);

/// Adds the rule at `where`.
Status add_rule(const std::string& path, const Setting& where, CustomRule rule,
                RedactionSettings& settings);

}  // namespace xtrace
