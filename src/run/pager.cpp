#include "run/pager.h"

#include <cstdlib>
#include <string>
#include <string_view>

#include "base/system.h"
#include "base/variable.h"

namespace xtrace {

namespace {

std::string pager_command() {
  for (const char* name : {"XTRACE_PAGER", "PAGER"})
    if (std::getenv(name) != nullptr) return std::string(variable(name));
  return "less";
}

/// Is the program there that a command begins with? A shell would say so too late.
bool is_there(const std::string& command) {
  return has_program(command.substr(0, command.find_first_of(" \t")));
}

}  // namespace

bool may_page() {
  const std::string_view terminal = variable("TERM");
  if (!variable("CI").empty() || terminal.empty() || terminal == "dumb") return false;
  for (int end : {kStandardInput, kStandardOutput, kStandardError})
    if (!is_terminal(end)) return false;
  // A pager is driven by the keys of the terminal that rules over the process, if one does.
  return has_keyboard();
}

Pager::Pager(bool is_wanted) {
  const std::string command = is_wanted ? pager_command() : std::string();
  if (command.empty() || command == "cat" || !is_there(command)) return;
  // Leave one screen where it is, keep colours, do not clear.
  command_.emplace(command, std::vector<PipedCommand::Variable>{{"LESS", "FRX"}, {"LV", "-c"}});
}

}  // namespace xtrace
