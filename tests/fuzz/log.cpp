#include <cstdio>
#include <cstdlib>

#include "fuzz/fuzz.h"
#include "input/common/format.h"

namespace {

/// The format that XTRACE_FUZZ_FORMAT names; nullptr: whatever it looks like.
const char* format_to_read() {
  const char* name = std::getenv("XTRACE_FUZZ_FORMAT");
  if (name == nullptr || std::string_view(name) == "any") return nullptr;
  if (xtrace::find_format(name) == nullptr) {
    std::fprintf(stderr, "there is no format %s\n", name);
    std::exit(2);
  }
  return name;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const char* const format = format_to_read();
  xtrace::try_log(xtrace::text_of(bytes, size), format);
  return 0;
}
