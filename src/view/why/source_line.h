#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "view/hops/hop_scene.h"
#include "view/why/listing.h"

namespace xtrace {

/// A line of a source file as it is now, and what git says of it.
struct SourceLine {
  std::string place;  ///< as it was asked for: `src/a.cpp:12`
  std::string path;
  size_t number = 0;               ///< from 1
  std::vector<std::string> lines;  ///< of the file, white space folded
  std::string commit;              ///< of the line; empty: not known
  Time committed = kNoTime;        ///< kNoTime also if the line is not committed yet

  const std::string& text() const { return lines[number - 1]; }
};

/// Reads the line that `place` names, and from `blame`, if it is not empty, its commit: a file with
/// the output of `git blame --porcelain`, or `-` for standard input.
Result<SourceLine> read_source_line(const std::string& place, const std::string& blame);

/// Why does the line say what it says? Finds the edit on record that wrote it, by what the edit was
/// given, and explains the call that asked for it. Edits after the commit of the line are no
/// candidates. Exit::no: no edit on record wrote the line.
Result<Document> explain_source_line(const HopScene& scene, const SourceLine& line,
                                     const Listing& listing);

/// What is said of the line, for the schema.
Record shape_of_source_line();

}  // namespace xtrace
