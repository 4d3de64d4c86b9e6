#include "redact/redact.h"

#include <cstdlib>

#include "fuzz/fuzz.h"

/// Any text can be redacted, and what came out holds nothing more to redact.
void xtrace::try_redact(std::string_view bytes) {
  xtrace::Redactor redactor;
  std::string once = redactor.redact(bytes);
  if (redactor.redact(once) != once || !redactor.clean(once)) std::abort();
}
