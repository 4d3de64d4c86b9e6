#include "input/bytes/inputs.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "base/one_of.h"
#include "base/text.h"
#include "input/bytes/agent_folders.h"
#include "input/bytes/missing.h"
#include "input/bytes/unread.h"

namespace xtrace {

namespace fs = std::filesystem;

namespace {

/// A log that a shell opened (`< logs.jsonl`) is a file like any other, if we are its first reader.
Input standard_input() {
  Input input;
  input.path = "-";
  input.seekable = false;
  input.file = std::make_shared<File>(STDIN_FILENO);
  struct stat status {};
  if (fstat(STDIN_FILENO, &status) != 0) return input;
  input.device = status.st_dev;
  input.inode = status.st_ino;
  if (!S_ISREG(status.st_mode) || status.st_size == 0 || lseek(STDIN_FILENO, 0, SEEK_CUR) != 0)
    return input;
  input.seekable = true;
  input.bytes = static_cast<uint64_t>(status.st_size);
  // Whoever comes after us finds it read, as if it had been a pipe.
  lseek(STDIN_FILENO, status.st_size, SEEK_SET);
  return input;
}

/// Goes through what the user named, and below.
class InputSearch {
 public:
  Status add(const std::string& path) {
    if (path == "-") {
      if (Input input = standard_input(); is_new(input)) found_.inputs.push_back(std::move(input));
      return {};
    }
    struct stat status {};
    if (stat(path.c_str(), &status) == 0) return add_named(path, status);
    int error = errno;
    std::vector<std::string> matches;
    if (error == ENOENT) matches = expand(path);
    for (const std::string& match : matches)
      if (Status added = add_match(match); !added) return added;
    if (!matches.empty()) return {};
    constexpr std::string_view kFile = "file://";
    if (path.starts_with(kFile))
      return fail(Exit::input, fmt::format("cannot open '{}': it is a URL; use the path: {}",
                                           printable(path), printable(path.substr(kFile.size()))));
    if (path.find("://") != std::string::npos)
      return fail(Exit::input, fmt::format("cannot open '{}': xtrace works offline; download it "
                                           "first, for example with curl -O, and pass the file",
                                           printable(path)));
    tl::unexpected<Error> why =
        error == ENOENT && is_pattern(path)
            ? fail(Exit::input, fmt::format("no file matches '{}'", printable(path)))
            : cannot("open", path, error);
    if (error == ENOENT || error == ENOTDIR) why.value().what += did_you_mean_file(path);
    return why;
  }

  Found take() { return std::move(found_); }

 private:
  /// What fits a pattern may be gone by now, or be a link that leads nowhere.
  Status add_match(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? add_named(path, status) : cannot("open", path, errno);
  }

  Status add_named(const std::string& path, const struct stat& status) {
    if (S_ISDIR(status.st_mode)) {
      size_t seen = entries_;
      std::error_code error;
      add_folder(path, error);
      if (error) return cannot("read the folder", path, error.value());
      if (entries_ == seen) {
        std::string_view hidden =
            found_.unread.empty() ? "" : "; hidden files are read only if named";
        return fail(Exit::input, fmt::format("no files in '{}'{}", printable(path), hidden));
      }
      return {};
    }
    // Files that the kernel makes up have no size before they are read.
    bool seekable = S_ISREG(status.st_mode) && status.st_size > 0;
    Input input = input_of(path, status, true);
    input.seekable = seekable;
    if (!is_new(input)) return {};
    Result<File> file = open_to_read(path);
    if (!file) return tl::unexpected(file.error());
    if (!seekable) {
      input.bytes = 0;
      input.file = std::make_shared<File>(*std::move(file));
    }
    found_.inputs.push_back(std::move(input));
    return {};
  }

  static Input input_of(const std::string& path, const struct stat& status, bool listed) {
    Input input;
    input.path = path;
    input.bytes = static_cast<uint64_t>(status.st_size);
    input.listed = listed;
    input.device = status.st_dev;
    input.inode = status.st_ino;
    return input;
  }

  void add_folder(const std::string& folder, std::error_code& error) {
    std::vector<fs::path> entries;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      entries.push_back(at->path());
    if (error) return;
    std::sort(entries.begin(), entries.end());
    for (const fs::path& entry : entries) {
      if (!entry.filename().string().starts_with("."))
        add_entry(entry.string());
      else
        add_hidden(folder, entry);
    }
  }

