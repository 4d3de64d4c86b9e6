#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "facts/trace.h"
#include "input/parts/manifest.h"
#include "input/parts/part_file.h"
#include "input/parts/stored_shard.h"

namespace xtrace {

/// Shards from parts and of logs that were read now, before they are put in order. Inputs are known
/// by their paths and are in the order of these, whatever the order of the parts.
class PartSet {
 public:
  using Roots = std::vector<std::pair<std::string, std::string>>;
  /// `path`: the part, for errors. Exit::input: it is damaged, or has another key than the others.
  Status add(FactsPart part, const std::string& path);
  /// A log that was read here, whole. Exit::input: parts tell of it as well.
  Status add(const PartSource& source, const Source& told, std::vector<Shard> shards);

  /// Are the parts of one key, and is it this one?
  bool fits(const Seal& seal) const { return seal.key_id() == head_.key_id; }
  bool is_keyed() const { return head_.is_keyed; }

  bool has_arguments() const { return head_.has_arguments; }

  /// Drops what is there twice. Exit::input: parts tell differently of the same bytes, or some lack
  /// and `allow_missing` is not set: of what `manifest` says that there is, and of other logs
  /// between what parts tell of. `roots`: as LoadOptions has them.
  Status settle(bool allow_missing, const Manifest& manifest = {}, const Roots& roots = {});

  std::vector<Source>& sources() { return sources_; }
  /// Did somebody name the source of that number?
  bool is_listed(size_t source) const { return is_listed_[source]; }
  std::vector<Shard>& shards() { return shards_; }
  std::vector<Unread>& unread() { return unread_; }
  PartsUsed& used() { return used_; }

 private:
  struct At {  ///< a stretch of a shard
    size_t shard, stretch;
  };
  struct Known {
    PartSource source;
    std::vector<At> stretches;
    const Source* told = nullptr;
    std::string read_here;    ///< why no part may tell of it
    bool is_planned = false;  ///< a manifest says what of it there has to be
  };
  struct Order {
    bool operator()(const std::string& a, const std::string& b) const;
  };

  Status know(const PartSource& source, const std::string& path);
  void take(PartBody body, const std::string& path);
  Stretch& at(const At& at) { return shards_[at.shard].stretches()[at.stretch]; }
  Status settle(Known& known);
  void note_missing(const Known& known, uint64_t begin, uint64_t end);
  static std::string whole_path(const std::string& path);
  Known* find(const std::string& path, const PlannedLog& log);
  void hold_against(const std::string& path, const PlannedLog& log);

  FactsPart head_;
  std::map<std::string, Known, Order> known_;
  // Of these, once a manifest asks for one by another path:
  std::map<std::string, Known*> by_whole_path_;
  std::map<std::pair<std::string, uint64_t>, Known*> by_name_;  ///< and size; nullptr: several
  std::vector<Shard> shards_;
  std::vector<std::string> paths_;  ///< of the part of each shard
  std::vector<Source> sources_;
  std::vector<bool> is_listed_;
  std::vector<Unread> unread_;
  PartsUsed used_;
};

}  // namespace xtrace
