#include "base/merkle.h"

#include "base/sha256.h"

namespace xtrace {

namespace {

std::string hash_leaf(std::string_view leaf) {
  Sha256 hash;
  hash.add(std::string_view("\0", 1));
  hash.add(leaf);
  return hash.bytes();
}

std::string hash_halves(std::string_view left, std::string_view right) {
  Sha256 hash;
  hash.add("\1");
  hash.add(left);
  hash.add(right);
  return hash.bytes();
}

std::string hex_digits(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    digits += kDigits[value >> 4];
    digits += kDigits[value & 15];
  }
  return digits;
}

std::string bytes_of(std::string_view digits) {
  const auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
  return bytes;
}

/// The hashes one level up. The last of an odd number goes up as it is, which makes the left half
/// of every tree a power of two.
std::vector<std::string> level_above(const std::vector<std::string>& level) {
  std::vector<std::string> above;
  above.reserve(level.size() / 2 + 1);
  for (size_t i = 0; i + 1 < level.size(); i += 2)
    above.push_back(hash_halves(level[i], level[i + 1]));
  if (level.size() % 2 == 1) above.push_back(level.back());
  return above;
}

}  // namespace

void MerkleTree::add(std::string_view leaf) {
  hashes_.push_back(hash_leaf(leaf));
}

std::string MerkleTree::root() const {
  if (hashes_.empty()) return sha256_of("");
  std::vector<std::string> level = hashes_;
  while (level.size() > 1) level = level_above(level);
  return hex_digits(level.front());
}

std::vector<std::string> MerkleTree::proof(size_t leaf) const {
  std::vector<std::string> siblings;
  std::vector<std::string> level = hashes_;
  for (size_t at = leaf; level.size() > 1; at /= 2, level = level_above(level))
    if ((at ^ 1) < level.size()) siblings.push_back(hex_digits(level[at ^ 1]));
  return siblings;
}

std::string merkle_root(std::string_view leaf, size_t index, size_t leaves,
                        const std::vector<std::string>& proof) {
  std::string hash = hash_leaf(leaf);
  size_t used = 0;
  for (size_t at = index, count = leaves; count > 1; at /= 2, count = count / 2 + count % 2) {
    if ((at ^ 1) >= count) continue;
    if (used == proof.size()) return {};
    const std::string sibling = bytes_of(proof[used++]);
    hash = at % 2 == 1 ? hash_halves(sibling, hash) : hash_halves(hash, sibling);
  }
  return used == proof.size() ? hex_digits(hash) : std::string();
}

}  // namespace xtrace
