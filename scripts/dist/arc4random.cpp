// Replaces glibc's arc4random, which began with 2.36, in programs that include their libraries:
// libstdc++ of Debian 12 calls it for std::random_device, which Boost's WebSockets use, and the
// program would not start with glibc 2.35 (Ubuntu 22.04).
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/system_random.h"

extern "C" uint32_t arc4random() noexcept {
  uint32_t number = 0;
  const auto bytes = xtrace::random_bytes(sizeof number);
  if (!bytes)
    std::abort();  // arc4random has no way to fail, and a number that can be predicted is worse
  std::memcpy(&number, bytes->data(), sizeof number);
  return number;
}
