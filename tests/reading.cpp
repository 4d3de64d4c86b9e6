#include "reading.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace xtrace {

namespace fs = std::filesystem;

namespace {

std::string all_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

}  // namespace

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "xtrace-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::string Folder::write(const std::string& name, std::string_view bytes) const {
  fs::path path = path_ / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  return path.string();
}

std::string Folder::read(const std::string& name) const {
  return all_of(path_ / name);
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

Memory::Memory(std::string_view bytes) : fd_(memfd_create("log", MFD_CLOEXEC)) {
  bool whole =
      fd_ >= 0 && write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  if (!whole) throw std::runtime_error("cannot keep a log in memory");
}

Memory::~Memory() {
  close(fd_);
}

std::string Memory::path() const {
  return "/proc/self/fd/" + std::to_string(fd_);
}

Pipe::Pipe(std::string bytes) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  end_ = ends[0];
  writer_ = std::thread([fd = ends[1], bytes = std::move(bytes)] {
    signal(SIGPIPE, SIG_IGN);  // a test may read less than there is
    std::string_view rest = bytes;
    for (ssize_t count; !rest.empty() && (count = ::write(fd, rest.data(), rest.size())) > 0;)
      rest.remove_prefix(static_cast<size_t>(count));
    close(fd);
  });
}

Pipe::~Pipe() {
  close(end_);
  writer_.join();
}

std::string Pipe::path() const {
  return "/proc/self/fd/" + std::to_string(end_);
}

Result<Trace> load_log(std::string_view log, const LoadOptions& loading) {
  Memory memory(log);
  Progress progress;
  Result<Trace> trace = load({memory.path()}, loading, progress);
  if (trace)  // the log is gone with its memory
    for (Source& source : trace->sources) source.file = nullptr;
  return trace;
}

Trace read_log(std::string_view log, const LoadOptions& loading) {
  Result<Trace> trace = load_log(log, loading);
  if (!trace) throw std::runtime_error(trace.error().what);
  return *std::move(trace);
}

std::string complaints_of(const Trace& trace) {
  constexpr std::string_view kKinds[] = {"damaged", "unknown_record", "repaired",
                                         "field",   "parent",         "unfinished"};
  std::string text;
  for (const Complaint& complaint : trace.complaints)
    text +=
        fmt::format("{}{} {}: {}", text.empty() ? "" : "\n",
                    kKinds[static_cast<size_t>(complaint.kind)], complaint.at.line, complaint.what);
  return text;
}

std::string passed_over(const Trace& trace) {
  std::string text;
  for (const Unread& unread : trace.unread) {
    text += fmt::format("{}{} {}:", text.empty() ? "" : "\n", unread.files, unread.why);
    for (const std::string& path : unread.paths) text += " " + fs::path(path).filename().string();
  }
  return text;
}

std::string project_path(const std::string& path) {
  return (fs::path(XTRACE_SOURCE_DIR) / path).string();
}

std::string project_file(const std::string& path) {
  return all_of(project_path(path));
}

}  // namespace xtrace
