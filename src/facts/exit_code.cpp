#include "facts/exit_code.h"

#include <algorithm>

#include "base/number.h"

namespace xtrace {

namespace {

/// What comes before the code: at the beginning of a line, or of the metadata in JSON.
constexpr std::string_view kBeforeCode[] = {
    "Exit code: ",    "Exit code ",   "Process exited with code ", "Command exited with code ",
    "\"exit_code\":", "Return code: "};

bool begins_line(std::string_view text, size_t at) {
  return at == 0 || text[at - 1] == '\n' || text[at] == '"';
}

}  // namespace

int exit_code_in(std::string_view output) {
  for (std::string_view words : kBeforeCode)
    for (size_t at = output.find(words); at != output.npos; at = output.find(words, at + 1)) {
      if (!begins_line(output, at)) continue;
      std::string_view code = output.substr(at + words.size());
      code = code.substr(0, code.find_first_not_of("0123456789"));
      if (const int known = number_of<int>(code).value_or(0); known != 0) return known;
    }
  return 0;
}

}  // namespace xtrace
