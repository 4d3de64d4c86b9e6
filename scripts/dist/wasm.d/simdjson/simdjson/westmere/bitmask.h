// In place of simdjson's file of this name, which multiplies without carries: WebAssembly has no such
// instruction.
#ifndef SIMDJSON_WESTMERE_BITMASK_H
#define SIMDJSON_WESTMERE_BITMASK_H

namespace simdjson {
namespace SIMDJSON_IMPLEMENTATION {
namespace {

/// Each bit becomes the parity of itself and all lower ones: what lies between quotes.
simdjson_inline uint64_t prefix_xor(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

}  // namespace
}  // namespace SIMDJSON_IMPLEMENTATION
}  // namespace simdjson

#endif
