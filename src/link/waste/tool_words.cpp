#include "link/waste/tool_words.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "link/waste/word_set.h"

namespace xtrace {

namespace {

/// The words of a name, in small letters, without the name of the server that has the tool.
std::vector<std::string> words_of_name(std::string_view tool) {
  if (const size_t at = tool.rfind("__"); at != tool.npos && at + 2 < tool.size())
    tool.remove_prefix(at + 2);
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  std::vector<std::string> words;
  bool goes_on = false;
  for (size_t i = 0; i < tool.size(); ++i) {
    const char c = tool[i];
    if (!is_letter(c)) {
      goes_on = false;
      continue;
    }
    // `readFile`, and `LSTool`, where the last capital begins a word.
    const bool begins = !is_small(c) && i > 0 &&
                        (is_small(tool[i - 1]) || (i + 1 < tool.size() && is_small(tool[i + 1])));
    if (!goes_on || begins) words.emplace_back();
    words.back() += static_cast<char>(c | 0x20);
    goes_on = true;
  }
  return words;
}

/// Words that the name of a tool with an act has, all of them.
struct ActWords {
  CommandAct act;
  std::initializer_list<std::string_view> words;
};
const ActWords kActWords[] = {
    {CommandAct::tests, {"run", "tests"}},
    {CommandAct::tests, {"run", "test"}},
    {CommandAct::tests, {"runtests"}},
    {CommandAct::builds, {"build", "project"}},
    {CommandAct::builds, {"run", "build"}},
    {CommandAct::lints, {"run", "lint"}},
    {CommandAct::commits, {"git", "commit"}},
    {CommandAct::pushes, {"git", "push"}},
    {CommandAct::pushes, {"push", "files"}},
    {CommandAct::opens_request, {"create", "pull", "request"}},
    {CommandAct::opens_request, {"create", "merge", "request"}},
};

}  // namespace

ToolNameTraits classify_tool_name(std::string_view tool) {
  const std::vector<std::string> words = words_of_name(tool);
  const auto has = [&](std::initializer_list<std::string_view> any) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return std::find(any.begin(), any.end(), word) != any.end();
    });
  };
  const bool is_for_itself = has({"todo", "todos", "todowrite", "todoread", "plan"});
  ToolNameTraits traits;
  traits.edits = !is_for_itself && !has({"memory"}) &&
                 (has({"edit", "multiedit", "editor", "write", "writefile", "patch", "replace",
                       "insert", "rename"}) ||
                  (has({"create", "delete", "move"}) && has({"file", "files"})));
  const bool acts = has({"create", "update", "append", "send", "submit", "kill", "add", "delete",
                         "remove", "write", "upload", "install", "approve", "cancel", "press"});
  const bool looks = has(
      {"read",  "view",   "list",     "search",  "grep",      "glob",     "find",
       "fetch", "get",    "query",    "show",    "output",    "status",   "wait",
       "look",  "lookup", "inspect",  "think",   "ls",        "docs",     "outline",
       "count", "open",   "readfile", "listdir", "websearch", "webfetch", "sequentialthinking"});
  traits.changes = traits.edits || (!is_for_itself && (acts || !looks));
  traits.reads_files = (has({"read", "readfile", "view"}) || (has({"str"}) && has({"replace"})) ||
                        (has({"cat", "open", "get"}) && has({"file"}))) &&
                       !is_for_itself && !has({"thread", "output", "mailbox"});
  traits.polls =
      has({"output", "wait", "status", "poll", "sleep", "monitor", "stdin", "progress", "check"});
  const auto has_word = [&](std::string_view word) { return has({word}); };
  for (const ActWords& one : kActWords)
    if (std::ranges::all_of(one.words, has_word)) traits.acts.set(static_cast<size_t>(one.act));
  return traits;
}

}  // namespace xtrace
