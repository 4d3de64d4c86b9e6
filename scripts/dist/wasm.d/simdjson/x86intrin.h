// The instructions of SSE4.2 that simdjson's kernel `westmere` is made of, as WebAssembly's 128-bit SIMD has
// them: nearly each is one instruction of both. simdjson has no kernel for WebAssembly, and its portable one
// takes several times as long.
#ifndef XTRACE_X86INTRIN_H
#define XTRACE_X86INTRIN_H

#include <stdint.h>
#include <wasm_simd128.h>

// The names are those of Intel's headers.
using __m128i = v128_t;

#define XTRACE_SIMD static inline __attribute__((always_inline))

XTRACE_SIMD __m128i _mm_loadu_si128(const __m128i* from) { return wasm_v128_load(from); }
XTRACE_SIMD void _mm_storeu_si128(__m128i* to, __m128i a) { wasm_v128_store(to, a); }

XTRACE_SIMD __m128i _mm_setzero_si128() { return wasm_i64x2_const_splat(0); }
XTRACE_SIMD __m128i _mm_set1_epi8(int a) { return wasm_i8x16_splat(static_cast<int8_t>(a)); }
XTRACE_SIMD __m128i _mm_set_epi64x(int64_t high, int64_t low) { return wasm_i64x2_make(low, high); }
XTRACE_SIMD __m128i _mm_set_epi32(int d, int c, int b, int a) { return wasm_i32x4_make(a, b, c, d); }
XTRACE_SIMD __m128i _mm_setr_epi16(int a, int b, int c, int d, int e, int f, int g, int h) {
  const auto word = [](int value) { return static_cast<int16_t>(value); };
  return wasm_i16x8_make(word(a), word(b), word(c), word(d), word(e), word(f), word(g), word(h));
}
XTRACE_SIMD __m128i _mm_setr_epi8(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l,
                                  int m, int n, int o, int p) {
  const auto byte = [](int value) { return static_cast<int8_t>(value); };
  return wasm_i8x16_make(byte(a), byte(b), byte(c), byte(d), byte(e), byte(f), byte(g), byte(h), byte(i), byte(j),
                         byte(k), byte(l), byte(m), byte(n), byte(o), byte(p));
}
XTRACE_SIMD int _mm_cvtsi128_si32(__m128i a) { return wasm_i32x4_extract_lane(a, 0); }

XTRACE_SIMD __m128i _mm_or_si128(__m128i a, __m128i b) { return wasm_v128_or(a, b); }
XTRACE_SIMD __m128i _mm_and_si128(__m128i a, __m128i b) { return wasm_v128_and(a, b); }
XTRACE_SIMD __m128i _mm_xor_si128(__m128i a, __m128i b) { return wasm_v128_xor(a, b); }
XTRACE_SIMD __m128i _mm_andnot_si128(__m128i a, __m128i b) { return wasm_v128_andnot(b, a); }
XTRACE_SIMD bool _mm_testz_si128(__m128i a, __m128i b) { return !wasm_v128_any_true(wasm_v128_and(a, b)); }
XTRACE_SIMD int _mm_movemask_epi8(__m128i a) { return static_cast<int>(wasm_i8x16_bitmask(a)); }

XTRACE_SIMD __m128i _mm_cmpeq_epi8(__m128i a, __m128i b) { return wasm_i8x16_eq(a, b); }
XTRACE_SIMD __m128i _mm_cmpgt_epi8(__m128i a, __m128i b) { return wasm_i8x16_gt(a, b); }
XTRACE_SIMD __m128i _mm_max_epi8(__m128i a, __m128i b) { return wasm_i8x16_max(a, b); }
XTRACE_SIMD __m128i _mm_min_epi8(__m128i a, __m128i b) { return wasm_i8x16_min(a, b); }
XTRACE_SIMD __m128i _mm_max_epu8(__m128i a, __m128i b) { return wasm_u8x16_max(a, b); }
XTRACE_SIMD __m128i _mm_min_epu8(__m128i a, __m128i b) { return wasm_u8x16_min(a, b); }

XTRACE_SIMD __m128i _mm_add_epi8(__m128i a, __m128i b) { return wasm_i8x16_add(a, b); }
XTRACE_SIMD __m128i _mm_sub_epi8(__m128i a, __m128i b) { return wasm_i8x16_sub(a, b); }
XTRACE_SIMD __m128i _mm_adds_epu8(__m128i a, __m128i b) { return wasm_u8x16_add_sat(a, b); }
XTRACE_SIMD __m128i _mm_subs_epu8(__m128i a, __m128i b) { return wasm_u8x16_sub_sat(a, b); }
XTRACE_SIMD __m128i _mm_srli_epi16(__m128i a, int bits) { return wasm_u16x8_shr(a, static_cast<uint32_t>(bits)); }
XTRACE_SIMD __m128i _mm_slli_epi16(__m128i a, int bits) { return wasm_i16x8_shl(a, static_cast<uint32_t>(bits)); }
XTRACE_SIMD __m128i _mm_madd_epi16(__m128i a, __m128i b) { return wasm_i32x4_dot_i16x8(a, b); }
XTRACE_SIMD __m128i _mm_packus_epi32(__m128i a, __m128i b) { return wasm_u16x8_narrow_i32x4(a, b); }
/// Products of unsigned bytes of a and signed ones of b; the sums of neighbours.
XTRACE_SIMD __m128i _mm_maddubs_epi16(__m128i a, __m128i b) {
  const v128_t even_a = wasm_v128_and(a, wasm_i16x8_const_splat(0xff)), odd_a = wasm_u16x8_shr(a, 8);
  const v128_t even_b = wasm_i16x8_shr(wasm_i16x8_shl(b, 8), 8), odd_b = wasm_i16x8_shr(b, 8);
  return wasm_i16x8_add_sat(wasm_i16x8_mul(even_a, even_b), wasm_i16x8_mul(odd_a, odd_b));
}

/// Of an index, SSE looks at the sign, which means 0, and the lowest four bits; WebAssembly gives 0 for all
/// beyond 15.
XTRACE_SIMD __m128i _mm_shuffle_epi8(__m128i table, __m128i indexes) {
  return wasm_i8x16_swizzle(table, wasm_v128_and(indexes, wasm_i8x16_const_splat(static_cast<int8_t>(0x8f))));
}

/// 16 bytes of low and high one after the other, from `from` on: a constant, or it could not be an index.
#define _mm_alignr_epi8(high, low, from)                                                                       \
  wasm_i8x16_shuffle(static_cast<v128_t>(low), static_cast<v128_t>(high), (from), (from) + 1, (from) + 2,     \
                     (from) + 3, (from) + 4, (from) + 5, (from) + 6, (from) + 7, (from) + 8, (from) + 9,      \
                     (from) + 10, (from) + 11, (from) + 12, (from) + 13, (from) + 14, (from) + 15)

XTRACE_SIMD long long _popcnt64(uint64_t a) { return __builtin_popcountll(a); }

#endif
