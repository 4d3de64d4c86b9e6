#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

/// What stands above a tree or tables of calls: which files, how many calls, from when to when.
std::vector<Text> head_lines(const CallScene& scene);
/// And below it: what was linked, how surely, and what is not shown; `folded` calls stand in lines
/// of several.
void add_foot(const CallScene& scene, int64_t folded, Outline& outline);

/// What stands in quotes within the first bytes of its words in the tree is cut before the rest,
/// but for so many bytes of it.
void yield_quoted(Outline::Line& line, size_t tree, size_t until = std::string::npos,
                  size_t least = 0);

/// Where calls stand, below head_lines: in lines of the only file that they name, else in files.
class CallPlaces {
 public:
  explicit CallPlaces(const CallScene& scene);
  Outline::Column column(Text at = "at", Text line = "line") const;
  Text of(CallId call) const;

 private:
  const CallScene& scene_;
  bool are_lines_;
};

}  // namespace xtrace
