#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "link/graph/graph.h"
#include "settings/taint_rules.h"

namespace xtrace {

/// Where the folder of a session's project is known from: its log, the folder that all files it
/// read share, or nowhere.
enum class ProjectFrom : uint8_t { log, files, nowhere };
inline constexpr std::string_view kProjectFromWords[] = {"log", "files", "unknown"};
constexpr std::string_view word(ProjectFrom from) {
  return kProjectFromWords[static_cast<size_t>(from)];
}

struct ProjectFolder {
  std::string folder;
  ProjectFrom from = ProjectFrom::nowhere;
};

/// Which rule fits a tool use. Rules are pointers into the TaintRules, which outlive this; nullptr:
/// none does.
class ToolRules {
 public:
  ToolRules(const Graph& graph, const TaintRules& rules);

  const TaintRule* sink(CallId call, const ToolUse& use) const;
  /// Of a tool use and a result of it.
  const TaintRule* source(CallId call, const ToolUse& use, std::string_view result) const;
  const TaintRule* secret(CallId call, const ToolUse& use, std::string_view result) const;
  /// Could a result of it be one of either?
  bool may_bring(CallId call, const ToolUse& use) const;

  /// Does it keep text in a file, or read it from there? `argument` is what it is given as `file`.
  enum class Memory : uint8_t { none, writes, reads };
  Memory memory(const ToolUse& use) const;

  const ProjectFolder& project(uint32_t session) const { return projects_[session]; }

 private:
  bool fits(const TaintRule& rule, CallId call, const ToolUse& use) const;
  bool fits(const TaintPaths& paths, CallId call, const ToolUse& use) const;
  bool is_trusted(const ToolUse& use) const;
  const TaintRule* first(const std::vector<TaintRule>& rules, CallId call, const ToolUse& use,
                         std::string_view result) const;

  const Graph& graph_;
  const Trace& trace_;
  const TaintRules& rules_;
  std::vector<ProjectFolder> projects_;  ///< by session
};

/// The labels of a `dataTaint` mark (A2A), with which a sender says what data is derived from;
/// none: the text has no mark. Only words of letters, digits, `-` and `_`.
std::vector<std::string> data_taint_labels(std::string_view text);

}  // namespace xtrace
