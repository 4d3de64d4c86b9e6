#include <fmt/format.h>

#include "base/nearest.h"
#include "base/text.h"
#include "cli/command.h"

namespace xtrace {

namespace {

struct Word {
  std::string_view text, help;
};

/// The commands that answer no question about a log.
constexpr Word kOtherCommands[] = {
    {"prices", "what tokens of which model cost"},
    {"config", "what is configured, and where"},
    {"schema", "the JSON Schema of an answer"},
    {"completion", "the completion script of a shell"},
    {"help", "what a command does and takes"},
};

/// What may stand behind a command that takes no log.
std::string words_behind(std::string_view command) {
  if (command == "completion") return "bash zsh fish";
  std::string words;
  auto add = [&](std::string_view word) {
    words += fmt::format("{}{}", words.empty() ? "" : " ", word);
  };
  if (command == "prices") {
    for (const auto& [plain, model] : list_prices().models()) add(model.name);
    return words;
  }
  if (command == "config") return "--config --set --format";
  for (const ViewEntry& entry : views())
    if (command == "help" || !entry.converts) add(entry.name);
  return command == "help" ? words + " prices config schema completion" : words;
}

std::string command_words() {
  return words_behind("help") + " help";
}

/// `f` of `-f,--format`; empty: it has no letter.
std::string letter_of(const OptionSpec& spec) {
  return spec.name.starts_with("--") ? "" : spec.name.substr(1, 1);
}

/// Inside single quotes of a shell.
std::string quoted(std::string_view text) {
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
  for (const Word& command : kOtherCommands)
    cases += fmt::format("    {}) values='{}' ;;\n", command.text, words_behind(command.text));
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
    compopt +o default 2>/dev/null
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [ "${{current#-}}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  fi
}}
complete -o default -F _xtrace xtrace
)",
                     cases, command_words());
}

/// One option as _arguments wants it.
std::string zsh_option(const OptionSpec& spec) {
  std::string help = quoted(spec.help), value, letter = letter_of(spec);
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
    commands += fmt::format("    '{}:{}'\n", entry.name, quoted(entry.summary));
    cases += fmt::format("    {}) _arguments -s \\\n", entry.name);
    Listed listed = list_options(entry);
    for (const OptionSpec& spec : listed.options.specs()) cases += zsh_option(spec);
    cases += "      '(- *)'{-h,--help}'[what it does and takes]' \\\n      '*:file:_files' ;;\n";
  }
  for (const Word& command : kOtherCommands) {
    commands += fmt::format("    '{}:{}'\n", command.text, command.help);
    cases += fmt::format("    {0}) _arguments '1:{0}:({1})' ;;\n", command.text,
                         words_behind(command.text));
  }
  return fmt::format(R"(#compdef xtrace
_xtrace() {{
  local -a commands=(
{}  )
  local -a options=('--help:what there is' '--version:which version this is')
  if (( CURRENT == 2 )); then
    _describe command commands
    _describe -o option options
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
                     spec.long_name().substr(2), letter, value, quoted(spec.help));
}

std::string fish() {
  std::string first, behind;
  for (const ViewEntry& entry : views()) {
    first += fmt::format("complete -c xtrace -n __xtrace_no_command -f -a {} -d '{}'\n", entry.name,
                         quoted(entry.summary));
    Listed listed = list_options(entry);
    for (const OptionSpec& spec : listed.options.specs()) behind += fish_option(entry, spec);
    behind += fmt::format(
        "complete -c xtrace -n '__xtrace_command {}' -l help -s h -d 'what it does and takes'\n",
        entry.name);
  }
  for (const Word& command : kOtherCommands) {
    first += fmt::format("complete -c xtrace -n __xtrace_no_command -f -a {} -d '{}'\n",
                         command.text, command.help);
    behind += fmt::format("complete -c xtrace -n '__xtrace_command {}' -f -a '{}'\n", command.text,
                          words_behind(command.text));
  }
  return fmt::format(R"(# fish completion for xtrace
function __xtrace_no_command
    test (count (commandline -opc)) -eq 1
end
function __xtrace_command
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end
{}complete -c xtrace -n __xtrace_no_command -f -l help -s h -d 'what there is'
complete -c xtrace -n __xtrace_no_command -f -l version -s V -d 'which version this is'
{})",
                     first, behind);
}

}  // namespace

Result<std::string> completion(std::string_view shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  std::vector<std::string_view> known = {"bash", "zsh", "fish"};
  return fail(Exit::usage, fmt::format("completion: '{}' is none of bash, zsh, fish{}",
                                       printable(shell), did_you_mean(shell, known)));
}

}  // namespace xtrace
