#include "base/system_random.h"

#ifndef __wasi__
#include <sys/random.h>
#endif
#include <unistd.h>

namespace xtrace {

std::optional<std::string> random_bytes(size_t count) {
  std::string bytes(count, '\0');
  if (getentropy(bytes.data(), bytes.size()) != 0) return std::nullopt;
  return bytes;
}

}  // namespace xtrace
