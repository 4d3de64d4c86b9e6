#pragma once

#include <map>
#include <string>

#include "doc/document.h"

namespace xtrace {

/// A file as the edits made it: turns that led to edits, and edits that wrote lines of the file.
class SourcePicture {
 public:
  struct Range {
    Text id;  ///< of the call that asked for the edit
    Text tool, agent, turn, session;
    std::string lines;
    double confidence;
  };

  explicit SourcePicture(Text path);
  void add(const Range& range);
  Drawing take(Door& door);

 private:
  struct Written {
    uint32_t node;
    std::string lines;
    double least = 1;
  };
  Drawing drawing_;
  std::map<std::string, uint32_t, std::less<>> turns_;
  std::map<std::string, Written, std::less<>> edits_;  ///< by id of the call
};

}  // namespace xtrace