  /// Of what is hidden, where agents keep their logs.
  void add_hidden(const std::string& folder, const fs::path& entry) {
    const std::string name = entry.filename().string();
    struct stat status {};
    if (is_one_of(name, kFiles)) return add_entry(entry.string());
    if (lstat(entry.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
      return note("hidden; name them to read them", entry.string(), false);
    bool has_logs = false;
    for (const AgentFolder& kept : agent_folders()) {
      const fs::path path = fs::path(folder) / kept.root;
      const bool is_here = kept.root.substr(0, kept.root.find('/')) == name;
      if (!is_here || lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) continue;
      has_logs = true;
      add_entry(path.string());
    }
    if (!has_logs)
      note("hidden folder; to read it, name it on the command line", entry.string(), false);
  }

  void add_entry(const std::string& path) {
    struct stat status {
    }, own{};
    if (lstat(path.c_str(), &own) != 0) {  // gone by now, or in a folder that only shows its names
      ++entries_;
      return note(std::strerror(errno), path, true);
    }
    if (S_ISDIR(own.st_mode)) {
      std::error_code error;
      add_folder(path, error);
      if (error) note(fmt::format("cannot read the folder: {}", error.message()), path, true);
      return;
    }
    ++entries_;
    bool is_link = S_ISLNK(own.st_mode);
    if (stat(path.c_str(), &status) != 0) return note("broken link", path, false);
    // It could lead back up; one to a file cannot.
    if (S_ISDIR(status.st_mode)) return note("link to a folder", path, false);
    // Opening a pipe would wait for whoever writes to it.
    if (!S_ISREG(status.st_mode)) return note("pipe, socket or device", path, false);
    Input input = input_of(path, status, false);
    std::map<Identity, size_t>::iterator before = known_.find(identity(input));
    bool named_by_link = before != known_.end() && links_.contains(before->second);
    if (named_by_link && !is_link) {  // a file goes by its own name
      std::swap(found_.inputs[before->second].path, input.path);
      links_.erase(before->second);
      return note(kSameFile, input.path, false);
    }
    if (!is_new(input)) return;
    if (is_link) links_.insert(found_.inputs.size());
    found_.inputs.push_back(std::move(input));
  }

  using Identity = std::pair<dev_t, ino_t>;
  static Identity identity(const Input& input) { return {input.device, input.inode}; }

  bool is_new(const Input& input) {
    if (known_.emplace(identity(input), found_.inputs.size()).second) return true;
    note(kSameFile, input.path, false);
    return false;
  }

  void note(std::string_view why, const std::string& path, bool may_hold_records) {
    note_unread(found_.unread, why, path, may_hold_records);
  }

  /// Logs that agents keep in a project itself.
  static constexpr std::string_view kFiles[] = {".aider.chat.history.md"};

  Found found_;
  size_t entries_ = 0;                ///< below folders
  std::map<Identity, size_t> known_;  ///< to the index of the input
  std::set<size_t> links_;            ///< inputs that a link below a folder led to
};

/// A quarter of the files that there may be, whose numbers are given out from the lowest on.
bool may_stay_open(int fd) {
  rlimit files{};
  return getrlimit(RLIMIT_NOFILE, &files) == 0 && static_cast<rlim_t>(fd) < files.rlim_cur / 4;
}

}  // namespace

Status Input::settle() {
  if (file != nullptr) return {};
  Result<File> opened = open_regular(path);
  struct stat status {};
  if (!opened) return tl::unexpected(opened.error());
  if (fstat(opened->fd(), &status) != 0) return cannot("read", path, errno);
  bytes = static_cast<uint64_t>(status.st_size);
  device = status.st_dev;
  inode = status.st_ino;
  changed = status.st_mtim;
  if (may_stay_open(opened->fd())) file = std::make_shared<const File>(*std::move(opened));
  return {};
}

Result<std::shared_ptr<const File>> Input::open() const {
  if (file != nullptr) return file;
  Result<File> opened = open_to_read(path);
  if (!opened) return tl::unexpected(opened.error());
  struct stat status {};
  bool is_it = fstat(opened->fd(), &status) == 0 &&
               (inode == 0 || (status.st_dev == device && status.st_ino == inode));
  if (!is_it)
    return fail(
        Exit::input,
        fmt::format("{}: was replaced while it was read, as by log rotation; run xtrace again",
                    printable(path)));
  return std::make_shared<const File>(*std::move(opened));
}

Result<Found> find_inputs(const std::vector<std::string>& paths) {
  InputSearch search;
  for (const std::string& path : paths)
    if (Status added = search.add(path); !added) return tl::unexpected(added.error());
  return search.take();
}

}  // namespace xtrace
