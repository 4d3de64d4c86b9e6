#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "facts/text_edit.h"

namespace xtrace {

/// How the file of a made world comes about.
struct EditWorldKind {
  std::string_view name;
  bool exists = false;       ///< the file was there before the first edit
  double whole = 0.1;        ///< the share of edits that write all of it
  double patches = 0.2;      ///< of the others, those that are patches
  double unrecorded = 0;     ///< the share of edits that no log has
  double human = 0;          ///< how often somebody changes a few lines between two edits
  double formatter = 0;      ///< how often a formatter goes over a part of it
  double reverts = 0;        ///< how often a part is put back as it was some edits before
  double reads = 0.9;        ///< how often an agent reads what others may have changed
  uint32_t vocabulary = 60;  ///< words of the lines: the fewer, the more lines are alike
  uint32_t edits = 30;
};
inline constexpr EditWorldKind kEditWorldKinds[] = {
    {.name = "made by agents"},
    {.name = "was there", .exists = true, .whole = 0},
    {.name = "was there, rewritten", .exists = true, .whole = 0.2},
    {.name = "was there, never read", .exists = true, .whole = 0.2, .reads = 0},
    {.name = "people change it too", .exists = true, .whole = 0.05, .human = 0.5},
    {.name = "formatted", .formatter = 0.3},
    {.name = "formatted, was there", .exists = true, .whole = 0.05, .formatter = 0.3},
    {.name = "logs are missing", .exists = true, .whole = 0.1, .unrecorded = 0.3},
    {.name = "logs are missing, few edits", .exists = true, .unrecorded = 0.5, .edits = 6},
    {.name = "lines are alike", .vocabulary = 8},
    {.name = "lines are alike, people", .exists = true, .human = 0.5, .vocabulary = 8},
    {.name = "put back", .reverts = 0.2},
    {.name = "patches alone", .exists = true, .whole = 0, .patches = 1, .human = 0.2},
    {.name = "all at once",
     .exists = true,
     .unrecorded = 0.15,
     .human = 0.3,
     .formatter = 0.2,
     .reverts = 0.1,
     .vocabulary = 20},
};

/// A made file, the edits that logs have of it, and who wrote each of its lines. The same seed
/// makes the same world.
struct EditWorld {
  static constexpr uint32_t kNobody = UINT32_MAX;
  static constexpr uint32_t kUnrecorded = 1U << 20;  ///< and above: edits that no log has
  /// What a hook wrote down of an edit, recorded or not: where its text was then.
  struct Claim {
    uint32_t writer;
    size_t first, last;  ///< lines, from 0
    std::string text;
  };
  bool existed = false;
  /// Recorded ones, in order, each with what its agent had read of the file just before; empty:
  /// nothing.
  std::vector<TextEdit> edits;
  std::vector<std::string> read;
  std::vector<std::string> lines;  ///< as they are in the end
  std::vector<uint32_t> writers;   ///< by line, the index of its edit; kNobody: none
  std::vector<Claim> claims;

  bool is_recorded(uint32_t writer) const { return writer < edits.size(); }

  EditWorld(uint64_t seed, const EditWorldKind& kind);
};

}  // namespace xtrace
