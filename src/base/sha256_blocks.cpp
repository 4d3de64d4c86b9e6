#include "base/sha256_blocks.h"

#include <bit>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

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

alignas(16) constexpr std::array<uint32_t, 64> kRounds = root_fractions_of_primes<64>(3);

uint32_t big_endian(const char* bytes) {
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[i]);
  return word;
}

void digest_block(const char* block, Sha256State& state) {
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
  const Sha256State mixed = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < state.size(); ++i) state[i] += mixed[i];
}

#ifdef __x86_64__

bool has_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0 &&
         __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_1) != 0;
}

__m128i* words_at(uint32_t* at) {
  return reinterpret_cast<__m128i*>(at);
}

/// With the instructions that processors have for it, which take two of the eight words in an order
/// of their own: a, b, e and f, and c, d, g and h, the first one highest.
__attribute__((target("sha,sse4.1"))) void digest_by_instructions(const char* blocks, size_t count,
                                                                  Sha256State& state) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(words_at(&state[0])), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(words_at(&state[4])), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (; count > 0; --count, blocks += kSha256Block) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i words[4];
    for (size_t i = 0; i < 4; ++i)
      words[i] = _mm_shuffle_epi8(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks + 16 * i)), big_endian);
#pragma GCC unroll 16
    for (size_t i = 0; i < 16; ++i) {
      __m128i& four = words[i % 4];
      const __m128i last = words[(i + 3) % 4];
      const __m128i added =
          _mm_add_epi32(four, _mm_load_si128(reinterpret_cast<const __m128i*>(&kRounds[4 * i])));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
      const __m128i ninth = _mm_alignr_epi8(last, words[(i + 2) % 4], 4);
      four = _mm_sha256msg2_epu32(
          _mm_add_epi32(_mm_sha256msg1_epu32(four, words[(i + 1) % 4]), ninth), last);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(words_at(&state[0]), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(words_at(&state[4]), _mm_alignr_epi8(dchg, feba, 8));
}

#endif

}  // namespace

Sha256State begin_sha256() {
  static constexpr Sha256State kBegin = root_fractions_of_primes<8>(2);
  return kBegin;
}

void digest_blocks_by_words(const char* blocks, size_t count, Sha256State& state) {
  for (size_t i = 0; i < count; ++i) digest_block(blocks + i * kSha256Block, state);
}

void digest_blocks(const char* blocks, size_t count, Sha256State& state) {
#ifdef __x86_64__
  static const bool kHasInstructions = has_instructions();
  if (kHasInstructions) return digest_by_instructions(blocks, count, state);
#endif
  digest_blocks_by_words(blocks, count, state);
}

}  // namespace xtrace
