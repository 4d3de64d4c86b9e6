#include "link/waste/command_words.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/one_of.h"
#include "link/waste/program_rule.h"
#include "link/waste/word_set.h"

namespace xtrace {

namespace {

using Words = CommandWords;
using List = WordList;

const ProgramRule kLooking[] = {
    {{"ls",        "cat",      "head",     "tail",    "grep",   "egrep", "fgrep",    "rg",
      "ag",        "wc",       "pwd",      "cd",      "echo",   "which", "type",     "ps",
      "pgrep",     "tree",     "stat",     "file",    "diff",   "cmp",   "jq",       "sort",
      "cut",       "du",       "df",       "date",    "test",   "[",     "true",     "false",
      "nl",        "tr",       "printf",   "sleep",   "column", "less",  "more",     "basename",
      "dirname",   "realpath", "readlink", "id",      "whoami", "uname", "printenv", "md5sum",
      "sha256sum", "xxd",      "od",       "strings", "fi",     "done",  "for",      "find"}},
    {{"git"},
     {"", "status", "log", "diff", "show", "blame", "rev-parse", "ls-files", "grep", "describe",
      "shortlog", "cat-file"}},
};

/// Options by which a program writes that only looks without them.
struct WritingOptions {
  std::string_view program;
  std::string_view letters;  ///< alone or among others: `-i`, `-Ei`
  List beginnings;
};
const WritingOptions kWriting[] = {
    {"sed", "i", {"--i"}},
    {"awk", "i", {"--i"}},
    {"sort", "o", {"--o"}},
    {"tree", "o", {}},
    {"less", "oO", {"--log", "--LOG"}},
    {"xxd", "r", {}},
    {"date", "s", {"--s"}},
    {"file", "C", {"--compile"}},
    {"git", "", {"--output"}},
    {"find", "", {"-delete", "-exec", "-ok", "-fprint", "-fls"}},
};

const ProgramRule kRewritingSubcommands[] = {
    {{"git"},
     {"checkout", "switch", "reset", "stash", "pull", "merge", "rebase", "restore", "apply", "am",
      "cherry-pick", "revert", "clean", "submodule", "bisect"}},
    {{"go"}, {"generate", "fmt", "fix"}},
};

const ProgramRule kRewriting[] = {
    {{"gh"}, {"checkout"}},
    {{"svn", "hg", "jj"}, {"update", "up", "switch", "revert", "merge", "edit", "pull"}},
    {{"patch", "rsync", "unzip", "goimports", "rustfmt", "isort", "yapf", "black", "shfmt"}},
    {{"gofmt", "clang-format", "autopep8"}, {"-w", "-i"}},
    {{"pre-commit"}, {"run"}},
    {{}, {"--fix", "--write", "--in-place"}},
    // Usual names of such tasks.
    {{"make",   "gmake",   "just", "task", "npm",    "pnpm",      "yarn", "bun",
      "cargo",  "ruff",    "mix",  "deno", "dotnet", "terraform", "rake", "dart",
      "gradle", "gradlew", "mvn",  "uv",   "poetry", "hatch",     "nx",   "turbo"},
     {"fmt", "format", "fix", "generate", "gen", "codegen", "prettier", "spotlessApply"}},
};

/// Programs that put things into place, whose success shows nothing of what is in there.
const ProgramRule kHousekeeping[] = {
    {{"git",   "gh",   "glab", "rm",      "mv",     "cp",     "mkdir", "rmdir", "touch", "chmod",
      "chown", "ln",   "set",  "unset",   "export", "source", ".",     "kill",  "pkill", "killall",
      "pip",   "pip3", "apt",  "apt-get", "brew",   "tee",    "cat",   "open",  "code"}},
    {{"npm", "pnpm", "yarn", "bun", "cargo", "go", "uv", "poetry", "bundle", "composer"},
     {"install", "i", "ci", "add", "remove", "uninstall", "get", "mod", "sync", "lock", "fmt"}},
};

const ProgramRule kPolling[] = {
    {{"sleep", "wait",    "watch",  "ps",   "pgrep",      "jobs",      "top",
      "date",  "kubectl", "docker", "curl", "nc",         "systemctl", "squeue",
      "ss",    "netstat", "lsof",   "tail", "nvidia-smi", "free",      "uptime"}},
    {{"gh"}, {"run", "pr", "workflow"}},
};

/// `checkout` of `git -C there checkout`.
std::string_view subcommand_of(Words words) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "-C" || words[i] == "-c")
      ++i;
    else if (!words[i].starts_with("-"))
      return words[i];
  }
  return {};
}

