#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/common_options.h"
#include "run/request.h"

namespace xtrace {

/// A text to print instead of an answer: help, version, schema, completion.
struct Printed {
  std::string text;
};
/// Runs until its client goes.
struct Service {
  std::function<Result<Exit>()> run;
};
using Command = std::variant<Request, Printed, Service>;
/// `words`: those after the name of the program. An Error says what is wrong with the command line.
Result<Command> read_command_line(std::vector<std::string> words);

/// Carries a request out: answers it, follows its inputs, or verifies an answer to it.
Result<Exit> run(const Request& request);

/// One line that says what to do, with those that list what there is; none wider than `columns`
/// where words allow it.
std::string error_text(const Error& error, size_t columns);
/// Writes that to standard error, where a terminal is as wide as it is, else unbroken.
void print_error(const Error& error);

/// `command` has no such option; how it does that, which has it, or which is near. No command: it
/// is the first word there is.
tl::unexpected<Error> unknown_option(const std::string& command, const std::string& word,
                                     const OptionList& options);

std::string help_for_all();
/// Its purpose, examples and own options; those that it shares are in the topics.
std::string help_for(const Listed& listed);
/// The script that completes commands, options and values in a shell.
Result<std::string> completion(std::string_view shell);
/// The JSON Schema of a view's answer.
std::string schema_of(const ViewEntry& entry);

}  // namespace xtrace
