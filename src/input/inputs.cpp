#include "input/inputs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/text.h"

namespace xtrace {

namespace fs = std::filesystem;

namespace {

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
      inputs.push_back({entry.string(), error ? 0 : bytes, true, false, nullptr});
    }
  }
  return {};
}

/// A log that a shell opened (`< logs.jsonl`) is a file like any other, if we are its first reader.
Input standard_input() {
  Input input{"-", 0, false, true, std::make_shared<File>(STDIN_FILENO)};
  struct stat status {};
  if (fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0 ||
      lseek(STDIN_FILENO, 0, SEEK_CUR) != 0)
    return input;
  input.seekable = true;
  input.bytes = static_cast<uint64_t>(status.st_size);
  // Whoever comes after us finds it read, as if it had been a pipe.
  lseek(STDIN_FILENO, status.st_size, SEEK_SET);
  return input;
}

Status add(const std::string& path, std::vector<Input>& inputs) {
  struct stat status {};
  if (path == "-") {
    inputs.push_back(standard_input());
    return {};
  }
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
  // Files that the kernel makes up have no size before they are read.
  bool seekable = S_ISREG(status.st_mode) && status.st_size > 0;
  Input input{path, static_cast<uint64_t>(seekable ? status.st_size : 0), seekable, true, nullptr};
  if (!seekable) input.file = std::make_shared<File>(*std::move(file));
  inputs.push_back(std::move(input));
  return {};
}

}  // namespace

Result<std::shared_ptr<const File>> Input::open() const {
  if (file != nullptr) return file;
  Result<File> opened = open_to_read(path);
  if (!opened) return tl::unexpected(opened.error());
  return std::make_shared<const File>(*std::move(opened));
}

Result<std::vector<Input>> find_inputs(const std::vector<std::string>& paths) {
  std::vector<Input> inputs;
  for (const std::string& path : paths)
    if (Status added = add(path, inputs); !added) return tl::unexpected(added.error());
  return inputs;
}

}  // namespace xtrace
