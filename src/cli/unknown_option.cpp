#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/one_of.h"
#include "base/text.h"
#include "cli/commands.h"

namespace xtrace {

namespace {

/// What people call an option that has another name here, or is none of this command.
struct OtherName {
  std::string_view said;
  std::string_view option;     ///< by which a command does it
  std::string_view written;    ///< how it is said there
  std::string_view elsewhere;  ///< a command line for those without the option
};
constexpr std::string_view kOfTurn = "`xtrace explain FILE --node 'turn 9'`",
                           kQueryOfTurn = "`xtrace trace FILE --query 9`",
                           kTurns = "`xtrace list FILE --queries`",
                           kByTurn = "`xtrace stats FILE --by turn`",
                           kErrors = "`xtrace dag FILE --status error`",
                           kByDay = "`xtrace stats FILE --by day`", kBill = "`xtrace stats FILE`",
                           kFollow = "`xtrace follow FILE`";
constexpr OtherName kOtherNames[] = {
    {"--turn", "--node", "--node 'turn 9'", kOfTurn},
    {"--turn", "--query", "--query 9", kQueryOfTurn},
    {"--turns", "--queries", "--queries", kTurns},
    {"--turns", "--by", "--by turn", kByTurn},
    {"--error", "--status", "--status error", kErrors},
    {"--errors", "--status", "--status error", kErrors},
    {"--failed", "--status", "--status error", kErrors},
    {"--failure", "--symptom", "--symptom", "`xtrace blame FILE`"},
    {"--group-by", "--by", "--by", kByDay},
    {"--cost", "--sort", "--sort cost", kBill},
    {"--costs", "--sort", "--sort cost", kBill},
    {"--watch", "", "", kFollow},
    {"--follow", "", "", kFollow},
    {"--suite", "", "", "`xtrace eval SUITE FILE`"},
    {"--format", "--to", "--to", ""},
    {"--limit", "--top", "--top", ""},
    {"-n", "--top", "--top", ""},
    {"--query", "--node", "--node", ""},
    {"--node", "--query", "--query", ""},
    {"--id", "--node", "--node", ""},
    {"--id", "--query", "--query", ""},
    {"--no-color", "--color", "--color never", ""},
    {"--no-colour", "--color", "--color never", ""},
};

const OptionSpec* spec_of(const OptionList& options, std::string_view name) {
  const auto found = std::ranges::find_if(options.specs(), [name](const OptionSpec& spec) {
    const bool is_letter = name.size() == 2 && spec.name.starts_with(name);  // `-f,--format`
    return spec.long_name() == name || is_letter;
  });
  return found == options.specs().end() ? nullptr : &*found;
}

/// `-f json` of `--json`, where the command answers so.
std::string as_format(std::string_view option, const OptionList& options) {
  for (std::string_view name : {"--format", "--to"}) {
    const OptionSpec* spec = spec_of(options, name);
    if (spec != nullptr &&
        is_one_of(option.substr(std::min<size_t>(2, option.size())), spec->words))
      return fmt::format("`-f {}`", option.substr(2));
  }
  return {};
}

/// How what somebody looked for is said.
struct OtherWays {
  std::vector<std::string> here;            ///< by this command
  std::vector<std::string_view> elsewhere;  ///< by others, if by none here
};

OtherWays other_ways(std::string_view option, const OptionList& options) {
  OtherWays ways;
  if (std::string format = as_format(option, options); !format.empty())
    ways.here.push_back(std::move(format));
  for (const OtherName& other : kOtherNames) {
    if (other.said != option) continue;
    if (spec_of(options, other.option) != nullptr)
      ways.here.push_back(fmt::format("`{}`", other.written));
    else if (!other.elsewhere.empty())
      ways.elsewhere.push_back(other.elsewhere);
  }
  return ways;
}

}  // namespace

tl::unexpected<Error> unknown_option(const std::string& command, const std::string& word,
                                     const OptionList& options) {
  const std::string_view option = std::string_view(word).substr(0, word.find('='));
  const std::string help =
      fmt::format("\ntry: xtrace {}--help", command.empty() ? "" : command + ' ');
  const OtherWays ways = other_ways(option, options);
  const std::string unknown = fmt::format("unknown option '{}'", printable(word));
  if (!ways.here.empty())
    return fail(Exit::usage,
                fmt::format("{}; did you mean {}?{}", unknown, fmt::join(ways.here, " or "), help));
  std::vector<std::string_view> takers;
  for (const ViewEntry& entry : views())
    if (Listed listed = list_options(entry); spec_of(listed.options, option) != nullptr)
      takers.push_back(entry.name);
  for (const OtherCommand& other : other_commands())
    if (command != other.name && is_one_of(option, options_of(other))) takers.push_back(other.name);
  if (!takers.empty())
    return fail(Exit::usage,
                fmt::format("{} option {}{} is for {}{}",
                            command.empty() ? "the" : fmt::format("'{}' has no", command), option,
                            command.empty() ? "" : "; it", fmt::join(takers, ", "), help));
  if (!ways.elsewhere.empty())
    return fail(Exit::usage,
                fmt::format("{}; use {}{}", unknown, fmt::join(ways.elsewhere, " or "), help));
  std::vector<std::string_view> known = {"--help", "--version"};
  for (const OptionSpec& spec : options.specs()) known.push_back(spec.long_name());
  const bool is_letter = option.size() == 2;  // many names contain it
  return fail(Exit::usage, unknown + (is_letter ? "" : did_you_mean(option, known)) + help);
}

}  // namespace xtrace
