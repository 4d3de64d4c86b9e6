/* Functions of wasi-libc that logs by the gigabyte wait for, in 16 bytes a step where it takes one or four;
   and a heap that grows by a quarter, where it asks the host for each 64 kB. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wasm_simd128.h>

enum { kStep = 16, kPage = 1 << 16, kLeast = 1 << 20 };

/* The first place of these bits in 16 bytes. */
static size_t first_of(uint32_t bits) { return (size_t)__builtin_ctz(bits); }

static uint32_t equal_bytes(const unsigned char* at, v128_t wanted) {
  return wasm_i8x16_bitmask(wasm_i8x16_eq(wasm_v128_load(at), wanted));
}

void* memchr(const void* bytes, int wanted, size_t count) {
  const unsigned char* at = bytes;
  /* strnlen() may be told to look as far as there are numbers: all memory after `at` is enough. */
  const size_t room = __builtin_wasm_memory_size(0) * (size_t)kPage - (uintptr_t)at;
  if (count > room) count = room;
  if (count < kStep) {
    for (; count > 0; ++at, --count)
      if (*at == (unsigned char)wanted) return (void*)at;
    return NULL;
  }
  const v128_t all = wasm_i8x16_splat((int8_t)wanted);
  const unsigned char* last = at + count - kStep; /* where the last whole step begins */
  for (; at < last; at += kStep) {
    const uint32_t found = equal_bytes(at, all);
    if (found != 0) return (void*)(at + first_of(found));
  }
  const uint32_t found = equal_bytes(last, all); /* may look at some bytes again */
  return found != 0 ? (void*)(last + first_of(found)) : NULL;
}

int memcmp(const void* a, const void* b, size_t count) {
  const unsigned char *left = a, *right = b;
  for (; count >= kStep; left += kStep, right += kStep, count -= kStep) {
    const uint32_t differ = wasm_i8x16_bitmask(wasm_i8x16_ne(wasm_v128_load(left), wasm_v128_load(right)));
    if (differ != 0) return left[first_of(differ)] - right[first_of(differ)];
  }
  for (; count > 0; ++left, ++right, --count)
    if (*left != *right) return *left - *right;
  return 0;
}

/* Memory in use ends here; what the host gave beyond that is for the next calls. Requires: the allocator asks
   for whole pages, and gives none back. */
void* sbrk(intptr_t more) {
  static uintptr_t end = 0;
  const uintptr_t have = __builtin_wasm_memory_size(0) * (uintptr_t)kPage;
  if (end == 0) end = have;
  if (more < 0) __builtin_trap();
  const uintptr_t added = (uintptr_t)more;
  if (added > have - end) {
    const uintptr_t needed = (added - (have - end) + kPage - 1) / kPage;
    uintptr_t wanted = have / 4 > kLeast ? have / 4 / kPage : kLeast / kPage;
    if (wanted < needed) wanted = needed;
    const bool has_grown = __builtin_wasm_memory_grow(0, wanted) != SIZE_MAX ||
                           __builtin_wasm_memory_grow(0, needed) != SIZE_MAX;
    if (!has_grown) {
      errno = ENOMEM;
      return (void*)-1;
    }
  }
  void* begin = (void*)end;
  end += added;
  return begin;
}
