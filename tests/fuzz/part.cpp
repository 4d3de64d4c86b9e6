#include <algorithm>
#include <cstdlib>

#include "fuzz/fuzz.h"
#include "input/load.h"
#include "input/parts/part_set.h"

/// Whatever stands where a part is expected, it is refused or answered. Bytes that are no part are
/// taken for what stands in one, as a checksum keeps out nearly all of what could go wrong there.
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace xtrace;
  const std::string_view text = text_of(bytes, size);
  Result<Part> part = read_part(text, "part");
  if (!part) {
    constexpr size_t kHead = 24;
    part = Part{};
    part->program = "0";
    part->shards.emplace_back(std::string(text.substr(is_part(text) ? std::min(kHead, size) : 0)));
  }
  PartSet set;
  if (!set.add(*std::move(part), "part") || !set.settle(true)) return 0;
  complete(merge(std::move(set.shards()), std::move(set.sources())));
  return 0;
}
