#include "facts/agents.h"

#include <algorithm>
#include <set>

#include "base/lower.h"

namespace xtrace {

namespace {

using Starts = SpawnTool::Starts;

constexpr std::string_view kDecimal = "0123456789.";
/// A variable of the XDG Base Directory Specification, for folders in ~/.local/share.
constexpr AgentFolder::Moved kXdgData = {"XDG_DATA_HOME", ".local/share"};

constexpr AgentFacts kAgents[] = {
    // What several agents call the same, and kits that agents are made with.
    {.tools = {{Deed::read, "read|readfile|readfiles|view|viewfile|open|cat"},
               {Deed::searched,
                "grep|glob|ls|find|finder|findfile|searchfile|searchdir|listdir|listdirectory|"
                "listfiles|searchfiles|codebasesearch|grepsearch|websearch"},
               {Deed::wrote, "write|writefile|writetofile|createfile|create"},
               {Deed::edited,
                "edit|editfile|replaceinfile|strreplace|strreplaceeditor|strreplacebasededittool|"
                "searchandreplace|searchreplace|patch"},
               {Deed::ran, "bash|shell|execute|executecommand|runterminalcmd|runcommand|terminal"},
               {Deed::fetched, "webfetch|fetch|fetchurl|browse|readwebpage"},
               {Deed::started, "task|agent|subagent"}},
     .questions = "askuserquestion|askuser|askhuman|askfollowupquestion|requestuserinput|"
                  "humaninput|requestapproval|requestconfirmation",
     .spawns = {{.name = "subagent", .starts = Starts::if_told, .prompt = "prompt|instructions"}},
     .skill = {"skill", "skill|name"},
     .instructions = "AGENTS.md|MEMORY.md"},
    {.format = "adk", .product = "Google ADK"},
    {.format = "aider", .product = "Aider", .hidden = ".aider.chat.history.md"},
    {.product = "Amazon Q", .folders = {{".local/share/amazon-q", "data.sqlite3", {kXdgData}}}},
    {.format = "amp",
     .product = "Amp",
     .folders = {{".local/share/amp",
                  "threads",
                  {{"AMP_DATA_HOME", ".local/share/amp"}, kXdgData}}}},
    {.format = "antigravity", .product = "Antigravity", .hidden = ".system_generated"},
    {.format = "atif", .product = "ATIF"},
    {.format = "claude-code",
     .product = "Claude Code",
     .folders = {{".claude", "projects", {{"CLAUDE_CONFIG_DIR", ".claude"}}},
                 {".config/claude", "projects", {{"XDG_CONFIG_HOME", ".config"}}}},
     .tools = {{Deed::read, "notebookread"}, {Deed::edited, "multiedit|notebookedit"}},
     .plans = "exitplanmode",
     .spawns = {{.name = "Task"},
                {.name = "Agent"},
                {.name = "SendMessage",
                 .starts = Starts::if_resumed,
                 .prompt = "message",
                 .resumed = "to"}},
     .skill = {"Skill", "skill|command"},  // `command` before 2.0.20
     .instructions = "CLAUDE.md|CLAUDE.local.md",
     .summing_up = "tasked with summarizing conversations"},
    {.format = "cline",
     .product = "Cline",
     .folders = {{".cline",
                  "data/sessions|data/tasks",
                  {{"CLINE_DATA_DIR", ".cline/data"}, {"CLINE_DIR", ".cline"}}}},
     .extension = "saoudrizwan.claude-dev/tasks",
     .plans = "planmoderespond"},
    {.format = "codex",
     .product = "Codex",
     .folders = {{".codex",
                  "archived_sessions|session_index.jsonl|sessions",
                  {{"CODEX_HOME", ".codex"}}}},
     .tools = {{Deed::read, "viewimage"},
               {Deed::edited, "applypatch|filechange"},
               {Deed::ran, "localshell|shellcommand|execcommand|commandexecution"},
               {Deed::started, "spawnagent"}},
     .spawns = {{.name = "spawn_agent", .type = "agent_type", .prompt = "message"},
                {.name = "send_input",
                 .starts = Starts::if_resumed,
                 .prompt = "message",
                 .resumed = "id"}},
     .marks = {{"Chunk ID: ", "\nOutput:", "0123456789abcdef"},
               {"Wall time: ", "\nOutput:", kDecimal},
               // of 2025:
               {"\"duration_seconds\":", "\"metadata\":{\"exit_code\":", kDecimal, true}}},
    {.format = "command-code",
     .product = "Command Code",
     .folders = {{".commandcode", "projects"}}},
    {.format = "copilot-cli",
     .product = "Copilot CLI",
     .folders = {{".copilot",
                  "session-state",
                  {{"COPILOT_HOME", ".copilot"}, {"XDG_STATE_HOME", ""}}}},
     .marks = {{"\n<shellId: ", " completed with exit code ", kDecimal, true}}},
    {.format = "cursor",
     .product = "Cursor",
     .folders = {{".cursor", "projects", {{"CURSOR_DATA_DIR", ".cursor"}}}}},
    {.product = "Devin", .folders = {{".local/share/devin", "cli/transcripts", {kXdgData}}}},
    {.format = "droid",
     .product = "Droid",
     .folders = {{".factory", "sessions", {{"FACTORY_HOME_OVERRIDE", ""}}}},
     .plans = "exitspecmode"},
    {.format = "gemini-cli",
     .product = "Gemini CLI",
     // Antigravity keeps its conversations in the same folder.
     .folders = {{".gemini",
                  "antigravity*/brain/*/.system_generated/logs/transcript*.jsonl|"
                  "antigravity-cli/history.jsonl|tmp",
                  {{"GEMINI_CLI_HOME", ""}}}},
     .tools = {{Deed::read, "readmanyfiles"},
               {Deed::searched, "searchfilecontent|googlewebsearch"},
               {Deed::edited, "replace"},
               {Deed::ran, "runshellcommand"}},
     .skill = {"activate_skill", "name"},
     .instructions = "GEMINI.md",
     .summing_up = "the component that summarizes internal chat history",
     .marks = {{"\nProcess Group PGID: ", "", kDecimal, true}}},
    {.format = "goose",
     .product = "Goose",
     .folders = {{".local/share/goose",
                  "data/sessions|sessions",
                  {{"GOOSE_PATH_ROOT", ".local/share/goose"}, kXdgData}}},
     .tools = {{Deed::edited, "texteditor|developertexteditor"}, {Deed::ran, "developershell"}},
     .spawns = {{.name = "delegate", .starts = Starts::if_told, .prompt = "prompt|instructions"}}},
    {.format = "gptme",
     .product = "gptme",
     .folders = {{".local/share/gptme",
                  "logs",
                  {{"GPTME_LOGS_HOME", ".local/share/gptme/logs"}, kXdgData}}}},
    {.format = "grok",
     .product = "Grok Build",
     .folders = {{".grok", "sessions", {{"GROK_HOME", ".grok"}}}}},
    {.format = "grok-cli", .product = "Grok CLI"},
    {.product = "iFlow", .folders = {{".iflow", "projects"}}},
    {.product = "Kilo Code",
     .folders = {{".local/share/kilo", "kilo.db", {kXdgData}}},
     .extension = "kilocode.kilo-code/tasks"},
    {.product = "Kimi",
     .folders = {{".kimi", "sessions", {{"KIMI_SHARE_DIR", ".kimi"}}}, {".kimi-code", "sessions"}}},
    {.format = "kiro",
     .product = "Kiro",
     .folders = {{".kiro", "sessions", {{"KIRO_HOME", ".kiro"}}},
                 {".local/share/kiro-cli", "data.sqlite3", {kXdgData}}},
     .tools = {{Deed::read, "fsread"}, {Deed::edited, "fswrite"}}},
    {.format = "mini-swe-agent", .product = "mini-SWE-agent"},
    {.format = "opencode",
     .product = "OpenCode",
     .folders = {{".local/share/opencode",
                  "opencode.db|opencode-*.db",  // each channel of releases has its own
                  {kXdgData},
                  "storage"}},
     .plans = "question|planexit"},
    {.format = "openhands",
     .product = "OpenHands",
     .folders = {{".openhands",
                  "conversations|sessions",
                  {{"OH_PERSISTENCE_DIR", ".openhands"}, {"FILE_STORE_PATH", ".openhands"}}}},
     .tools = {{Deed::edited, "fileeditor"}, {Deed::ran, "executebash|run|runipython"}}},
    {.format = "pi",
     .product = "pi",
     .folders = {{".pi", "agent/sessions", {{"PI_CODING_AGENT_DIR", ".pi/agent"}}}}},
    {.format = "qwen-code",
     .product = "Qwen Code",
     .folders = {{".qwen", "projects", {{"QWEN_HOME", ".qwen"}}}},
     .spawns = {{.name = "task", .starts = Starts::if_typed}},
     .instructions = "QWEN.md"},
    {.format = "reasonix",
     .product = "Reasonix",
     .folders = {{".reasonix", "archive|projects|sessions|usage.jsonl"}}},
    {.format = "roo-code",
     .product = "Roo Code",
     .extension = "rooveterinaryinc.roo-cline/tasks",
     .tools = {{Deed::edited, "applydiff|insertcontent"}, {Deed::started, "newtask"}}},
    {.format = "swe-agent", .product = "SWE-agent"},
    {.format = "vibe",
     .product = "Mistral Vibe",
     .folders = {{".vibe", "logs/session", {{"VIBE_HOME", ".vibe"}}}}},
    // Chats of windows without a folder.
    {.format = "vscode-chat",
     .product = "VS Code",
     .extension = "emptyWindowChatSessions|transferredChatSessions"},
};

}  // namespace

std::span<const AgentFacts> agents() {
  return kAgents;
}

std::string_view find_product(std::string_view format) {
  const auto* known = std::ranges::find(kAgents, format, &AgentFacts::format);
  return format.empty() || known == std::end(kAgents) ? format : known->product;
}

const SpawnTool* find_spawn_tool(std::string_view name) {
  // A list, as this is asked of every tool use: few rows have such tools.
  static const std::vector<SpawnTool> kTools = [] {
    std::vector<SpawnTool> tools;
    for (const AgentFacts& agent : kAgents)
      for (const SpawnTool& tool : agent.spawns)
        if (!tool.name.empty()) tools.push_back(tool);
    return tools;
  }();
  const auto known = std::ranges::find(kTools, name, &SpawnTool::name);
  return known == kTools.end() ? nullptr : &*known;
}

std::vector<std::string> list_spawn_tools() {
  std::vector<std::string> names;
  for (const AgentFacts& agent : kAgents)
    for (const SpawnTool& tool : agent.spawns)
      if (!tool.name.empty() && tool.starts == Starts::always) names.emplace_back(tool.name);
  return names;
}

std::string_view find_skill_keys(std::string_view tool) {
  static const std::vector<SkillTool> kTools = [] {
    std::vector<SkillTool> tools;
    for (const AgentFacts& agent : kAgents)
      if (!agent.skill.name.empty()) tools.push_back(agent.skill);
    return tools;
  }();
  const auto known = std::ranges::find(kTools, tool, &SkillTool::name);
  return known == kTools.end() ? std::string_view() : known->keys;
}

bool has_any_word(std::string_view text, std::string_view AgentFacts::*list) {
  bool any = false;
  for (const AgentFacts& agent : kAgents)
    each_word(agent.*list,
              [&](std::string_view word) { any = any || text.find(word) != text.npos; });
  return any;
}

bool is_instruction_file(std::string_view name) {
  static const std::set<std::string> kFiles = [] {
    std::set<std::string> files;
    for (const AgentFacts& agent : kAgents)
      each_word(agent.instructions, [&](std::string_view file) { files.insert(lower(file)); });
    return files;
  }();
  return kFiles.contains(lower(name));
}

}  // namespace xtrace
