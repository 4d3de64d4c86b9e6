#include "redact/redact.h"

#include <cstdlib>

#include "fuzz/fuzz.h"

/// Any text can be redacted, and what came out holds nothing more to redact.
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  xtrace::Redactor redactor;
  std::string once = redactor.redact(xtrace::text_of(bytes, size));
  if (redactor.redact(once) != once || !redactor.clean(once)) std::abort();
  return 0;
}
