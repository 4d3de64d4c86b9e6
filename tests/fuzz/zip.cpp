#include <cstdio>
#include <cstdlib>

#include "base/file.h"
#include "fuzz/fuzz.h"
#include "input/bytes/zip_archive.h"
#include "reading.h"

using namespace xtrace;

namespace {

constexpr size_t kEnough = 4 << 20;

/// What is in the files of an archive, and what is wrong with each.
std::string unzip(const std::string& path, size_t size) {
  const File file = open_to_read(path).value();
  Result<ZipArchive> archive = ZipArchive::open(file, path, size);
  if (!archive) return archive.error().what;
  std::string all;
  for (const ZipArchive::Entry& entry : archive->entries()) {
    uint64_t unpacked = 0;
    const Result<std::string> damage = archive->read(entry, [&](std::string_view block) -> Status {
      unpacked += block.size();
      if (all.size() < kEnough) all += block;
      return {};
    });
    if (!damage) return all + damage.error().what;
    if (damage->empty() && unpacked != entry.unpacked_bytes) {
      std::fprintf(stderr, "a file without damage has another size than the table says\n");
      std::abort();
    }
    all += " | " + *damage + '\n';
  }
  return all;
}

}  // namespace

/// The same comes out of an archive each time, and a sound file has the size that the table states.
void xtrace::try_zip(std::string_view bytes) {
  Memory memory(bytes);
  if (unzip(memory.path(), bytes.size()) != unzip(memory.path(), bytes.size())) std::abort();
}
