#include "keep/private_file.h"

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/system.h"

namespace xtrace {

namespace {

constexpr unsigned kOwnerOnly = 0600, kOthersWrite = 022;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

}  // namespace

std::string cache_folder() {
  // A relative path is invalid by the XDG Base Directory Specification.
  if (const std::string caches = variable("XDG_CACHE_HOME"); caches.starts_with('/'))
    return caches + "/xtrace";
  const std::string home = variable("HOME");
  return home.empty() ? std::string() : home + "/.cache/xtrace";
}

std::optional<std::string> read_private(const std::string& path) {
  const Result<File> file = open_regular(path);
  if (!file) return std::nullopt;
  const std::optional<FileStatus> status = file_status(file->fd());
  if (!status || (status->permissions & kOthersWrite) != 0) return std::nullopt;
  std::string bytes(status->bytes, '\0');
  const std::optional<size_t> read = read_at(file->fd(), bytes.data(), bytes.size(), 0);
  if (!read || *read != bytes.size()) return std::nullopt;
  return bytes;
}

bool write_private(const std::string& path, std::string_view bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  TemporaryFile file(kCurrentFolder, path);
  // Before there is anything to read in it.
  return file.fd() >= 0 && set_permissions(file.fd(), kOwnerOnly) && write_all(file.fd(), bytes) &&
         file.become(path);
}

}  // namespace xtrace
