#include "base/merkle.h"

#include <catch2/catch.hpp>
#include <string>

#include "base/sha256.h"

using namespace xtrace;

namespace {

MerkleTree tree_of(size_t leaves) {
  MerkleTree tree;
  for (size_t i = 0; i < leaves; ++i) tree.add("leaf " + std::to_string(i));
  return tree;
}

}  // namespace

TEST_CASE("the root of no leaves is the digest of nothing") {
  CHECK(MerkleTree().root() == sha256_of(""));
}

TEST_CASE("roots are those of RFC 6962's test vectors") {
  // https://github.com/google/certificate-transparency: the leaves and roots of its tests.
  MerkleTree tree;
  tree.add("");
  CHECK(tree.root() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
  tree.add(std::string(1, '\0'));
  CHECK(tree.root() == "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125");
  tree.add("\x10");
  CHECK(tree.root() == "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77");
}

TEST_CASE("a proof leads from each leaf to the root") {
  for (size_t leaves = 1; leaves <= 20; ++leaves) {
    const MerkleTree tree = tree_of(leaves);
    for (size_t i = 0; i < leaves; ++i) {
      const std::vector<std::string> proof = tree.proof(i);
      CHECK(merkle_root("leaf " + std::to_string(i), i, leaves, proof) == tree.root());
      CHECK(merkle_root("another leaf", i, leaves, proof) != tree.root());
    }
  }
}

TEST_CASE("a proof of another length leads nowhere") {
  std::vector<std::string> proof = tree_of(6).proof(2);
  proof.pop_back();
  CHECK(merkle_root("leaf 2", 2, 6, proof).empty());
  proof.resize(5, std::string(64, '0'));
  CHECK(merkle_root("leaf 2", 2, 6, proof).empty());
}
