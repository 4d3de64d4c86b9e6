#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "input/common/shard.h"
#include "input/parts/seal.h"

namespace xtrace {

class JsonWriter;

/// An input as a part knows it.
struct PartSource {
  std::string path;    ///< where it is, and by which inputs are distinguished and put in order
  std::string shown;   ///< the same with what is hidden in it as tokens
  uint64_t bytes = 0;  ///< on disk; of lines from elsewhere: as far as they reach
  std::optional<uint64_t> unpacked_bytes;
  bool is_document = false;
  bool is_whole = false;  ///< its end is known
  bool listed = true;     ///< somebody named it, and no folder around it
};

/// A shard with its inputs, which the sources of its stretches are numbers of.
struct PartBody {
  std::vector<PartSource> sources;
  Shard shard{0};
  std::vector<Unread> unread;
};

/// Turns shards into bytes, and back.
class StoredShard {
 public:
  /// Nothing of it is payload, hidden values are tokens, and hashes are sealed. The shard is done
  /// with afterwards.
  static std::string write(PartBody& body, const Seal& seal);
  /// A path as it may be shown.
  static std::string shown_path(const std::string& path, const Seal& seal);
  /// Nothing: the bytes are no such shard.
  static std::optional<PartBody> read(std::string_view bytes);
  /// Every row of every table, and every text, for who wants to see what is in a part. `tables`:
  /// what they are called.
  static void show_rows(const Shard& shard, std::span<const std::string_view> tables,
                        JsonWriter& out);

 private:
  template <class Io, class Each>
  static void carry(Io& io, Shard& shard, Each each);
  static bool is_empty(Shard& shard);
  static bool settle(Shard& shard, const std::vector<std::string>& texts, size_t sources);
  static std::vector<uint64_t> own_of_tools(const Shard& shard);
  static void find_what_follows(Shard& shard);
  static void renumber(Shard& shard, const std::vector<StringId>& strings);
  static bool is_all(Shard& shard, const std::vector<uint32_t>& ends);
  static bool are_in_bounds(Shard& shard, const std::vector<uint32_t>& ends);
  static std::string_view known_format(std::string_view name);
};

}  // namespace xtrace
