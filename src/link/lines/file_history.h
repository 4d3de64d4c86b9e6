#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "facts/text_edit.h"
#include "link/lines/line_index.h"

namespace xtrace {

/// Which edit wrote a line of a file, and what shows it.
struct LineOrigin {
  static constexpr uint32_t kNone = LineIndex::kNone;

  uint32_t edit = kNone;        ///< that wrote it; kNone: none that is recorded
  uint32_t run = 0;             ///< lines in a row that are as edits left them, this one among them
  uint32_t rivals = 0;          ///< other edits that wrote a line with the same words
  uint32_t length = 0;          ///< in bytes, white space folded
  bool is_only_one = false;     ///< the file has no other line with the same words
  bool is_context = false;      ///< it was there before the first edit that was given it
  bool is_replaced = false;     ///< a later edit replaced it, and it is there again
  bool is_reformatted = false;  ///< letters and digits are the same, and nothing else
  bool is_part = false;         ///< the edit was given a part of the line
  bool is_rewrite = false;      ///< by a whole file, of which it is not known what was there before
};

/// A file as recorded edits made it. Edits are applied in order; what a file had before them is
/// known only as far as they repeat it. A line that an edit repeats, or moves, keeps its writer.
class FileHistory {
 public:
  /// From now on the file is known to have been there: a whole one that is written next may repeat
  /// lines that no recorded edit wrote.
  void note_existing() { exists_ = true; }
  /// A part of the file, as a result shows it: what it has, somebody wrote, and no recorded edit
  /// wrote what is not known by then.
  void note_contents(const std::string& text);
  /// `edit`: a number for it, greater than those before it.
  void apply(uint32_t edit, const TextEdit& change);

  /// May the edit have written this line (from 0) of the file?
  using Accepts = std::function<bool(size_t line, uint32_t edit)>;
  /// By line of the file as it is now.
  std::vector<LineOrigin> origins_of(std::span<const std::string_view> lines,
                                     const Accepts& accepts);

 private:
  static constexpr uint32_t kNone = LineIndex::kNone;
  struct Line {
    std::string text;
    uint32_t edit = kNone;
    bool is_live = true;
    bool is_rewrite = false;
    bool is_open_before = false, is_open_behind = false;  ///< there may be more of it at that end
  };
  /// A line that is to be put into the file.
  struct NewLine {
    std::string text;
    LineKeys keys;
    uint32_t edit;
    bool is_rewrite;
  };
  /// Where a text is: the lines from `first` to `last`, without what precedes it and follows it.
  struct TextPlace {
    uint32_t first = kNone, last = kNone;
    std::string before, behind;
  };
  /// Words of lines, by their hashes, for texts that are within a line.
  struct WordIndex {
    std::unordered_map<uint64_t, std::vector<uint32_t>> lines;
    uint32_t done = 0;
  };

  void write_whole(uint32_t edit, const std::string& text);
  /// Puts the new text where the old one is; false: it is not known where that is.
  bool replace_at_place(uint32_t edit, const TextEdit& change);
  /// Puts it where lines of the old text are, if any are known.
  void replace_apart(uint32_t edit, const TextEdit& change);
  std::vector<TextPlace> places_of(std::span<const std::string_view> text, bool is_everywhere);
  bool is_at(uint32_t first, std::span<const std::string_view> text, TextPlace& place) const;
  std::vector<uint32_t> lines_with_words_of(std::string_view text, bool is_everywhere);
  std::vector<NewLine> changed(uint32_t edit, std::span<const std::string_view> before,
                               std::span<const uint32_t> nodes,
                               std::span<const std::string_view> after) const;
  /// Returns the first and the last of them.
  std::pair<uint32_t, uint32_t> add_chain(const std::vector<NewLine>& lines);
  void end(uint32_t node) { lines_[node].is_live = false; }
  uint32_t writers_with(uint64_t key) const;
  void find_parts(std::span<const std::string_view> lines, const Accepts& accepts,
                  std::vector<uint32_t>& found, std::vector<bool>& is_part) const;

  LineIndex index_;
  std::vector<Line> lines_;     ///< by node
  std::vector<uint32_t> live_;  ///< and some that are no more
  std::unordered_map<uint64_t, std::pair<uint32_t, uint32_t>> written_;  ///< by key: last, count
  WordIndex words_;
  bool exists_ = false, knows_before_ = false;
};

}  // namespace xtrace
