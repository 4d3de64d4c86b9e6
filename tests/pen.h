#pragma once

#include <string>

#include "story.h"

namespace xtrace {

/// Writes the calls of a story down in one style, as programs that keep logs do.
class Pen {
 public:
  Pen(const CallStory& story, Style style) : story_(story), style_(style) {}
  /// One record on one line.
  std::string write(const Told& told) const;

 private:
  struct Parts;
  const CallStory& story_;
  Style style_;
};

/// The arguments of a tool use that starts a subagent, or goes on with `resume`.
std::string task_input(const std::string& type, const std::string& prompt,
                       const std::string& resume);

}  // namespace xtrace
