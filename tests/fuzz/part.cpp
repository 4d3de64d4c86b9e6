#include "base/sha256.h"
#include "fuzz/fuzz.h"
#include "input/load.h"
#include "input/parts/part_set.h"

/// Whatever stands where a part is expected, it is refused or answered. The checksum is put right,
/// as it keeps out nearly all of what could go wrong behind it.
void xtrace::try_part(std::string_view text) {
  constexpr size_t kSum = 32;
  std::string part(text.substr(0, text.size() < kSum ? 0 : text.size() - kSum));
  part += sha256_bytes_of(part);
  for (const std::string_view tried : {text, std::string_view(part)}) {
    Result<FactsPart> read = read_part(tried, "part");
    PartSet set;
    if (read && set.add(*std::move(read), "part") && set.settle(true))
      complete(merge(std::move(set.shards()), std::move(set.sources())));
  }
}
