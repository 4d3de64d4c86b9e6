#include "base/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace xtrace {

void Sha256::add(std::string_view bytes) {
  const size_t begun = size_ % kSha256Block;
  size_ += bytes.size();
  if (begun > 0) {
    const size_t taken = std::min(bytes.size(), kSha256Block - begun);
    std::memcpy(begun_.data() + begun, bytes.data(), taken);
    bytes.remove_prefix(taken);
    if (begun + taken < kSha256Block) return;
    digest_blocks(begun_.data(), 1, state_);
  }
  const size_t whole = bytes.size() / kSha256Block;
  digest_blocks(bytes.data(), whole, state_);
  bytes.remove_prefix(whole * kSha256Block);
  std::copy(bytes.begin(), bytes.end(), begun_.begin());
}

std::string Sha256::bytes() const {
  Sha256 whole = *this;
  const uint64_t bits = size_ * 8;
  constexpr size_t kLength = sizeof bits;
  std::string end(1, '\x80');  // then zeros, and at the end of a block the length in bits
  end.resize(1 + (2 * kSha256Block - kLength - 1 - size_ % kSha256Block) % kSha256Block);
  for (size_t i = kLength; i-- > 0;) end += static_cast<char>(bits >> (8 * i));
  whole.add(end);
  std::string digest;
  for (const uint32_t word : whole.state_)
    for (int shift = 24; shift >= 0; shift -= 8) digest += static_cast<char>(word >> shift);
  return digest;
}

std::string Sha256::hex() const {
  std::string text;
  for (char byte : bytes()) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::string sha256_bytes_of(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.bytes();
}

std::string sha256_of(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.hex();
}

Result<std::string> sha256_of_file(const File& file, const std::string& path, uint64_t most_bytes) {
  constexpr size_t kBlock = 64 << 10;  // is hashed while it is still in the processor's cache
  std::unique_ptr<char[]> block = std::make_unique_for_overwrite<char[]>(kBlock);
  Sha256 digest;
  for (uint64_t at = 0; at < most_bytes;) {
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(kBlock, most_bytes - at));
    const std::optional<size_t> count = read_at(file.fd(), block.get(), wanted, at);
    if (!count) return cannot("read", path, errno);
    if (*count == 0) break;
    digest.add({block.get(), *count});
    at += *count;
  }
  return digest.hex();
}

Result<std::string> sha256_of_file(const std::string& path, uint64_t most_bytes) {
  Result<File> file = open_to_read(path);
  if (!file) return tl::unexpected(file.error());
  return sha256_of_file(*file, path, most_bytes);
}

}  // namespace xtrace
