#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "fuzz/fuzz.h"
#include "input/common/format.h"

using namespace xtrace;

namespace {

struct Harness {
  std::string_view name;
  void (*attempt)(std::string_view bytes);
};

constexpr Harness kHarnesses[] = {
    {"archive", try_archive},
    {"document", try_document},
    {"mcp", try_mcp},
    {"part", try_part},
    {"redact", try_redact},
    {"serve", try_serve},
    {"settings", try_settings},
    {"zip", try_zip},
    {"shard_plan", try_shard_plan},
    {"any", [](std::string_view bytes) { try_log(bytes, nullptr); }},
};

/// What XTRACE_FUZZ names, if it is no format of logs.
const Harness* chosen_harness(const char* name) {
  const Harness* found = std::find_if(std::begin(kHarnesses), std::end(kHarnesses),
                                      [&](const Harness& one) { return one.name == name; });
  if (found != std::end(kHarnesses)) return found;
  if (find_format(name) != nullptr) return nullptr;
  std::fprintf(stderr, "XTRACE_FUZZ: there is no harness and no format '%s'\n", name);
  std::exit(2);
}

const char* chosen_name() {
  const char* name = std::getenv("XTRACE_FUZZ");
  return name == nullptr ? "any" : name;
}

}  // namespace

/// What libFuzzer calls, and replay.cpp in its place.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const char* const name = chosen_name();
  static const Harness* const harness = chosen_harness(name);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (harness != nullptr)
    harness->attempt(text);
  else
    try_log(text, name);
  return 0;
}
