#include "input/bytes/agent_folders.h"

namespace xtrace {

namespace {

/// Tasks of Cline, Roo Code and Kilo Code, and chats of windows without a folder, in the storage of
/// an editor.
constexpr std::string_view kExtensions =
    "emptyWindowChatSessions|kilocode.kilo-code/tasks|rooveterinaryinc.roo-cline/tasks|"
    "saoudrizwan.claude-dev/tasks|transferredChatSessions";
/// Chats of windows with a folder.
constexpr std::string_view kChats = "*/chatSessions";

constexpr AgentFolder kFolders[] = {
    {".claude", "projects", {{"CLAUDE_CONFIG_DIR", ".claude"}}},
    {".cline",
     "data/sessions|data/tasks",
     {{"CLINE_DATA_DIR", ".cline/data"}, {"CLINE_DIR", ".cline"}}},
    {".codex", "archived_sessions|session_index.jsonl|sessions", {{"CODEX_HOME", ".codex"}}},
    {".commandcode", "projects", {}},
    {".config/Code - Insiders/User/globalStorage", kExtensions, {}},
    {".config/Code - Insiders/User/workspaceStorage", kChats, {}},
    {".config/Code/User/globalStorage", kExtensions, {}},
    {".config/Code/User/workspaceStorage", kChats, {}},
    {".config/Cursor/User/globalStorage", kExtensions, {}},
    {".config/Cursor/User/workspaceStorage", kChats, {}},
    {".config/VSCodium/User/globalStorage", kExtensions, {}},
    {".config/VSCodium/User/workspaceStorage", kChats, {}},
    {".config/Windsurf/User/globalStorage", kExtensions, {}},
    {".config/Windsurf/User/workspaceStorage", kChats, {}},
    {".config/claude", "projects", {{"XDG_CONFIG_HOME", ".config"}}},
    {".copilot", "session-state", {{"COPILOT_HOME", ".copilot"}, {"XDG_STATE_HOME", ""}}},
    {".cursor", "projects", {{"CURSOR_DATA_DIR", ".cursor"}}},
    {".factory", "sessions", {{"FACTORY_HOME_OVERRIDE", ""}}},
    {".gemini",
     "antigravity*/brain/*/.system_generated/logs/transcript*.jsonl|"
     "antigravity-cli/history.jsonl|tmp",
     {{"GEMINI_CLI_HOME", ""}}},
    {".grok", "sessions", {{"GROK_HOME", ".grok"}}},
    {".iflow", "projects", {}},
    {".kimi", "sessions", {{"KIMI_SHARE_DIR", ".kimi"}}},
    {".kimi-code", "sessions", {}},
    {".kiro", "sessions", {{"KIRO_HOME", ".kiro"}}},
    {".local/share/amazon-q", "data.sqlite3", {{"XDG_DATA_HOME", ".local/share"}}},
    {".local/share/amp",
     "threads",
     {{"AMP_DATA_HOME", ".local/share/amp"}, {"XDG_DATA_HOME", ".local/share"}}},
    {".local/share/devin", "cli/transcripts", {{"XDG_DATA_HOME", ".local/share"}}},
    {".local/share/goose",
     "data/sessions|sessions",
     {{"GOOSE_PATH_ROOT", ".local/share/goose"}, {"XDG_DATA_HOME", ".local/share"}}},
    {".local/share/gptme",
     "logs",
     {{"GPTME_LOGS_HOME", ".local/share/gptme/logs"}, {"XDG_DATA_HOME", ".local/share"}}},
    {".local/share/kilo", "kilo.db", {{"XDG_DATA_HOME", ".local/share"}}},
    {".local/share/kiro-cli", "data.sqlite3", {{"XDG_DATA_HOME", ".local/share"}}},
    {".local/share/opencode",
     "opencode.db|opencode-*.db",  // each channel of releases has its own
     {{"XDG_DATA_HOME", ".local/share"}},
     "storage"},
    {".openhands",
     "conversations|sessions",
     {{"OH_PERSISTENCE_DIR", ".openhands"}, {"FILE_STORE_PATH", ".openhands"}}},
    {".pi", "agent/sessions", {{"PI_CODING_AGENT_DIR", ".pi/agent"}}},
    {".qwen", "projects", {{"QWEN_HOME", ".qwen"}}},
    {".reasonix", "archive|projects|sessions|usage.jsonl", {}},
    {".vibe", "logs/session", {{"VIBE_HOME", ".vibe"}}},
    {".vscode-server/data/User/globalStorage", kExtensions, {}},
    {".vscode-server/data/User/workspaceStorage", kChats, {}},
};

}  // namespace

std::span<const AgentFolder> agent_folders() {
  return kFolders;
}

}  // namespace xtrace
