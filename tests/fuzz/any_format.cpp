#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  xtrace::try_log(xtrace::text_of(bytes, size), nullptr);
  return 0;
}