bool applies_to_subcommand(std::span<const ProgramRule> rules, Words words) {
  const std::string_view both[] = {words[0], subcommand_of(words)};
  return applies_one(rules, both, std::equal_to<>());
}

bool has_writing_option(Words words, const WritingOptions& those) {
  return std::any_of(words.begin() + 1, words.end(), [&](std::string_view word) {
    if (std::any_of(those.beginnings.begin(), those.beginnings.end(),
                    [&](std::string_view beginning) { return word.starts_with(beginning); }))
      return true;
    return word.starts_with("-") && !word.starts_with("--") &&
           word.find_first_of(those.letters) != word.npos;
  });
}

/// Does a script of sed write to a file: `w out`, `s/a/b/gw out`?
bool sed_writes(std::string_view script) {
  for (size_t at = script.find('w'); at != script.npos; at = script.find('w', at + 1)) {
    const bool has_name =
        at + 1 < script.size() && (script[at + 1] == ' ' || script[at + 1] == '\t');
    const bool is_in_word =
        at > 0 && is_letter(script[at - 1]) &&
        std::string_view("gpIeMm").find(script[at - 1]) == std::string_view::npos;
    if (has_name && !is_in_word) return true;
  }
  return false;
}

/// Does a script of awk print to a file or a command, or run one?
bool awk_writes(std::string_view script) {
  if (script.find("system(") != script.npos) return true;
  for (size_t at = script.find("print"); at != script.npos; at = script.find("print", at + 1)) {
    const size_t end = std::min(script.find_first_of(";}\n", at), script.size());
    if (script.substr(at, end - at).find_first_of(">|") != script.npos) return true;
  }
  return false;
}

bool writes_to_file(Words words) {
  std::string line;
  for (std::string_view word : words) line.append(word) += ' ';
  for (std::string_view harmless :
       {"2>&1", ">&2", "2>/dev/null", "&>/dev/null", ">/dev/null", "2> /dev/null", "> /dev/null"})
    for (size_t at; (at = line.find(harmless)) != line.npos;) line.erase(at, harmless.size());
  return line.find('>') != line.npos;
}

/// `written`: the words with their quotes.
bool only_looks(Words words, std::string_view written) {
  const std::string_view program = program_name(words[0]);
  for (const WritingOptions& those : kWriting)
    if (program == those.program && has_writing_option(words, those)) return false;
  const auto operands = std::count_if(words.begin() + 1, words.end(),
                                      [](std::string_view word) { return !word.starts_with("-"); });
  if (program == "sed") return !sed_writes(written);
  if (program == "awk") return !awk_writes(written);
  if (program == "uniq") return operands < 2;
  if (program == "hostname") return operands == 0;
  return applies_to_subcommand(kLooking, words);
}

/// Does it only report what it would change?
bool is_dry_run(Words words) {
  const bool is_git = program_name(words[0]) == "git";
  return std::any_of(words.begin() + 1, words.end(), [&](std::string_view word) {
    return (is_git && is_one_of(word, {"list", "status", "show"})) || word.ends_with(":check") ||
           word.starts_with("--check") || word.starts_with("-check") ||
           is_one_of(word, {"fmt-check", "format-check", "--dry-run", "--diff",
                            "--verify-no-changes", "--list-different"});
  });
}

