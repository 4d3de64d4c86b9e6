#include <fmt/format.h>

#include <span>

#include "cli/commands.h"
#include "cli/manual_text.h"
#include "settings/config.h"

#ifndef XTRACE_RELEASED
#define XTRACE_RELEASED "unreleased"
#endif

namespace xtrace {

namespace {

std::string roff(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string options_of(std::span<const OptionSpec> options) {
  std::string text;
  for (const OptionSpec& spec : options) {
    std::string names = spec.name;
    if (size_t comma = names.find(','); comma != std::string::npos) names.insert(comma + 1, " ");
    text += fmt::format(".TP\n.B {}", roff(names));
    if (!spec.placeholder.empty()) text += fmt::format(" \\fI{}\\fR", roff(spec.placeholder));
    text += '\n' + roff(spec.help);
    if (!spec.words.empty())
      text += fmt::format(" ({})", roff(fmt::format("{}", fmt::join(spec.words, ", "))));
    text += ".\n";
  }
  return text;
}

std::string configuration() {
  std::string text;
  for (const ConfigKey& key : config_keys()) {
    text += fmt::format(".TP\n.B {} \\fR({})\n", roff(key.name), roff(key.fallback));
    if (!key.option.empty()) text += fmt::format("\\fB{}\\fR: ", roff(key.option));
    text += roff(key.meaning) + ".\n";
  }
  return text;
}

/// The manual page, in roff.
std::string manual_page() {
  std::string page =
      R"(.\" Made by `xtrace manual-page`; the options stand where they are declared.
.TH XTRACE 1 ")" XTRACE_RELEASED R"(" "xtrace )" XTRACE_VERSION R"(" "User Commands"
)";
  page += kManualHead;
  page += ".SH COMMANDS\n";
  for (const ViewEntry& entry : views()) {
    Listed listed = list_options(entry);
    page += fmt::format(".SS {} \\- {}\n{}\n", entry.name, roff(entry.summary), roff(entry.about));
    page += options_of(std::span(listed.options.specs()).first(listed.own));
  }
  page += kManualCommon;
  Listed listed = list_options(views().front());
  page += options_of(std::span(listed.options.specs()).subspan(listed.own));
  page += kManualTail;
  for (const OtherCommand& command : other_commands())
    page += fmt::format(".TP\n{}", command.manual);
  page += kManualBehindCommands;
  page += configuration();
  page += kManualEnd;
  for (const ViewEntry& entry : views()) page += fmt::format(".EX\n{}.EE\n", roff(entry.examples));
  return page;
}

}  // namespace

extern constinit const OtherCommand kManualPageCommand = {
    .name = "manual-page",
    .run = [](const std::vector<std::string>&) -> Result<Command> {
      return Printed{manual_page()};
    },
};

}  // namespace xtrace
