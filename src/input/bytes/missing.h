#pragma once

#include <string>
#include <vector>

namespace xtrace {

/// The files a pattern fits (`logs/*.jsonl`), in the order of their names; none if it is no
/// pattern.
std::vector<std::string> expand(const std::string& pattern);

/// Is it a pattern, with more than a home in it?
bool is_pattern(const std::string& path);

/// "; did you mean 'logs/a.jsonl'?", by what stands where the path leads astray; or nothing.
std::string did_you_mean_file(const std::string& path);

}  // namespace xtrace