/// `format` of `format`, `lint:format`, `format-all`, `--format=x`.
bool is_task(std::string_view word, std::string_view one) {
  if (word.substr(word.rfind(':') + 1) == one) return true;
  return word.starts_with(one) &&
         (word.size() == one.size() ||
          std::string_view(":-=").find(word[one.size()]) != std::string_view::npos);
}

/// Does it change files that it does not name: those of another branch, or all that it formats?
bool rewrites(Words words) {
  const bool is_given_files = program_name(words[0]) == "xargs";
  const auto is_runner = [](std::string_view word) {
    return is_one_of(program_name(word), {"xargs", "npx", "bunx"}) || word.starts_with("-");
  };
  while (words.size() > 1 && is_runner(words[0])) words = words.subspan(1);
  if (is_dry_run(words)) return false;
  const auto any = [&](auto is_so) { return std::any_of(words.begin() + 1, words.end(), is_so); };
  const std::string_view program = program_name(words[0]);
  if (program == "tar") return words.size() > 1 && words[1].find('x') != words[1].npos;
  // The files are named by the shell or another program.
  if (is_one_of(program, {"sed", "perl"}) &&
      (is_given_files || any([](auto word) { return word.find('*') != word.npos; })))
    return any([](auto word) {
      return word.starts_with("-i") || word.starts_with("-pi") || word.starts_with("--in-place");
    });
  if (program == "find")
    return any([](auto word) {
             return is_one_of(word, {"-exec", "-execdir", "-ok"});
           }) &&
           any([](auto word) {
             return word.starts_with("-i") && !is_one_of(word, {"-iname", "-ipath", "-iregex"});
           });
  return applies_to_subcommand(kRewritingSubcommands, words) ||
         applies_one(kRewriting, words, is_task);
}

/// The file into which `cat > a.cpp` writes; empty: none.
std::string_view written_file(Words words) {
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t at = words[i].find('>');
    if (at == words[i].npos || words[i].find('&') != words[i].npos ||
        (at > 0 && words[i][at - 1] == '2'))
      continue;
    const size_t name = words[i].find_first_not_of('>', at);
    if (name != words[i].npos) return words[i].substr(name);
    if (i + 1 < words.size()) return words[i + 1];
  }
  return {};
}

/// Does it make a branch, which leaves the files as they are?
bool makes_branch(Words words) {
  return program_name(words[0]) == "git" &&
         std::any_of(words.begin() + 1, words.end(), [](std::string_view word) {
           return is_one_of(word, {"-b", "-B", "-c", "--create", "stash"});
         });
}

bool edits_source(Words words) {
  if (rewrites(words)) return !makes_branch(words);
  const std::string_view program = program_name(words[0]);
  if (is_one_of(program, {"sed", "perl"}))
    return std::any_of(words.begin() + 1, words.end(), [](std::string_view word) {
      return word.starts_with("-i") || word.starts_with("-pi") || word.starts_with("--in-place");
    });
  const std::string_view file = written_file(words);
  return !file.empty() && is_source_file(file);
}

/// Reads a string of JSON that begins behind `at`, a quote; leaves `at` behind its end.
std::string read_string(std::string_view json, size_t& at) {
  std::string text;
  for (; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] != '\\' || at + 1 == json.size()) {
      text += json[at];
      continue;
    }
    const char c = json[++at];
    text += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'u' || c == 'r' ? ' ' : c;
  }
  ++at;
  return text;
}

}  // namespace

