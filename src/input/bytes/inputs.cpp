#include "input/bytes/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "base/parallel.h"
#include "base/system.h"
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
  input.file = std::make_shared<File>(kStandardInput);
  const std::optional<FileStatus> status = file_status(kStandardInput);
  if (!status) return input;
  input.id = status->id;
  if (!status->is_regular() || status->bytes == 0 || position_of(kStandardInput) != 0) return input;
  input.seekable = true;
  input.bytes = status->bytes;
  // Whoever comes after us finds it read, as if it had been a pipe.
  move_to(kStandardInput, status->bytes);
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
    if (const std::optional<FileStatus> status = file_status(path)) return add_named(path, *status);
    const int error = errno;
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
    const std::optional<FileStatus> status = file_status(path);
    return status ? add_named(path, *status) : cannot("open", path, errno);
  }

  Status add_named(const std::string& path, const FileStatus& status) {
    if (status.is_folder()) {
      size_t seen = entries_;
      std::error_code error;
      enter(path, error);
      if (error) return cannot("read the folder", path, error.value());
      follow_links();
      if (entries_ == seen) {
        std::string why = found_.unread.empty() ? "" : "; hidden files are read only if named";
        for (const Unread& unread : found_.unread)
          if (unread.may_hold_records && !unread.paths.empty())
            why = fmt::format("; {}: {}", unread.why, printable(unread.paths.front()));
        return fail(Exit::input, fmt::format("no files in '{}'{}", printable(path), why));
      }
      return {};
    }
    // Files that the kernel makes up have no size before they are read.
    bool seekable = status.is_regular() && status.bytes > 0;
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

  static Input input_of(const std::string& path, const FileStatus& status, bool listed) {
    Input input;
    input.path = path;
    input.bytes = status.bytes;
    input.listed = listed;
    input.id = status.id;
    return input;
  }

  /// Adds what is in a folder, once, whatever its name is.
  void enter(const std::string& folder, std::error_code& error) {
    const std::optional<FileStatus> status = file_status(folder);
    if (!status || entered_.insert(status->id).second) return add_folder(folder, error);
    ++entries_;
    note(kSameFile, folder, false);
  }

  void add_below(const std::string& folder) {
    std::error_code error;
    enter(folder, error);
    if (error) note(fmt::format("cannot read the folder: {}", error.message()), folder, true);
  }

  /// Runs after all folders under their own names, so that files keep these. A link to a folder
  /// above it could lead to the whole disk.
  void follow_links() {
    while (!folder_links_.empty()) {
      const std::vector<std::string> links = std::exchange(folder_links_, {});
      for (const std::string& link : links)
        if (leads_up(link))
          note("link to a folder above it", link, false);
        else
          add_below(link);
    }
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

  /// A folder itself, no link to one.
  static bool is_own_folder(const fs::path& path) {
    const std::optional<FileStatus> status = entry_status(kCurrentFolder, path.string());
    return status && status->is_folder();
  }

  /// Adds hidden entries only where agents keep their logs.
  void add_hidden(const std::string& folder, const fs::path& entry) {
    const std::string name = entry.filename().string();
    if (is_log_of_project(name)) return add_entry(entry.string());
    if (!is_own_folder(entry)) return note("hidden; name them to read them", entry.string(), false);
    bool has_logs = false;
    for (const AgentFolder& kept : agent_folders()) {
      const fs::path path = fs::path(folder) / kept.root;
      const bool is_here = kept.root.substr(0, kept.root.find('/')) == name;
      if (!is_here || !is_own_folder(path)) continue;
      has_logs = true;
      add_entry(path.string());
    }
    if (!has_logs)
      note("hidden folder; to read it, name it on the command line", entry.string(), false);
  }

  void add_entry(const std::string& path) {
    const std::optional<FileStatus> own = entry_status(kCurrentFolder, path);
    if (!own) {  // gone by now, or in a folder that only shows its names
      ++entries_;
      return note(std::strerror(errno), path, true);
    }
    if (own->is_folder()) return add_below(path);
    ++entries_;
    const bool is_link = own->is_link();
    const std::optional<FileStatus> status = is_link ? file_status(path) : own;
    if (!status) return note("broken link", path, false);
    if (status->is_folder()) return folder_links_.push_back(path);
    // Opening a pipe would wait for whoever writes to it.
    if (!status->is_regular()) return note("pipe, socket or device", path, false);
    Input input = input_of(path, *status, false);
    std::map<FileId, size_t>::iterator before = known_.find(input.id);
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

  bool is_new(const Input& input) {
    if (known_.emplace(input.id, found_.inputs.size()).second) return true;
    note(kSameFile, input.path, false);
    return false;
  }

  void note(std::string_view why, const std::string& path, bool may_hold_records) {
    note_unread(found_.unread, why, path, may_hold_records);
  }

  /// Does an agent keep it in a project itself, or below a folder of a conversation?
  static bool is_log_of_project(std::string_view name) {
    return std::ranges::any_of(agents(),
                               [&](const AgentFacts& agent) { return agent.hidden == name; });
  }

  Found found_;
  size_t entries_ = 0;                     ///< below folders
  std::map<FileId, size_t> known_;         ///< to the index of the input
  std::set<size_t> links_;                 ///< inputs that a link below a folder led to
  std::set<FileId> entered_;               ///< folders
  std::vector<std::string> folder_links_;  ///< links to folders, to be followed
};

/// Of the files that there may be, whose numbers are given out from the lowest on, one in so many
/// may stay open.
constexpr uint64_t kOpenShare = 4;

bool may_stay_open(int fd) {
  return static_cast<uint64_t>(fd) < open_file_limit() / kOpenShare;
}

}  // namespace

Status Input::settle() {
  if (file != nullptr) return {};
  Result<File> opened = open_regular(path);
  if (!opened) return tl::unexpected(opened.error());
  const std::optional<FileStatus> status = file_status(opened->fd());
  if (!status) return cannot("read", path, errno);
  bytes = status->bytes;
  id = status->id;
  changed = status->changed;
  if (may_stay_open(opened->fd())) file = std::make_shared<const File>(*std::move(opened));
  return {};
}

Result<std::shared_ptr<const File>> Input::open() const {
  if (file != nullptr) return file;
  Result<File> opened = open_to_read(path);
  if (!opened) return tl::unexpected(opened.error());
  const std::optional<FileStatus> status = file_status(opened->fd());
  const bool is_it = status && (id.number == 0 || status->id == id);
  if (!is_it)
    return fail(
        Exit::input,
        fmt::format("{}: was replaced while it was read, as by log rotation; run xtrace again",
                    printable(path)));
  return std::make_shared<const File>(*std::move(opened));
}

bool leads_up(const std::string& link) {
  std::error_code error;
  const fs::path target = fs::canonical(link, error);
  const fs::path from = error ? fs::path() : fs::canonical(fs::path(link).parent_path(), error);
  return error || std::mismatch(target.begin(), target.end(), from.begin(), from.end()).first ==
                      target.end();
}

Result<Found> find_inputs(const std::vector<std::string>& paths) {
  InputSearch search;
  for (const std::string& path : paths)
    if (Status added = search.add(path); !added) return tl::unexpected(added.error());
  return search.take();
}

void settle_files(std::vector<Input>& inputs, unsigned jobs) {
  // To open each of thousands of files again for every look at it takes as long as to read it.
  if (inputs.size() >= open_file_limit() / kOpenShare) raise_open_file_limit();
  // Those beyond could not stay open.
  const size_t most = std::min<uint64_t>(inputs.size(), open_file_limit() / kOpenShare);
  for_each_on(jobs, most, [&] {
    return [&](size_t i) {
      if (inputs[i].seekable) static_cast<void>(inputs[i].settle());
    };
  });
}

}  // namespace xtrace
