#pragma once

#include <string>
#include <vector>

#include "keep/pack_files.h"

namespace xtrace {

/// What was found of an audit pack.
struct PackVerdict {
  std::string fault;  ///< the first one and its place; empty: whole and consistent
  size_t files = 0, inputs = 0;
  std::string root, version;         ///< as the manifest states them, where it can be read
  std::string made_at;               ///< likewise; empty: not stated
  std::vector<std::string> options;  ///< that make it again
};

/// Is the pack whole, and do its files agree? Needs no input. `root`: the Merkle root that it has
/// to have; empty: any.
PackVerdict check_pack(const PackFiles& files, const std::string& root);

/// The first file in which two packs differ, and where; empty: they are equal.
std::string first_difference(const PackFiles& pack, const PackFiles& again);

}  // namespace xtrace
