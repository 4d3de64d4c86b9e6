#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace xtrace {

/// What somebody noted of a step of a story, or of what joins two, in a file beside the logs.
struct Annotation {
  std::string node;          ///< the id of a step; empty: it is of an edge
  std::string from, to;      ///< the ids of that edge's ends
  std::string kind;          ///< comment, question or approval
  std::string author, time;  ///< as they were given, if they were
  std::string note;
};

/// A file of them, a line of JSON each, in their order. What is broken is named as `file:line`,
/// with Exit::usage.
Result<std::vector<Annotation>> read_annotations(const std::string& path);
/// As a line of such a file, with its end.
std::string annotation_line(const Annotation& annotation);

/// The kinds there are.
std::vector<std::string> annotation_kinds();

}  // namespace xtrace
