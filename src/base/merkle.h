#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// A Merkle tree as RFC 6962 defines it, with SHA-256: 0x00 before a leaf, 0x01 before two halves,
/// of which the left one has as many leaves as the largest power of two that leaves the right one
/// some. Needs 32 bytes for each leaf.
class MerkleTree {
 public:
  void add(std::string_view leaf);
  size_t leaves() const { return hashes_.size() / kHashBytes; }
  /// Of all leaves, as 64 lower-case hexadecimal digits.
  std::string root() const;
  /// What shows that the leaf with this index is in the tree: the hashes of its siblings, from the
  /// leaf to the root, likewise.
  std::vector<std::string> proof(size_t leaf) const;

 private:
  static constexpr size_t kHashBytes = 32;

  std::string hashes_;  ///< of the leaves, one after another
};

/// The root that follows from a leaf, its index, the number of leaves and a proof; empty: the proof
/// is too short or too long.
std::string merkle_root(std::string_view leaf, size_t index, size_t leaves,
                        const std::vector<std::string>& proof);

}  // namespace xtrace
