#include "base/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

namespace xtrace {

namespace {

/// A digest that was not computed must never look like one: only a broken libcrypto comes here.
void demand(int succeeded) {
  if (succeeded != 1) throw std::runtime_error("libcrypto cannot compute SHA-256");
}

}  // namespace

void Sha256::Free::operator()(EVP_MD_CTX* state) const {
  EVP_MD_CTX_free(state);
}

Sha256::Sha256() : state_(EVP_MD_CTX_new()) {
  demand(state_ != nullptr && EVP_DigestInit_ex(state_.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::add(std::string_view bytes) {
  demand(EVP_DigestUpdate(state_.get(), bytes.data(), bytes.size()));
}

std::string Sha256::bytes() const {
  std::unique_ptr<EVP_MD_CTX, Free> copy(EVP_MD_CTX_new());
  std::string digest(32, '\0');
  demand(copy != nullptr && EVP_MD_CTX_copy_ex(copy.get(), state_.get()) == 1);
  demand(EVP_DigestFinal_ex(copy.get(), reinterpret_cast<unsigned char*>(digest.data()), nullptr));
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
