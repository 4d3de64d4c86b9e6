#include "base/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>

namespace xtrace {

namespace {

__extension__ using Wide = unsigned __int128;

/// The first 32 fractional bits of the `power`-th root of a number, which FIPS 180-4 (§4.2.2,
/// §5.3.3) uses as constants that hide nothing.
constexpr uint32_t root_fraction(uint32_t number, int power) {
  uint64_t root = 0;  // of number * 2^(32 * power), which is 2^32 times that of the number
  for (uint64_t bit = uint64_t{1} << 36; bit != 0; bit >>= 1) {
    const Wide tried = root | bit;
    if ((power == 2 ? tried * tried : tried * tried * tried) <= Wide{number} << (32 * power))
      root |= bit;
  }
  return static_cast<uint32_t>(root);
}

template <size_t kCount>
constexpr std::array<uint32_t, kCount> root_fractions_of_primes(int power) {
  std::array<uint32_t, kCount> fractions{};
  uint32_t number = 1;
  for (uint32_t& fraction : fractions) {
    const auto is_prime = [](uint32_t of) {
      for (uint32_t by = 2; by * by <= of; ++by)
        if (of % by == 0) return false;
      return true;
    };
    do ++number;
    while (!is_prime(number));
    fraction = root_fraction(number, power);
  }
  return fractions;
}

constexpr std::array<uint32_t, 64> kRounds = root_fractions_of_primes<64>(3);

uint32_t big_endian(const char* bytes) {
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[i]);
  return word;
}

}  // namespace

Sha256::Sha256() {
  static constexpr State kBegin = root_fractions_of_primes<8>(2);
  state_ = kBegin;
}

void Sha256::digest_block(const char* block, State& state) {
  std::array<uint32_t, 64> words;
  for (size_t i = 0; i < 16; ++i) words[i] = big_endian(block + 4 * i);
  for (size_t i = 16; i < 64; ++i) {
    const uint32_t two_before = words[i - 2], fifteen_before = words[i - 15];
    words[i] =
        words[i - 16] + words[i - 7] +
        (std::rotr(fifteen_before, 7) ^ std::rotr(fifteen_before, 18) ^ fifteen_before >> 3) +
        (std::rotr(two_before, 17) ^ std::rotr(two_before, 19) ^ two_before >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t i = 0; i < 64; ++i) {
    const uint32_t chosen = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    const uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + chosen +
                           kRounds[i] + words[i];
    const uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const State mixed = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < state.size(); ++i) state[i] += mixed[i];
}

void Sha256::add(std::string_view bytes) {
  const size_t begun = size_ % kBlock;
  size_ += bytes.size();
  if (begun > 0) {
    const size_t taken = std::min(bytes.size(), kBlock - begun);
    std::memcpy(begun_.data() + begun, bytes.data(), taken);
    bytes.remove_prefix(taken);
    if (begun + taken < kBlock) return;
    digest_block(begun_.data(), state_);
  }
  for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) digest_block(bytes.data(), state_);
  std::copy(bytes.begin(), bytes.end(), begun_.begin());
}

std::string Sha256::bytes() const {
  Sha256 whole = *this;
  const uint64_t bits = size_ * 8;
  constexpr size_t kLength = sizeof bits;
  std::string end(1, '\x80');  // then zeros, and at the end of a block the length in bits
  end.resize(1 + (2 * kBlock - kLength - 1 - size_ % kBlock) % kBlock);
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
