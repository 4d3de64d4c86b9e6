#include "base/programs.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "base/parts.h"

namespace xtrace {

bool has_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  bool is_there = false;
  for_each_part(path != nullptr ? path : "", ':', [&](std::string_view folder) {
    is_there |= access((std::string(folder) + '/' + name).c_str(), X_OK) == 0;
  });
  return is_there;
}

}  // namespace xtrace
