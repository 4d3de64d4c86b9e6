#include "cli/question_line.h"

#include <utility>
#include <variant>

#include "cli/command.h"

namespace xtrace {

Result<Request> read_question(std::vector<std::string> words) {
  Result<Command> command = read_command_line(std::move(words));
  if (!command) return tl::unexpected(command.error());
  if (Request* request = std::get_if<Request>(&*command)) return std::move(*request);
  return fail(Exit::usage, "this asks for help, not about a session");
}

}  // namespace xtrace
