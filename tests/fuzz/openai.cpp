#include "fuzz/fuzz.h"

/// The vendor shows inside the envelopes, so the format is left to be found.
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  xtrace::try_log(xtrace::text_of(bytes, size), nullptr);
  return 0;
}
