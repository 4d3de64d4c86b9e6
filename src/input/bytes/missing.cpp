#include "input/bytes/missing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/nearest.h"
#include "base/system.h"
#include "base/text.h"

namespace xtrace {

namespace fs = std::filesystem;

std::vector<std::string> expand(const std::string& pattern) {
  if (pattern.find_first_of("*?[{~") == std::string::npos) return {};
  std::vector<std::string> paths = expand_pattern(pattern);
  // Not by the order of the user's locale.
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool is_pattern(const std::string& path) {
  return path.find_first_of("*?[{") != std::string::npos;
}

std::string did_you_mean_file(const std::string& path) {
  fs::path there;
  std::string astray;
  std::error_code error;
  for (const fs::path& part : fs::path(path)) {
    astray = part.string();
    if (!fs::exists(there / part, error)) break;
    there /= part;
  }
  std::vector<std::string> names;
  for (fs::directory_iterator at(there.empty() ? "." : there, error), end; !error && at != end;
       at.increment(error))
    names.push_back(at->path().filename().string());
  std::vector<std::string_view> known(names.begin(), names.end());
  std::vector<std::string> meant;
  for (std::string_view name : nearest(astray, known))
    meant.push_back(fmt::format("'{}'", printable((there / name).string())));
  return meant.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(meant, " or "));
}

}  // namespace xtrace
