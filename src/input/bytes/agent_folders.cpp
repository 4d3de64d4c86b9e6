#include "input/bytes/agent_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace xtrace {

namespace {

/// Editors in which extensions keep their sessions, below a home.
constexpr std::string_view kEditors[] = {
    ".config/Code - Insiders/User", ".config/Code/User",     ".config/Cursor/User",
    ".config/VSCodium/User",        ".config/Windsurf/User", ".vscode-server/data/User"};
/// Chats of windows with a folder.
constexpr std::string_view kChats = "*/chatSessions";

std::vector<AgentFolder> list_folders() {
  static std::set<std::string> names;  // the folders name them
  std::vector<AgentFolder> folders;
  std::set<std::string_view> extensions;
  for (const AgentFacts& agent : agents()) {
    for (const AgentFolder& folder : agent.folders)
      if (!folder.root.empty()) folders.push_back(folder);
    each_word(agent.extension, [&](std::string_view one) { extensions.insert(one); });
  }
  const std::string& stored = *names.insert(fmt::format("{}", fmt::join(extensions, "|"))).first;
  for (std::string_view editor : kEditors) {
    const auto below = [&](std::string_view folder) -> std::string_view {
      return *names.insert(fmt::format("{}/{}", editor, folder)).first;
    };
    folders.push_back(AgentFolder{.root = below("globalStorage"), .logs = stored});
    folders.push_back(AgentFolder{.root = below("workspaceStorage"), .logs = kChats});
  }
  std::ranges::sort(folders, {}, &AgentFolder::root);
  return folders;
}

}  // namespace

std::span<const AgentFolder> agent_folders() {
  static const std::vector<AgentFolder> kFolders = list_folders();
  return kFolders;
}

}  // namespace xtrace
