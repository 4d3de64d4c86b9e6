#include <fmt/format.h>

#include "base/nearest.h"
#include "base/text.h"
#include "cli/command.h"

namespace xtrace {

namespace {

std::string command_words() {
  std::string words;
  for (const ViewEntry& entry : views()) words += std::string(entry.name) + ' ';
  return words + "schema completion help";
}

std::string option_words(const OptionList& options) {
  std::string words = "--help";
  for (const OptionSpec& spec : options.specs()) words += ' ' + std::string(spec.long_name());
  return words;
}

/// Inside single quotes of a shell.
std::string quoted(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::string bash() {
  std::string values, options;
  for (const ViewEntry& entry : views()) {
    Listed listed = list_options(entry);
    options += fmt::format("    {}) words='{}' ;;\n", entry.name, option_words(listed.options));
    if (!values.empty()) continue;  // an option means the same in every command
    for (const OptionSpec& spec : listed.options.specs()) {
      if (spec.words.empty()) continue;
      std::string names(spec.name);
      if (size_t comma = names.find(','); comma != std::string::npos) names[comma] = '|';
      values += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n",
                            names, fmt::join(spec.words, " "));
    }
  }
  return fmt::format(R"(# bash completion for xtrace
_xtrace() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} words=
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$current"))
    return
  fi
  case $previous in
{}  esac
  case $command in
{}    schema) words='{}' ;;
    completion) words='bash zsh fish' ;;
  esac
  COMPREPLY=()
  case $current in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) case $command in
         schema|completion|help) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
       esac ;;
  esac
}}
complete -o default -F _xtrace xtrace
)",
                     command_words(), values, options, "dag list");
}

std::string zsh() {
  std::string commands, cases;
  for (const ViewEntry& entry : views()) {
    commands += fmt::format("    '{}:{}'\n", entry.name, quoted(entry.summary));
    Listed listed = list_options(entry);
    cases += fmt::format("    {}) _arguments \\\n", entry.name);
    for (const OptionSpec& spec : listed.options.specs()) {
      std::string help = quoted(spec.help);
      for (size_t at = 0; (at = help.find_first_of("[]:", at)) != std::string::npos; at += 2)
        help.insert(at, 1, '\\');
      std::string value;
      if (!spec.is_switch())
        value = fmt::format(
            ":{}:{}", spec.placeholder,
            spec.words.empty() ? "_files" : fmt::format("({})", fmt::join(spec.words, " ")));
      cases += fmt::format("      '{}[{}]{}' \\\n", spec.long_name(), help, value);
    }
    cases += "      '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef xtrace
_xtrace() {{
  local -a commands=(
{}    'schema:the JSON Schema of an answer'
    'completion:the completion script of a shell'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}    schema) _values schema dag list ;;
    completion) _values shell bash zsh fish ;;
  esac
}}
_xtrace "$@"
)",
                     commands, cases);
}

std::string fish() {
  std::string script = "# fish completion for xtrace\n";
  for (const ViewEntry& entry : views()) {
    script += fmt::format("complete -c xtrace -n __fish_use_subcommand -f -a {} -d '{}'\n",
                          entry.name, entry.summary);
    Listed listed = list_options(entry);
    for (const OptionSpec& spec : listed.options.specs()) {
      std::string help = quoted(spec.help), letter;
      if (spec.name.size() > 2 && spec.name[1] != '-') letter = fmt::format(" -s {}", spec.name[1]);
      std::string values =
          spec.words.empty() ? "" : fmt::format(" -f -a '{}'", fmt::join(spec.words, " "));
      script += fmt::format(
          "complete -c xtrace -n '__fish_seen_subcommand_from {}' -l {}{}{}{} -d '{}'\n",
          entry.name, spec.long_name().substr(2), letter, spec.is_switch() ? "" : " -r", values,
          help);
    }
  }
  script +=
      "complete -c xtrace -n __fish_use_subcommand -f -a schema -d 'the JSON Schema of an answer'\n"
      "complete -c xtrace -n __fish_use_subcommand -f -a completion -d 'the completion script of a "
      "shell'\n"
      "complete -c xtrace -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
  return script;
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
