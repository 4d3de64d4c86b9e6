#include "input/inputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/text.h"

namespace xtrace {

namespace fs = std::filesystem;

File& File::operator=(File&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

File::~File() {
  if (fd_ > STDERR_FILENO) close(fd_);
}

namespace {

tl::unexpected<Error> cannot(const char* verb, const std::string& path, int error) {
  return fail(Exit::input,
              fmt::format("cannot {} '{}': {}", verb, printable(path), std::strerror(error)));
}

Status add_folder(const std::string& folder, std::vector<Input>& inputs) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (!at->path().filename().string().starts_with(".")) entries.push_back(at->path());
  if (error) return cannot("read the folder", folder, error.value());
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    // A link to a folder could lead back up; one to a file cannot.
    if (fs::is_directory(fs::symlink_status(entry, error))) {
      if (Status added = add_folder(entry.string(), inputs); !added) return added;
    } else if (fs::is_regular_file(entry, error)) {
      uint64_t bytes = fs::file_size(entry, error);
      inputs.push_back({entry.string(), error ? 0 : bytes, true, false, File()});
    }
  }
  return {};
}

Status add(const std::string& path, std::vector<Input>& inputs) {
  if (path == "-") {
    inputs.push_back({path, 0, false, true, File(STDIN_FILENO)});
    return {};
  }
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return cannot("open", path, errno);
  if (S_ISDIR(status.st_mode)) {
    size_t before = inputs.size();
    if (Status added = add_folder(path, inputs); !added) return added;
    if (inputs.size() == before)
      return fail(Exit::input, fmt::format("there is no file below '{}'", printable(path)));
    return {};
  }
  Result<File> file = open_to_read(path);
  if (!file) return tl::unexpected(file.error());
  bool seekable = S_ISREG(status.st_mode);
  inputs.push_back({path, static_cast<uint64_t>(seekable ? status.st_size : 0), seekable, true,
                    seekable ? File() : *std::move(file)});
  return {};
}

}  // namespace

Result<File> open_to_read(const std::string& path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot("open", path, errno);
  return File(fd);
}

Result<std::vector<Input>> find_inputs(const std::vector<std::string>& paths) {
  std::vector<Input> inputs;
  for (const std::string& path : paths)
    if (Status added = add(path, inputs); !added) return tl::unexpected(added.error());
  return inputs;
}

}  // namespace xtrace
