#pragma once

#include <cstdint>

namespace xtrace {

/// The same numbers on every machine.
class RandomNumbers {
 public:
  explicit RandomNumbers(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 0x7f4a7c15) {}
  uint64_t next() {  // splitmix64
    uint64_t x = state_ += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  /// From 0 to below 1.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }

 private:
  uint64_t state_;
};

}  // namespace xtrace
