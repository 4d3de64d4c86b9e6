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

constexpr size_t kBytes = 32;  // of a hash

std::string_view hash_at(const std::string& level, size_t at) {
  return std::string_view(level).substr(at * kBytes, kBytes);
}

/// The hashes one level up. The last of an odd number goes up as it is, which makes the left half
/// of every tree a power of two.
std::string level_above(const std::string& level) {
  const size_t count = level.size() / kBytes;
  std::string above;
  above.reserve((count / 2 + 1) * kBytes);
  for (size_t i = 0; i + 1 < count; i += 2)
    above += hash_halves(hash_at(level, i), hash_at(level, i + 1));
  if (count % 2 == 1) above += hash_at(level, count - 1);
  return above;
}

}  // namespace

void MerkleTree::add(std::string_view leaf) {
  hashes_ += hash_leaf(leaf);
}

std::string MerkleTree::root() const {
  if (hashes_.empty()) return sha256_of("");
  std::string level = hashes_;
  while (level.size() > kBytes) level = level_above(level);
  return hex_digits(level);
}

std::vector<std::string> MerkleTree::proof(size_t leaf) const {
  std::vector<std::string> siblings;
  std::string level = hashes_;
  for (size_t at = leaf; level.size() > kBytes; at /= 2, level = level_above(level))
    if ((at ^ 1) < level.size() / kBytes) siblings.push_back(hex_digits(hash_at(level, at ^ 1)));
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
