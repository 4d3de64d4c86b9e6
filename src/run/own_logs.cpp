#include "run/own_logs.h"

#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "base/parts.h"
#include "base/system.h"
#include "base/variable.h"
#include "input/bytes/agent_folders.h"
#include "input/bytes/missing.h"

namespace xtrace {

namespace {

/// Where `path`, below a home, is on this machine; empty: there is no home.
std::string placed(const AgentFolder& folder, const std::string& path) {
  for (const AgentFolder::Moved& moved : folder.moved) {
    if (moved.variable.empty()) continue;
    std::string_view place = variable(std::string(moved.variable).c_str());
    // A relative path is invalid in those of the XDG Base Directory Specification.
    if (place.empty() || (moved.variable.starts_with("XDG_") && place.front() != '/')) continue;
    if (!path.starts_with(moved.stands_for)) continue;
    std::string_view rest = std::string_view(path).substr(moved.stands_for.size());
    if (!rest.starts_with('/')) return std::string(place) + '/' + std::string(rest);
    return std::string(place) + std::string(rest);
  }
  std::string_view home = variable("HOME");
  return home.empty() ? std::string() : std::string(home) + '/' + path;
}

/// Is it a file, or a folder that contains one, also through links? An agent that was tried once
/// leaves empty folders. A folder that cannot be read may contain files: reading it reports why.
bool holds_files(const std::string& path) {
  std::set<FileId> seen;
  std::vector<std::string> places = {path};
  while (!places.empty()) {
    const std::string place = std::exchange(places.back(), {});
    places.pop_back();
    const std::optional<FileStatus> status = file_status(place);
    if (!status || !seen.insert(status->id).second) continue;
    if (!status->is_folder()) return true;
    std::error_code error;
    for (std::filesystem::directory_iterator at(place, error), end; !error && at != end;
         at.increment(error))
      places.push_back(at->path().string());
    if (error) return true;
  }
  return false;
}

std::vector<std::string>& named_logs() {
  static std::vector<std::string> paths;
  return paths;
}

}  // namespace

void set_own_logs(std::vector<std::string> paths) {
  named_logs() = std::move(paths);
}

std::string_view logs_variable() {
  return variable("XTRACE_LOGS");
}

std::vector<std::string> own_logs() {
  std::vector<std::string> paths;
  auto add = [&](const std::string& path) {
    if (!path.empty() && holds_files(path)) paths.push_back(path);
  };
  if (!named_logs().empty()) {
    for (const std::string& path : named_logs()) add(path);
    return paths;
  }
  if (std::string_view named = logs_variable(); !named.empty()) {
    for_each_part(named, ':', [&](std::string_view path) { add(std::string(path)); });
    return paths;
  }
  for (const AgentFolder& folder : agent_folders()) {
    const size_t before = paths.size();
    auto add_below = [&](std::string_view logs) {
      const std::string path = placed(folder, std::string(folder.root) + '/' + std::string(logs));
      if (logs.find('*') == logs.npos) return add(path);
      for (const std::string& match : expand(path)) add(match);
    };
    for_each_part(folder.logs, '|', add_below);
    if (paths.size() == before && !folder.formerly.empty()) add_below(folder.formerly);
  }
  return paths;
}

std::vector<std::string> missing_logs() {
  std::vector<std::string> missing;
  if (named_logs().empty() && !logs_variable().empty())
    for_each_part(logs_variable(), ':', [&](std::string_view path) {
      if (!path.empty() && !holds_files(std::string(path))) missing.emplace_back(path);
    });
  return missing;
}

}  // namespace xtrace