std::string command_in(std::string_view arguments) {
  for (std::string_view key : {"\"command\":", "\"cmd\":"}) {
    size_t at = arguments.find(key);
    if (at == arguments.npos) continue;
    at = arguments.find_first_not_of(' ', at + key.size());
    if (at == arguments.npos) return {};
    if (arguments[at] == '"') return read_string(arguments, ++at);
    if (arguments[at] != '[') return {};
    std::vector<std::string> words;
    while (at < arguments.size() && arguments[at] != ']')
      if (arguments[at++] == '"') words.push_back(read_string(arguments, at));
    if (words.size() > 2 && words[1].starts_with("-") && words[1].ends_with("c")) return words[2];
    std::string whole;
    for (const std::string& word : words) whole += (whole.empty() ? "" : " ") + word;
    return whole;
  }
  return {};
}

std::string text_argument(std::string_view arguments, std::string_view key) {
  const std::string quoted = '"' + std::string(key) + "\":";
  size_t at = arguments.find(quoted);
  if (at == arguments.npos) return {};
  at = arguments.find_first_not_of(' ', at + quoted.size());
  if (at == arguments.npos || arguments[at] != '"') return {};
  return read_string(arguments, ++at);
}

std::vector<CommandPart> parts_of_command(std::string_view command) {
  std::vector<CommandPart> parts;
  std::vector<std::string_view> next;
  bool stops_at_errors = false, pipes_fail = false;
  for_each_command(command, [&](const ShellCommand& one) {
    std::vector<std::string_view> words;
    for (const ShellWord& word : one.words) words.push_back(word.bare);
    if (words[0] == "set")
      for (std::string_view word : words) {
        pipes_fail |= word == "pipefail";
        stops_at_errors |= word.starts_with('-') && word.find('e') != word.npos;
      }
    CommandPart& part = parts.emplace_back();
    part.acts = acts_of_command(words);
    part.only_looks = words[0] == "set" || only_looks(words, one.written);
    part.edits = edits_source(words);
    part.proves =
        !part.only_looks && !part.edits && !applies_one(kHousekeeping, words, std::equal_to<>());
    next.push_back(one.next);
  });
  bool decides = true;
  for (size_t i = parts.size(); i-- > 0;) {
    const bool is_last = i + 1 == parts.size();
    const bool goes_on =
        next[i] == "&&" || (next[i] == "|" && pipes_fail) || (next[i] == ";" && stops_at_errors);
    decides = next[i] != "&" && (is_last || (decides && goes_on));
    parts[i].decides_exit = decides;
  }
  return parts;
}

std::string_view find_known_program(std::string_view command) {
  std::string first;
  for_each_command(command, [&](const ShellCommand& one) {
    const std::string_view program = program_name(one.words.front().bare);
    if (first.empty() && !is_one_of(program, {"cd", "echo"})) first = program;
  });
  for (const std::span<const ProgramRule> rules :
       {std::span<const ProgramRule>(kLooking), std::span<const ProgramRule>(kRewriting),
        std::span<const ProgramRule>(kPolling)})
    for (const ProgramRule& rule : rules)
      for (std::string_view program : rule.programs)
        if (program == first) return program;
  return find_acting_program(first);
}

CommandTraits classify_command(std::string_view command) {
  CommandTraits traits;
  bool looks = true, checks = true, has_commands = false;
  for_each_command(command, [&](const ShellCommand& one) {
    std::vector<std::string_view> words;
    for (const ShellWord& word : one.words) words.push_back(word.bare);
    has_commands = true;
    const bool writes = writes_to_file(words);
    const bool only = only_looks(words, one.written);
    looks &= !writes && only;
    checks &= !writes && (only || tests_or_builds(words));
    traits.rewrites |= rewrites(words);
    traits.polls |= applies_to_subcommand(kPolling, words);
    traits.waits |= is_one_of(program_name(words[0]), {"sleep", "wait"});
  });
  // Programs whose output becomes part of a command are not looked at.
  const bool is_known =
      has_commands && command.find("$(") == command.npos && command.find('`') == command.npos;
  traits.changes = command != "view" && !(is_known && looks);
  traits.checks = is_known && checks;
  return traits;
}

}  // namespace xtrace
