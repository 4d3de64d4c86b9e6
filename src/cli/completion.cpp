#include <fmt/format.h>

#include "base/nearest.h"
#include "base/text.h"
#include "cli/commands.h"

namespace xtrace {

namespace {

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

std::vector<std::string_view> shells() {
  return {std::begin(kShells), std::end(kShells)};
}

std::string words_behind(const OtherCommand& command) {
  if (command.words == nullptr) return {};
  return fmt::format("{}", fmt::join(command.words(), " "));
}

std::string_view hint(const OtherCommand& command) {
  return command.hint.empty() ? command.summary : command.hint;
}

/// `f` of `-f,--format`; empty: it has no letter.
std::string letter_of(const OptionSpec& spec) {
  return spec.name.starts_with("--") ? "" : spec.name.substr(1, 1);
}

/// The text for single quotes of a shell.
std::string in_single_quotes(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::string bash() {
  std::string cases;
  for (const ViewEntry& entry : views()) {
    Listed listed = list_options(entry);
    std::string options = "--help", values;
    for (const OptionSpec& spec : listed.options.specs()) {
      options += fmt::format(" {}", spec.long_name());
      if (spec.words.empty()) continue;
      std::string names(spec.name);
      if (size_t comma = names.find(','); comma != std::string::npos) names[comma] = '|';
      values += fmt::format("        {}) values='{}' ;;\n", names, fmt::join(spec.words, " "));
    }
    cases += fmt::format("    {})\n      options='{}'\n      case $previous in\n{}      esac ;;\n",
                         entry.name, options, values);
  }
  for (const OtherCommand& command : other_commands())
    cases += fmt::format("    {}) options='{}' values='{}' ;;\n", command.name,
                         fmt::join(options_of(command), " "), words_behind(command));
  // Bash takes `--level=ba` for three words.
  return fmt::format(R"(# bash completion for xtrace
_xtrace() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} options= values=
  if [ "$current" = = ]; then
    current=
  elif [ "$previous" = = ]; then
    previous=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [ "$COMP_CWORD" = 1 ]; then
    values='{} --help --version'
  fi
  COMPREPLY=()
  if [ -n "$values" ]; then
    [ "$COMP_CWORD" = 1 ] || compopt +o default 2>/dev/null
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [ "${{current#-}}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  fi
}}
complete -o default -F _xtrace xtrace
)",
                     cases, fmt::join(command_names(), " "));
}

/// One option as _arguments wants it.
std::string zsh_option(const OptionSpec& spec) {
  std::string help = in_single_quotes(spec.help), value, letter = letter_of(spec);
  for (size_t at = 0; (at = help.find_first_of("[]:", at)) != std::string::npos; at += 2)
    help.insert(at, 1, '\\');
  if (!spec.words.empty())
    value = fmt::format(":{}:({})", spec.placeholder, fmt::join(spec.words, " "));
  else if (!spec.is_switch())
    value = fmt::format(":{}:{}", spec.placeholder, spec.placeholder == "FILE" ? "_files" : " ");
  std::string name = fmt::format("{}{}", spec.long_name(), spec.is_switch() ? "" : "=");
  std::string_view again = spec.takes_many() ? "*" : "";
  if (letter.empty()) return fmt::format("      '{}{}[{}]{}' \\\n", again, name, help, value);
  return fmt::format("      '(-{0} {1})'{{-{0}{2},{3}}}'[{4}]{5}' \\\n", letter, spec.long_name(),
                     spec.is_switch() ? "" : "+", name, help, value);
}

