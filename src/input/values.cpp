#include "input/values.h"

namespace xtrace {

size_t ValueScanner::feed(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    char c = bytes[i];
    if (in_string_) {
      if (escaped_)
        escaped_ = false;
      else if (c == '\\')
        escaped_ = true;
      else if (c == '"')
        in_string_ = false;
      continue;
    }
    if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      opened_ = true;
      ++depth_;
    } else if ((c == '}' || c == ']') && depth_ > 0 && --depth_ == 0) {
      return i + 1;
    }
  }
  return bytes.size();
}

}  // namespace xtrace
