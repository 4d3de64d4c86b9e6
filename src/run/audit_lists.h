#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "keep/stored_zip.h"
#include "redact/canary.h"

namespace xtrace {

/// An input as the lists of a pack name it.
struct ListedInput {
  std::string path;  ///< its name, which passed the Door
  std::string format, sha256, records_root;
  uint64_t bytes = 0, records = 0, skipped = 0, lines = 0;
};

/// A question about a query, as words of a command line without inputs.
struct PackQuestion {
  std::string view, query;
  std::string why_not;  ///< it has no answer; empty: it has one
};

/// What the lists of a pack say beside the digests of its files.
struct PackFacts {
  std::vector<ListedInput> inputs;
  std::string level;
  std::string made_at;                        ///< empty: not stated
  std::vector<std::string> command;           ///< that makes the pack again, without inputs
  std::map<std::string, int64_t> redactions;  ///< by rule, of all files together
  std::vector<PackQuestion> questions;        ///< of its traces and answers
};

/// Adds manifest.json, SHA256SUMS and statement.json, which list all other files, and returns the
/// Merkle root.
std::string add_lists(const PackFacts& facts, PackFiles& files);

/// What was replaced, by which rules, and the result of the canary.
std::string redaction_json(const PackFacts& facts, const RedactPolicy& policy,
                           const Canary& canary);

/// The command lines that make the pack, check it, and make each trace and answer again, and those
/// that have no answer.
std::string reproduce_json(const PackFacts& facts, const std::vector<std::string>& options);

/// What a pack is and how it is checked, for whoever gets it.
std::string pack_readme(const PackFacts& facts, size_t queries);

}  // namespace xtrace
