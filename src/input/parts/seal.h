#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace xtrace {

/// How what must not be guessed is written into a part: hashes of texts, and what represents hidden
/// values. Without a key whoever has the part may try texts until one has the hash.
class Seal {
 public:
  static constexpr size_t kKeyBytes = 32;

  Seal() = default;  ///< open
  /// Of the bytes of a key.
  explicit Seal(std::string_view key);

  bool is_keyed() const { return is_keyed_; }
  /// Tells keys apart and says nothing of them; zeros: there is none.
  const std::string& key_id() const { return key_id_; }
  /// Of a hash; of none, none.
  uint64_t hash(uint64_t hash) const;
  /// What is said of a value in place of it: equal for equal values of one rule.
  std::string token(std::string_view rule, std::string_view value) const;

 private:
  using Key = std::array<uint64_t, 2>;

  bool is_keyed_ = false;
  Key hashes_{}, tokens_{};
  std::string key_id_ = std::string(8, '\0');
};

/// Reads a key: a file of 32 bytes that nobody else may read. Exit::usage says how to make one.
Result<Seal> read_key(const std::string& path);

/// As hexadecimal digits: of the id of a key.
std::string hex_bytes(std::string_view bytes);
/// What is to be said of a key that others may read; empty: nothing.
std::string warning_of_key(const std::string& path);

}  // namespace xtrace
