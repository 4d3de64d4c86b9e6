#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

/// What stands above a tree or tables of calls: which files, how many calls, from when to when.
std::vector<Text> head_lines(const CallScene& scene);
/// And below it: what was linked, how surely, and what is not shown; `folded` calls stand in lines
/// of several.
std::vector<Text> foot_lines(const CallScene& scene, int64_t folded);

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
