#include "input/parts/seal.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "base/file.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "base/text.h"

namespace xtrace {

namespace {

void sip_round(std::array<uint64_t, 4>& v) {
  v[0] += v[1], v[1] = std::rotl(v[1], 13), v[1] ^= v[0], v[0] = std::rotl(v[0], 32);
  v[2] += v[3], v[3] = std::rotl(v[3], 16), v[3] ^= v[2];
  v[0] += v[3], v[3] = std::rotl(v[3], 21), v[3] ^= v[0];
  v[2] += v[1], v[1] = std::rotl(v[1], 17), v[1] ^= v[2], v[2] = std::rotl(v[2], 32);
}

/// SipHash-2-4 of eight bytes.
uint64_t sip_hash(const std::array<uint64_t, 2>& key, uint64_t value) {
  std::array<uint64_t, 4> v = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
                               key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};
  for (const uint64_t word : {value, uint64_t{8} << 56}) {
    v[3] ^= word;
    sip_round(v), sip_round(v);
    v[0] ^= word;
  }
  v[2] ^= 0xff;
  for (int i = 0; i < 4; ++i) sip_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

std::array<uint64_t, 2> derived(std::string_view purpose, std::string_view key) {
  std::array<uint64_t, 2> made{};
  std::memcpy(made.data(), sha256_bytes_of(std::string(purpose) + std::string(key)).data(),
              sizeof made);
  return made;
}

tl::unexpected<Error> no_key(const std::string& path, std::string_view why) {
  return fail(
      Exit::usage,
      fmt::format(
          "--key {}: {}; create a key with (umask 077; head -c 32 /dev/urandom > xtrace.key)",
          printable(path), why));
}

}  // namespace

Seal::Seal(std::string_view key)
    : is_keyed_(true),
      hashes_(derived("xfacts hashes", key)),
      tokens_(derived("xfacts tokens", key)),
      key_id_(sha256_bytes_of("xfacts" + std::string(key)).substr(0, 8)) {}

uint64_t Seal::hash(uint64_t hash) const {
  if (!is_keyed_ || hash == 0) return hash;
  const uint64_t sealed = sip_hash(hashes_, hash);
  return sealed == 0 ? 1 : sealed;  // 0 is none
}

std::string Seal::token(std::string_view rule, std::string_view value) const {
  return hex(sip_hash(tokens_, chain(hash_of(rule), hash_of(value))));
}

Result<Seal> read_key(const std::string& path) {
  Result<File> file = open_regular(path);
  const std::optional<FileStatus> status = file ? file_status(file->fd()) : file_status(path);
  const bool is_folder = status && status->is_folder();
  if (!file) return no_key(path, is_folder ? "a folder" : "cannot be opened");
  if (!status) return no_key(path, "cannot be read");
  if ((status->permissions & 022) != 0) return no_key(path, "writable by other users");
  char bytes[Seal::kKeyBytes + 1];
  if (read_at(file->fd(), bytes, sizeof bytes, 0) != Seal::kKeyBytes)
    return no_key(path, "not 32 bytes");
  return Seal(std::string_view(bytes, Seal::kKeyBytes));
}

std::string hex_bytes(std::string_view bytes) {
  std::string text;
  for (char c : bytes) text += fmt::format("{:02x}", static_cast<uint8_t>(c));
  return text;
}

std::string warning_of_key(const std::string& path) {
  const std::optional<FileStatus> status = file_status(path);
  if (!status || !status->is_regular() || (status->permissions & 077) == 0) return {};
  return fmt::format("{}: other users can read the key (mode {:04o}); run chmod 600 {}",
                     printable(path), status->permissions, printable(path));
}

}  // namespace xtrace
