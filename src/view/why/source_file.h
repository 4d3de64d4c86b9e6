#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace xtrace {

/// What git says of a line.
struct BlamedLine {
  std::string commit{};      ///< empty: not known
  std::string previous{};    ///< the commit before it; empty: not known
  uint64_t number = 0;       ///< of the line in the commit, from 1
  Time committed = kNoTime;  ///< kNoTime also if the line is not committed yet
};

/// A source file as it is now.
struct SourceFile {
  std::string path{};                ///< as it was asked for
  std::string in_repository{};       ///< its path there; empty: it is in none
  std::vector<std::string> lines{};  ///< without their ends
  std::vector<BlamedLine> blame{};   ///< by line; empty: git was not asked

  /// May a path in a log or a record be the file's? One of both may be longer than the other, as
  /// users type short ones; and logs may be of another checkout of its repository.
  bool is_named(std::string_view other) const;
  bool is_blank(size_t line) const {
    return lines[line].find_first_not_of(" \t\r\f\v") == std::string::npos;
  }
  const BlamedLine& blamed(size_t line) const {
    static const BlamedLine kNone;
    return line < blame.size() ? blame[line] : kNone;
  }
};

/// A line of it: `src/a.cpp:12`.
struct SourcePlace {
  std::string path{};
  size_t number = 0;  ///< from 1
};
Result<SourcePlace> read_source_place(const std::string& place);

Result<SourceFile> read_source_file(const std::string& path);

/// Reads the output of `git blame --porcelain` from a file, or from standard input (`-`).
Status read_blame(const std::string& path, SourceFile& file);

}  // namespace xtrace
