#include "input/bytes/unnamed_copy.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>

#include "base/system.h"
#include "base/text.h"
#include "input/bytes/flow.h"

namespace xtrace {

namespace {

std::string temporary_folder() {
  const char* named = std::getenv("TMPDIR");
  return named == nullptr || *named == '\0' ? "/tmp" : named;
}

tl::unexpected<Error> cannot_keep(const std::string& path, const std::string& folder, int error) {
  std::string_view way_out = error == EMFILE || error == ENFILE
                                 ? "allow more open files (ulimit -n 4096), or unpack the archives "
                                   "and read the unpacked files"
                                 : "use a folder with more space (TMPDIR=FOLDER xtrace ...), or "
                                   "write the log to a file and read it";
  return fail(Exit::input,
              fmt::format("cannot keep a copy of '{}' in '{}': {}\n{}", printable(path),
                          printable(folder), std::strerror(error), way_out));
}

/// Each copy stays open, and there may be hundreds.
void allow_many_files() {
  static std::once_flag allowed;
  std::call_once(allowed, raise_open_file_limit);
}

}  // namespace

Result<File> create_unnamed_file(const std::string& path) {
  allow_many_files();
  std::string folder = temporary_folder();
  File file = make_nameless_file(folder);
  if (!file.is_open()) return cannot_keep(path, folder, errno);
  return file;
}

Status append_to(const File& copy, std::string_view bytes, const std::string& path) {
  if (write_all(copy.fd(), bytes)) return {};
  return cannot_keep(path, temporary_folder(), errno);
}

void read_in_place_of(Input& input, File&& made, uint64_t bytes) {
  if (!input.unpacked) input.unpacked = Unpacked{input.bytes, {}};
  input.bytes = bytes;
  input.changed = {};
  input.file = std::make_shared<const File>(std::move(made));
}

Result<std::optional<Error>> copy_to_unnamed_file(Input& input, bool digests, Progress& progress) {
  allow_many_files();
  std::string folder = temporary_folder();
  Result<std::shared_ptr<const File>> file = input.open();
  if (!file) return std::optional<Error>(file.error());
  std::unique_ptr<char[]> block = std::make_unique_for_overwrite<char[]>(kBlock);
  File copy;
  Status written;
  std::optional<Flow> flow;
  with_window(input, [&](int window_bits) {
    flow.emplace(input, *file, Flow::Options{digests, window_bits, &progress.bytes});
    copy = make_nameless_file(folder);
    if (!copy.is_open()) {
      written = cannot_keep(input.path, folder, errno);
      return false;
    }
    for (std::ptrdiff_t count; (count = flow->read(block.get(), kBlock)) > 0;) {
      std::string_view bytes(block.get(), static_cast<size_t>(count));
      if (!write_all(copy.fd(), bytes)) {
        written = cannot_keep(input.path, folder, errno);
        return false;
      }
      if (flow->compression() == Compression::none) progress.bytes += bytes.size();
    }
    return flow->wants_larger_window();
  });
  if (!written) return tl::unexpected(written.error());
  if (flow->error()) return flow->error();
  if (flow->compression() != Compression::none)
    input.unpacked = Unpacked{flow->bytes(), flow->damage()};
  input.sha256 = flow->sha256();
  input.compression = Compression::none;
  input.bytes = flow->unpacked_bytes();
  input.file = std::make_shared<const File>(std::move(copy));
  input.seekable = true;
  return std::optional<Error>();
}

}  // namespace xtrace