std::string zsh() {
  std::string commands, cases;
  for (const ViewEntry& entry : views()) {
    commands += fmt::format("    '{}:{}'\n", entry.name, in_single_quotes(entry.summary));
    cases += fmt::format("    {}) _arguments -s \\\n", entry.name);
    Listed listed = list_options(entry);
    for (const OptionSpec& spec : listed.options.specs()) cases += zsh_option(spec);
    cases += "      '(- *)'{-h,--help}'[help for the command]' \\\n      '*:file:_files' ;;\n";
  }
  for (const OtherCommand& command : other_commands()) {
    commands += fmt::format("    '{}:{}'\n", command.name, hint(command));
    std::string options;
    if (command.words == nullptr)
      for (const std::string& option : options_of(command))
        options += fmt::format(" '*{}'", option);
    const std::string words = command.words == nullptr
                                  ? "'*:file:_files'"
                                  : fmt::format("'1:{}:({})'", command.name, words_behind(command));
    cases += fmt::format("    {}) _arguments{} {} ;;\n", command.name, options, words);
  }
  return fmt::format(R"(#compdef xtrace
_xtrace() {{
  local -a commands=(
{}  )
  local -a options=('--help:commands and topics' '--version:version of xtrace')
  if (( CURRENT == 2 )); then
    _describe command commands
    _describe -o option options
    _files
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
if [ "$funcstack[1]" = _xtrace ]; then _xtrace "$@"; else compdef _xtrace xtrace; fi
)",
                     commands, cases);
}

std::string fish_option(const ViewEntry& entry, const OptionSpec& spec) {
  std::string letter = letter_of(spec), value;
  if (!letter.empty()) letter = " -s " + letter;
  if (!spec.words.empty())
    value = fmt::format(" -x -a '{}'", fmt::join(spec.words, " "));
  else if (!spec.is_switch())
    value = spec.placeholder == "FILE" ? " -r -F" : " -x";
  return fmt::format("complete -c xtrace -n '__xtrace_command {}' -l {}{}{} -d '{}'\n", entry.name,
                     spec.long_name().substr(2), letter, value, in_single_quotes(spec.help));
}

std::string fish() {
  std::string first, behind;
  for (const ViewEntry& entry : views()) {
    first += fmt::format("complete -c xtrace -n __xtrace_no_command -a {} -d '{}'\n", entry.name,
                         in_single_quotes(entry.summary));
    Listed listed = list_options(entry);
    for (const OptionSpec& spec : listed.options.specs()) behind += fish_option(entry, spec);
    behind += fmt::format(
        "complete -c xtrace -n '__xtrace_command {}' -l help -s h -d 'help for the command'\n",
        entry.name);
  }
  for (const OtherCommand& command : other_commands()) {
    first += fmt::format("complete -c xtrace -n __xtrace_no_command -a {} -d '{}'\n", command.name,
                         hint(command));
    if (command.words != nullptr)
      behind += fmt::format("complete -c xtrace -n '__xtrace_command {}' -f -a '{}'\n",
                            command.name, words_behind(command));
    else
      for (const std::string& option : options_of(command))
        behind += fmt::format("complete -c xtrace -n '__xtrace_command {}' -l {}\n", command.name,
                              option.substr(2));
  }
  return fmt::format(R"(# fish completion for xtrace
function __xtrace_no_command
    test (count (commandline -opc)) -eq 1
end
function __xtrace_command
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end
{}complete -c xtrace -n __xtrace_no_command -f -l help -s h -d 'commands and topics'
complete -c xtrace -n __xtrace_no_command -f -l version -s V -d 'version of xtrace'
{})",
                     first, behind);
}

}  // namespace

Result<std::string> completion(std::string_view shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  if (shell.empty())
    return fail(Exit::usage, fmt::format("completion: the shell is missing; use one of: {}",
                                         fmt::join(kShells, ", ")));
  return fail(Exit::usage, fmt::format("completion: '{}' is not one of {}{}", printable(shell),
                                       fmt::join(kShells, ", "), did_you_mean(shell, shells())));
}

extern const OtherCommand kCompletionCommand;

namespace {

Result<Command> read_completion(const std::vector<std::string>& words) {
  if (Status one = check_one_word(kCompletionCommand, words); !one)
    return tl::unexpected(one.error());
  Result<std::string> script = completion(words.empty() ? "" : words.front());
  if (!script) return tl::unexpected(script.error());
  return Printed{*std::move(script)};
}

}  // namespace

extern constinit const OtherCommand kCompletionCommand = {
    .name = "completion",
    .summary = "print shell completion for bash, zsh or fish",
    .hint = "print shell completion",
    .manual = R"(.B completion \fRbash|zsh|fish
prints a script that completes commands, options and values.
)",
    .run = read_completion,
    .words = shells,
    .placeholder = "SHELL",
};

}  // namespace xtrace
