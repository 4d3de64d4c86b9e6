#pragma once

#include <span>
#include <string>
#include <vector>

namespace xtrace {

/// A log whose records are as alike as one linker or reader can bear: with `n` of them it must take
/// little more than n times what it takes with one.
struct WorstCase {
  const char* name;
  std::string (*make)(size_t n);
  bool is_folder = false;  ///< each line is a file of its own
  double most = 1.2;       ///< growth that fits: 1 is linear, 1.14 what sorting takes, 2 a square
};

std::span<const WorstCase> worst_calls();
std::span<const WorstCase> worst_transcripts();
std::span<const WorstCase> worst_sessions();
std::span<const WorstCase> worst_spans();
std::span<const WorstCase> worst_events();

/// All of them.
std::vector<WorstCase> worst_cases();

}  // namespace xtrace
