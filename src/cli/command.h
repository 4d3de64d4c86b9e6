#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/common_options.h"
#include "input/load.h"
#include "link/calls/link.h"
#include "redact/door.h"
#include "render/renderer.h"
#include "view/common/view.h"

namespace xtrace {

/// What a command line asks for, ready to be run.
struct Request {
  const ViewEntry* entry = nullptr;
  std::unique_ptr<View> view;
  std::vector<std::string> inputs;
  Loading loading;
  Linking linking;
  RedactPolicy redaction;
  FieldPolicy fields;
  PriceTable prices = list_prices();
  std::vector<std::string> patterns;  ///< of the command line and the configuration, to be hidden
  std::vector<std::string> reveal;
  Door::Level level = Door::Level::basic;
  size_t max_text = 200;
  const Renderer* renderer = nullptr;
  Paper paper;
  std::string output;  ///< empty: standard output
  TraceFiles files;
  GraphFiles graph;
  std::string audit_log;              ///< empty: none
  std::vector<std::string> options;   ///< those that have a say in the answer, as words
  std::vector<std::string> settings;  ///< files that say how to answer
  std::vector<std::string> warnings;  ///< of what stands in them
  bool strict = false, quiet = false, verbose = false;
};

/// A request, or a text to print instead (help, version, schema, completion), or what is wrong with
/// the command line.
struct Printed {
  std::string text;
};
using Command = std::variant<Request, Printed>;
Result<Command> read_command_line(int argc, const char* const* argv);

/// `command` has no such option; which has, or which is near.
tl::unexpected<Error> unknown_option(const std::string& command, const std::string& word,
                                     const OptionList& options);

/// Carries it out: read, link, answer, render.
Result<Exit> run(Request request);

/// One line on standard error that says what to do.
void print_error(const Error& error);

std::string help_for_all();
std::string help_for_prices();
std::string help_for_config();
std::string help_for(const ViewEntry& entry, const OptionList& options);
/// The manual page, in roff.
std::string manual_page();
/// The script that completes commands, options and values in a shell.
Result<std::string> completion(std::string_view shell);
/// What the format `both` adds to a view's JSON.
inline constexpr Column kPicture[] = {{"mermaid", "the picture, for Markdown"}};
/// The JSON Schema of a view's answer.
std::string schema_of(const ViewEntry& entry);

}  // namespace xtrace
