#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/system.h"
#include "base/time.h"
#include "input/growing/tail.h"

namespace xtrace {

/// Follows several files and folders at once, and waits for them to grow. Where the system tells of
/// changes they are seen at once; as some file systems tell of none, everything is looked
/// at now and then all the same.
class GrowingInputs {
 public:
  /// What the user named; `-` is standard input. Files that are found at first and were last
  /// written to before `awake_since` are asleep: they are not read until they, or another file of
  /// their session, grow. kNoTime: none are.
  explicit GrowingInputs(std::vector<std::string> paths, Time awake_since = kNoTime);

  /// Adds to `growth` what came since the last time.
  Status read(Growth& growth);
  /// Nothing follows any more.
  Status end(Growth& growth);

  /// Adds the descriptors that can be read when something may have come.
  void add_to(std::vector<int>& waiting) const;
  /// How long to wait at most before the next look.
  std::chrono::milliseconds patience() const;
  /// Streams alone were named, and all are over.
  bool ended() const;
  /// What the user named and is not there yet.
  std::vector<std::string> missing() const;

  const Generations& generations() const { return generations_; }

 private:
  void look_for_files();
  void look_below(uint32_t argument, const std::string& folder, std::set<FileId>& entered);
  void meet(uint32_t argument, const std::string& path);
  void follow(uint32_t argument, const std::string& path);
  void watch(const std::string& folder);
  void wake_grown();
  void wake_sessions(const std::vector<std::string>& paths);
  std::string session_of(const std::string& path) const;

  /// A file that is not read yet, as it was found.
  struct Asleep {
    uint32_t argument = 0;
    FileStatus found;
  };

  std::vector<std::string> paths_;
  Time awake_since_;
  std::map<std::string, Asleep> asleep_;  ///< by path
  std::vector<std::string> woken_;        ///< paths whose sessions are still to be woken
  bool has_looked_ = false;
  std::chrono::steady_clock::time_point looked_at_asleep_{};
  Generations generations_;
  FolderWatch notices_;
  std::set<std::string> watched_;                       ///< folders
  std::map<std::string, std::unique_ptr<Tail>> tails_;  ///< by path
  std::vector<Tail*> in_order_;                         ///< as they came
  bool folders_changed_ = true;
};

}  // namespace xtrace
