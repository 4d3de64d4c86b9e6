#include "view/taint/tool_rules.h"

#include <algorithm>

#include "base/address.h"
#include "base/digits.h"
#include "base/path.h"
#include "base/pattern.h"
#include "facts/tool_targets.h"
#include "link/activities/deed.h"
#include "link/reuse/handoffs.h"
#include "link/reuse/token.h"

namespace xtrace {

namespace {

bool fits_any(const std::vector<std::string>& globs, std::string_view name) {
  return std::ranges::any_of(globs,
                             [&](const std::string& glob) { return fits_wildcards(glob, name); });
}

/// The path with its home as `~`.
std::string with_home(std::string_view path) {
  for (const std::string_view homes : {"/Users/", "/home/"})
    if (path.starts_with(homes))
      if (const size_t end = path.find('/', homes.size()); end != path.npos)
        return '~' + std::string(path.substr(end));
  constexpr std::string_view kRoot = "/root/";
  if (path.starts_with(kRoot)) return '~' + std::string(path.substr(kRoot.size() - 1));
  return std::string(path);
}

std::string folder_of(std::string_view path) {
  return std::string(path.substr(0, path.rfind('/')));
}

/// Does a path hold the projects of a person or of all, and is it none itself?
bool holds_projects(std::string_view folder) {
  if (folder.empty() || folder == "/root") return true;
  for (const std::string_view homes : {"/Users", "/home"})
    if (folder.starts_with(homes))
      return folder.find('/', std::min(homes.size() + 1, folder.size())) == folder.npos;
  return false;
}

/// The folders that both paths begin with.
std::string shared_folder(std::string_view a, std::string_view b) {
  size_t end = 0, at = 0;
  for (; at < a.size() && at < b.size() && a[at] == b[at]; ++at)
    if (a[at] == '/') end = at;
  if ((at == a.size() || a[at] == '/') && (at == b.size() || b[at] == '/')) end = at;
  return std::string(a.substr(0, end));
}

}  // namespace

ToolRules::ToolRules(const Graph& graph, const TaintRules& rules)
    : graph_(graph), trace_(graph.trace()), rules_(rules), projects_(graph.sessions().size()) {
  for (size_t i = 0; i < projects_.size(); ++i)
    if (const std::string_view folder = trace_[graph.sessions()[i].project]; !folder.empty())
      projects_[i] = {std::string(folder), ProjectFrom::log};
  for (size_t i = 0; i < projects_.size(); ++i) {
    if (projects_[i].from == ProjectFrom::log) continue;
    for (const CallId call : graph.sessions()[i].calls)
      for (const ToolUse* const use : graph.tool_uses_of(call)) {
        if (deed_of(trace_[use->name]) != Deed::read) continue;
        for (const StringId target : targets_of(trace_, *use)) {
          const std::string_view path = trace_[target];
          if (!is_absolute_path(path)) continue;
          std::string& folder = projects_[i].folder;
          const bool is_first = projects_[i].from == ProjectFrom::nowhere;
          folder = is_first ? folder_of(path) : shared_folder(folder, path);
          projects_[i].from = ProjectFrom::files;
        }
      }
    if (holds_projects(projects_[i].folder)) projects_[i] = {};
  }
}

bool ToolRules::fits(const TaintPaths& paths, CallId call, const ToolUse& use) const {
  const auto session = static_cast<size_t>(&graph_.session_of(call) - graph_.sessions().data());
  const ProjectFolder& project = projects_[session];
  for (const StringId target : targets_of(trace_, use)) {
    const std::string_view named = trace_[target];
    if (!host_of(named).empty()) continue;
    const std::string path = path_below(project.folder, named);
    if (paths.is_outside_project) {
      if (project.from == ProjectFrom::nowhere || project.folder.empty()) continue;
      const bool is_inside = path == project.folder || path.starts_with(project.folder + '/');
      if (!is_inside) return true;
    } else if (fits_any(paths.globs, path) || fits_any(paths.globs, with_home(path)) ||
               fits_any(paths.globs, '/' + std::string(named))) {
      return true;
    }
  }
  return false;
}

bool ToolRules::fits(const TaintRule& rule, CallId call, const ToolUse& use) const {
  const std::string_view name = trace_[use.name];
  const bool is_for_any = rule.tools.empty() && rule.deeds.empty();
  if (!is_for_any && !fits_any(rule.tools, name) &&
      std::ranges::find(rule.deeds, deed_of(name)) == rule.deeds.end())
    return false;
  return !rule.paths || fits(*rule.paths, call, use);
}

const TaintRule* ToolRules::first(const std::vector<TaintRule>& rules, CallId call,
                                  const ToolUse& use, std::string_view result) const {
  for (const TaintRule& rule : rules)
    if (fits(rule, call, use) && (!rule.result_matches || rule.result_matches->is_in(result)))
      return &rule;
  return nullptr;
}

bool ToolRules::is_trusted(const ToolUse& use) const {
  if (fits_any(rules_.trusted_tools, trace_[use.name])) return true;
  return !rules_.trusted_hosts.empty() &&
         std::ranges::any_of(targets_of(trace_, use), [&](StringId target) {
           const std::string_view host = host_of(trace_[target]);
           return !host.empty() && fits_any(rules_.trusted_hosts, host);
         });
}

const TaintRule* ToolRules::sink(CallId call, const ToolUse& use) const {
  return first(rules_.sinks, call, use, {});
}

const TaintRule* ToolRules::source(CallId call, const ToolUse& use, std::string_view result) const {
  return is_trusted(use) ? nullptr : first(rules_.sources, call, use, result);
}

const TaintRule* ToolRules::secret(CallId call, const ToolUse& use, std::string_view result) const {
  return first(rules_.secrets, call, use, result);
}

bool ToolRules::may_bring(CallId call, const ToolUse& use) const {
  const auto may = [&](const TaintRule& rule) {
    return !rule.result_matches && fits(rule, call, use);
  };
  return (!is_trusted(use) && std::ranges::any_of(rules_.sources, may)) ||
         std::ranges::any_of(rules_.secrets, may);
}

ToolRules::Memory ToolRules::memory(const ToolUse& use) const {
  const std::string_view name = trace_[use.name];
  if (fits_any(rules_.memory_write, name)) return Memory::writes;
  if (fits_any(rules_.memory_read, name)) return Memory::reads;
  switch (file_use_of(trace_, use)) {
    case FileUse::writes: return Memory::writes;
    case FileUse::reads: return Memory::reads;
    case FileUse::none: break;
  }
  return Memory::none;
}

std::vector<std::string> data_taint_labels(std::string_view text) {
  constexpr std::string_view kMark = "dataTaint", kLabels = "labels";
  constexpr size_t kLongest = 40, kMost = 16;
  std::vector<std::string> labels;
  if (text.find(kMark) == text.npos) return labels;
  const auto is_of_word = [](char c) {
    return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '-' || c == '_';
  };
  each_layer(text, [&](std::string_view layer, Encoding) {
    size_t at = layer.find("\"dataTaint\"");
    if (at == layer.npos || !labels.empty()) return;
    at = layer.find(kLabels, at);
    const size_t open = layer.find('[', at), close = layer.find(']', at);
    if (at == layer.npos || open == layer.npos || close == layer.npos || open > close) return;
    std::string_view list = layer.substr(open + 1, close - open - 1);
    while (labels.size() < kMost) {
      const size_t begin = list.find('"');
      const size_t end = begin == list.npos ? begin : list.find('"', begin + 1);
      if (end == list.npos) break;
      const std::string_view label = list.substr(begin + 1, end - begin - 1);
      if (!label.empty() && label.size() <= kLongest && std::ranges::all_of(label, is_of_word))
        labels.emplace_back(label);
      list.remove_prefix(end + 1);
    }
  });
  return labels;
}

}  // namespace xtrace
