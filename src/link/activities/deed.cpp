#include "link/activities/deed.h"

#include "base/lower.h"
#include "base/word_table.h"

namespace xtrace {

namespace {

// In small letters, without `_` and `-`. Of Claude Code, Codex, Gemini CLI, OpenCode, Cline, Roo
// Code, Copilot CLI, Cursor, Droid, Goose, OpenHands, SWE-agent, Amp, Kiro and pi.
constexpr WordRow<Deed> kKnown[] = {
    {Deed::read,
     {"read", "readfile", "readmanyfiles", "view", "viewimage", "viewfile", "notebookread",
      "fsread", "open", "cat"}},
    {Deed::searched,
     {"grep", "glob", "ls", "find", "finder", "findfile", "searchfile", "searchdir", "listdir",
      "listdirectory", "listfiles", "searchfiles", "searchfilecontent", "codebasesearch",
      "grepsearch", "websearch", "googlewebsearch"}},
    {Deed::wrote, {"write", "writefile", "writetofile", "createfile", "create"}},
    {Deed::edited,
     {"edit", "editfile", "multiedit", "notebookedit", "replace", "replaceinfile", "strreplace",
      "strreplaceeditor", "strreplacebasededittool", "fileeditor", "filechange"}},
    {Deed::edited,
     {"applypatch", "applydiff", "insertcontent", "searchandreplace", "searchreplace", "patch",
      "fswrite", "texteditor", "developertexteditor"}},
    {Deed::ran,
     {"bash", "shell", "localshell", "shellcommand", "execcommand", "execute", "executebash",
      "executecommand", "commandexecution", "runshellcommand", "runterminalcmd", "runcommand",
      "terminal", "developershell"}},
    {Deed::fetched, {"webfetch", "fetch", "fetchurl", "browse", "readwebpage"}},
    {Deed::started, {"task", "agent", "spawnagent", "newtask", "subagent"}},
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
  return find_meaning(kKnown, folded(tool), Deed::used);
}

bool asks_a_person(std::string_view tool) {
  return puts_a_question(tool) || is_one_of(folded(tool), kPlansAndMore);
}

bool puts_a_question(std::string_view tool) {
  return is_one_of(folded(tool), kQuestions);
}

}  // namespace xtrace
