#include "keep/pack_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

#include "base/deferred_signals.h"
#include "base/file.h"
#include "base/hex.h"
#include "base/system_random.h"
#include "base/text.h"

namespace xtrace {

namespace {

namespace fs = std::filesystem;

/// `pack` for `pack/`.
std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

Status write_file(const std::string& path, Readers readers, const std::string& bytes) {
  const int error =
      write_new(kCurrentFolder, path, readers, [&](std::ostream& out) { out << bytes; });
  return error == 0 ? Status() : cannot_write(path, error);
}

Status write_files(const fs::path& folder, Readers readers, const PackFiles& files) {
  std::error_code error;
  for (const auto& [name, bytes] : files) {
    const fs::path path = folder / name;
    fs::create_directories(path.parent_path(), error);
    if (error) return cannot_write(path.parent_path().string(), error.value());
    if (Status written = write_file(path.string(), readers, bytes); !written) return written;
  }
  return {};
}

Status write_folder(const std::string& path, Readers readers, const PackFiles& files) {
  uint64_t random = 0;
  const std::optional<std::string> bytes = random_bytes(sizeof random);
  if (!bytes) return cannot_write(path, errno);
  std::memcpy(&random, bytes->data(), sizeof random);
  const fs::path place(path);
  const fs::path beside =
      place.parent_path() / fmt::format(".{}.{}", place.filename().string(), hex(random));
  const DeferredSignals deferred;
  std::error_code error, ignored;
  fs::create_directories(beside, error);
  if (!error && readers == Readers::owner) fs::permissions(beside, fs::perms::owner_all, error);
  Status written = error ? cannot_write(path, error.value()) : write_files(beside, readers, files);
  if (written) {
    fs::rename(beside, place, error);
    if (error) written = cannot_write(path, error.value());
  }
  if (!written) fs::remove_all(beside, ignored);
  return written;
}

Result<std::string> read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) return cannot("read", path, errno);
  return std::move(bytes).str();
}

tl::unexpected<Error> not_a_file(const fs::path& path, std::string_view what) {
  return fail(Exit::no, fmt::format("{}: {}", printable(path.generic_string()), what));
}

Result<PackFiles> read_folder(const std::string& path) {
  PackFiles files;
  std::error_code error;
  fs::recursive_directory_iterator below(path, error), end;
  for (; !error && below != end; below.increment(error)) {
    const fs::path name = below->path().lexically_relative(path);
    std::error_code unknown;
    if (below->is_symlink(unknown)) return not_a_file(name, "a link, which a pack does not hold");
    if (below->is_directory(unknown)) {
      if (fs::is_empty(below->path(), unknown)) return not_a_file(name, "an empty folder");
      continue;
    }
    if (!below->is_regular_file(unknown)) return not_a_file(name, "not a regular file");
    if (fs::is_empty(below->path(), unknown)) {
      files.emplace(name.generic_string(), "");
      continue;
    }
    Result<std::string> bytes = read_whole(below->path().string());
    if (!bytes) return tl::unexpected(bytes.error());
    files.emplace(name.generic_string(), *std::move(bytes));
  }
  if (error) return cannot("read", path, error.value());
  return files;
}

}  // namespace

bool is_zip_name(std::string_view path) {
  return path.ends_with(".zip");
}

Status check_new_pack(const std::string& path) {
  std::error_code error;
  const std::string place = without_slash(path);
  if (!fs::exists(fs::symlink_status(place, error))) return {};
  return fail(Exit::output,
              fmt::format("'{}' already exists; a pack never replaces anything: remove it, or use "
                          "another name",
                          printable(path)));
}

Status write_pack(const std::string& path, Readers readers, const PackFiles& files) {
  const std::string place = without_slash(path);
  if (Status is_new = check_new_pack(place); !is_new) return is_new;
  if (!is_zip_name(place)) return write_folder(place, readers, files);
  const Result<std::string> zip = stored_zip(files);
  return zip ? write_file(place, readers, *zip) : tl::unexpected(zip.error());
}

Result<PackFiles> read_pack(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return cannot("open", path, ENOENT);
  if (fs::is_directory(status)) return read_folder(path);
  const Result<std::string> bytes = read_whole(path);
  return bytes ? read_stored_zip(*bytes) : tl::unexpected(bytes.error());
}

}  // namespace xtrace
