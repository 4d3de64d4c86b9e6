#include "link/activities/deed.h"

#include <algorithm>

#include "base/lower.h"
#include "base/one_of.h"

namespace xtrace {

namespace {

struct Known {
  std::string_view tool;  ///< small letters, without `_` and `-`
  Deed deed;
};

// Of Claude Code, Codex, Gemini CLI, OpenCode, Cline, Roo Code, Copilot CLI, Cursor, Droid, Goose,
// OpenHands, SWE-agent, Amp, Kiro and pi.
constexpr Known kKnown[] = {
    {"read", Deed::read},
    {"readfile", Deed::read},
    {"readmanyfiles", Deed::read},
    {"view", Deed::read},
    {"viewimage", Deed::read},
    {"viewfile", Deed::read},
    {"notebookread", Deed::read},
    {"fsread", Deed::read},
    {"open", Deed::read},
    {"cat", Deed::read},
    {"grep", Deed::searched},
    {"glob", Deed::searched},
    {"ls", Deed::searched},
    {"find", Deed::searched},
    {"finder", Deed::searched},
    {"findfile", Deed::searched},
    {"searchfile", Deed::searched},
    {"searchdir", Deed::searched},
    {"listdir", Deed::searched},
    {"listdirectory", Deed::searched},
    {"listfiles", Deed::searched},
    {"searchfiles", Deed::searched},
    {"searchfilecontent", Deed::searched},
    {"codebasesearch", Deed::searched},
    {"grepsearch", Deed::searched},
    {"websearch", Deed::searched},
    {"googlewebsearch", Deed::searched},
    {"write", Deed::wrote},
    {"writefile", Deed::wrote},
    {"writetofile", Deed::wrote},
    {"createfile", Deed::wrote},
    {"create", Deed::wrote},
    {"edit", Deed::edited},
    {"editfile", Deed::edited},
    {"multiedit", Deed::edited},
    {"notebookedit", Deed::edited},
    {"replace", Deed::edited},
    {"replaceinfile", Deed::edited},
    {"strreplace", Deed::edited},
    {"strreplaceeditor", Deed::edited},
    {"strreplacebasededittool", Deed::edited},
    {"fileeditor", Deed::edited},
    {"filechange", Deed::edited},
    {"applypatch", Deed::edited},
    {"applydiff", Deed::edited},
    {"insertcontent", Deed::edited},
    {"searchandreplace", Deed::edited},
    {"searchreplace", Deed::edited},
    {"patch", Deed::edited},
    {"fswrite", Deed::edited},
    {"texteditor", Deed::edited},
    {"developertexteditor", Deed::edited},
    {"bash", Deed::ran},
    {"shell", Deed::ran},
    {"localshell", Deed::ran},
    {"shellcommand", Deed::ran},
    {"execcommand", Deed::ran},
    {"execute", Deed::ran},
    {"executebash", Deed::ran},
    {"executecommand", Deed::ran},
    {"commandexecution", Deed::ran},
    {"runshellcommand", Deed::ran},
    {"runterminalcmd", Deed::ran},
    {"runcommand", Deed::ran},
    {"terminal", Deed::ran},
    {"developershell", Deed::ran},
    {"webfetch", Deed::fetched},
    {"fetch", Deed::fetched},
    {"fetchurl", Deed::fetched},
    {"browse", Deed::fetched},
    {"readwebpage", Deed::fetched},
    {"task", Deed::started},
    {"agent", Deed::started},
    {"spawnagent", Deed::started},
    {"newtask", Deed::started},
    {"subagent", Deed::started},
};

// Of the same, and of kits that agents are made with.
constexpr std::string_view kQuestions[] = {
    "askuserquestion",  "askuser",    "askhuman",        "askfollowupquestion",
    "requestuserinput", "humaninput", "requestapproval", "requestconfirmation"};
/// `question` is OpenCode's; elsewhere it may ask anybody.
constexpr std::string_view kPlansAndMore[] = {"question", "exitplanmode", "exitspecmode",
                                              "planexit", "planmoderespond"};

std::string folded(std::string_view tool) {
  std::string name = lower(tool);
  std::erase_if(name, [](char c) { return c == '_' || c == '-'; });
  return name;
}

}  // namespace

Deed deed_of(std::string_view tool) {
  const std::string name = folded(tool);
  const auto* known = std::find_if(std::begin(kKnown), std::end(kKnown),
                                   [&](const Known& one) { return one.tool == name; });
  return known == std::end(kKnown) ? Deed::used : known->deed;
}

bool asks_a_person(std::string_view tool) {
  return puts_a_question(tool) || is_one_of(folded(tool), kPlansAndMore);
}

bool puts_a_question(std::string_view tool) {
  return is_one_of(folded(tool), kQuestions);
}

}  // namespace xtrace
