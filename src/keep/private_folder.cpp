#include "keep/private_folder.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <tuple>
#include <vector>

#include "base/system_private.h"
#include "base/variable.h"
#include "keep/output.h"

namespace xtrace {

namespace {

constexpr unsigned kOwnFile = 0600, kOwnFolder = 0700, kAllOthers = 077;

/// Opens the last folder of a path, which must be one itself.
File open_own_folder(const std::string& path) {
  const size_t name = path.rfind('/') + 1;
  const File parent = open_file(name > 1 ? path.substr(0, name - 1) : ".", Access::list);
  if (!parent.is_open()) return File();
  File folder = open_folder(parent.fd(), path.substr(name));
  return folder.is_open() && is_private(folder.fd()) ? std::move(folder) : File();
}

struct OldFile {
  FileTime changed;
  std::string name;
  uint64_t bytes = 0;
};

}  // namespace

std::string cache_folder() {
  // A relative path is invalid by the XDG Base Directory Specification.
  if (const std::string_view caches = variable("XDG_CACHE_HOME"); caches.starts_with('/'))
    return std::string(caches) + "/xtrace";
  const std::string_view home = variable("HOME");
  return home.starts_with('/') ? std::string(home) + "/.cache/xtrace" : std::string();
}

bool is_cache_turned_off() {
  return variable("XTRACE_CACHE") == "off";
}

std::optional<PrivateFolder> PrivateFolder::open(const std::string& path) {
  File folder = path.empty() ? File() : open_own_folder(path);
  if (!folder.is_open()) return std::nullopt;
  return PrivateFolder(std::move(folder));
}

std::optional<PrivateFolder> PrivateFolder::make(const std::string& path) {
  if (path.empty()) return std::nullopt;
  const std::filesystem::path folder_of_user =
      std::filesystem::path(path).parent_path().parent_path();
  std::error_code error;
  if (!std::filesystem::is_directory(folder_of_user, error)) return std::nullopt;
  std::filesystem::create_directories(path, error);
  std::optional<PrivateFolder> folder = open(path);
  if (!folder) return std::nullopt;
  const std::optional<FileStatus> status = file_status(folder->folder_.fd());
  const bool shows_others = !status || (status->permissions & kAllOthers) != 0;
  if (shows_others && !set_permissions(folder->folder_.fd(), kOwnFolder)) return std::nullopt;
  return folder;
}

std::optional<std::string> PrivateFolder::read(const std::string& name, uint64_t most) const {
  const File file = open_entry(folder_.fd(), name);
  if (!file.is_open() || !is_private(file.fd())) return std::nullopt;
  const std::optional<FileStatus> status = file_status(file.fd());
  if (!status || status->bytes > most) return std::nullopt;
  std::string bytes(status->bytes, '\0');
  const std::optional<size_t> read = read_at(file.fd(), bytes.data(), bytes.size(), 0);
  if (!read || *read != bytes.size()) return std::nullopt;
  return bytes;
}

bool PrivateFolder::write(const std::string& name, std::string_view bytes) const {
  return write_whole(folder_.fd(), name, Readers::owner,
                     [&](std::ostream& out) { out << bytes; }) == 0;
}

bool PrivateFolder::can_write() const {
  return TemporaryFile(folder_.fd(), "probe", kOwnFile).fd() >= 0;
}

void PrivateFolder::bound(std::string_view prefix, FolderSize most) const {
  const std::optional<std::vector<std::string>> names = list_folder(folder_.fd());
  if (!names) return;
  std::vector<OldFile> files;
  FolderSize size;
  // A process that was killed leaves a hidden file that never took its name.
  const std::string hidden = '.' + std::string(prefix);
  for (const std::string& name : *names) {
    if (!name.starts_with(prefix) && !name.starts_with(hidden)) continue;
    const std::optional<FileStatus> status = entry_status(folder_.fd(), name);
    if (!status || !status->is_regular()) continue;
    files.push_back({status->changed, name, status->bytes});
    ++size.files;
    size.bytes += status->bytes;
  }
  std::ranges::sort(files, {}, [](const OldFile& file) {
    return std::tuple(file.changed.seconds, file.changed.nanoseconds, file.name);
  });
  for (const OldFile& file : files) {
    if (size.files <= most.files && size.bytes <= most.bytes) return;
    remove_entry(folder_.fd(), file.name);
    --size.files;
    size.bytes -= file.bytes;
  }
}

FolderSize PrivateFolder::size() const {
  FolderSize size;
  for (const std::string& name : list_folder(folder_.fd()).value_or(std::vector<std::string>())) {
    const std::optional<FileStatus> status = entry_status(folder_.fd(), name);
    if (!status || !status->is_regular()) continue;
    ++size.files;
    size.bytes += status->bytes;
  }
  return size;
}

}  // namespace xtrace
