#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "input/parts/seal.h"

namespace xtrace {

/// A shard in a part, packed as StoredShard writes it.
struct PackedShard {
  std::string name;  ///< of what it holds: equal bytes, equal names
  std::string bytes;

  explicit PackedShard(std::string packed);
};

/// What a part holds: shards that were read on some machine, to be merged on another.
///
///     "xfacts" | version | flags | key id | program | shards: count, lengths, bytes | SHA-256
struct FactsPart {
  bool is_keyed = false;
  bool has_arguments = false;  ///< of tool uses, sealed
  std::string key_id = std::string(8, '\0');
  std::string program;  ///< the version that wrote it; of several the newest
  std::vector<PackedShard> shards;

  void take_over(const Seal& seal);
};

inline constexpr std::string_view kPartMagic = "xfacts";
/// What parts are called, so that one without its beginning is known.
inline constexpr std::string_view kPartName = ".xfacts";

/// Is it a part, by its first bytes?
bool is_part(std::string_view head);

/// The same shards, the same bytes: each once, in the order of their names.
std::string written_part(FactsPart part);
/// Exit::input says what is wrong with it: cut off, damaged, of a newer version; `path` is for the
/// error alone.
Result<FactsPart> read_part(std::string_view bytes, const std::string& path);
Result<FactsPart> read_part_file(const std::string& path);

/// What is wrong with a part whose checksum fits and whose shards cannot be read.
std::string not_of_this_version(const std::string& path);

/// Puts the shards of `more` beside those of `into`. Exit::input: they have other keys.
Status join_parts(FactsPart more, const std::string& path, FactsPart& into);

}  // namespace xtrace
