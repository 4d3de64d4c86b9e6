#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "input/load.h"

namespace xtrace {

/// A folder that is gone when the test is over.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path() const { return path_.string(); }
  /// Writes a file, below further folders if `name` has any; returns its path.
  std::string write(const std::string& name, std::string_view bytes) const;
  std::string read(const std::string& name) const;
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

/// Bytes that can be opened like a file, without being one.
class Memory {
 public:
  explicit Memory(std::string_view bytes);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  std::string path() const;

 private:
  int fd_;
};

/// A pipe that somebody else fills, at their own pace.
class Pipe {
 public:
  explicit Pipe(std::string bytes);
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  std::string path() const;

 private:
  int end_ = -1;
  std::thread writer_;
};

/// Reads a log the way the program does, and expects that it can be read.
Trace read_log(std::string_view log, const LoadOptions& loading = {});
/// The same when it may not.
Result<Trace> load_log(std::string_view log, const LoadOptions& loading = {});

/// `damaged 3: not valid JSON` — kind, line, words, a line each.
std::string complaints_of(const Trace& trace);

/// `2 not JSON: a.png b.db` — how many files were passed over and why, by their last names.
std::string passed_over(const Trace& trace);

/// Where a file or folder of the project is, by its path from there. Tests ask for it rather than
/// be compiled with a path of one checkout: see CMakeLists.txt.
std::string project_path(const std::string& path);
/// All of a file that is part of the project, by its path from there.
std::string project_file(const std::string& path);

}  // namespace xtrace
