#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace xtrace {

/// Makes ids printable and not too long; two that look the same afterwards stay apart: `a`, `a~2`.
class UniqueIds {
 public:
  std::string printed(std::string_view id);

 private:
  std::unordered_map<std::string, size_t> taken_;  ///< and the number the next copy gets
};

}  // namespace xtrace
