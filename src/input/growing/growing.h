#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "input/growing/tail.h"

namespace xtrace {

/// Follows several files and folders at once, and waits for them to grow. Where the system tells of
/// changes they are seen at once; as some file systems tell of none, everything is looked
/// at now and then all the same.
class GrowingInputs {
 public:
  /// What the user named; `-` is standard input.
  explicit GrowingInputs(std::vector<std::string> paths);

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
  void follow(uint32_t argument, const std::string& path);
  void watch(const std::string& folder);

  std::vector<std::string> paths_;
  Generations generations_;
  File notices_;                   ///< of the watched folders; not open: the system gives none
  std::set<std::string> watched_;  ///< folders
  std::map<std::string, std::unique_ptr<Tail>> tails_;  ///< by path
  std::vector<Tail*> in_order_;                         ///< as they came
  bool folders_changed_ = true;
};

}  // namespace xtrace
