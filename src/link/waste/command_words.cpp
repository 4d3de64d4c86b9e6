#include "link/waste/command_words.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <vector>

#include "base/one_of.h"
#include "link/waste/words.h"

namespace xtrace {

namespace {

std::string_view trimmed_blanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n(");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n)") + 1 - begin);
}

/// What is quoted as blanks of one kind, as no operator stands in it. It is as long as before, so
/// that what was quoted can be looked up.
std::string without_quotes(std::string_view command) {
  std::string plain;
  char quote = 0;
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote == c) {
      quote = 0;
    } else if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      ++i;
      plain += "__";
      continue;
    }
    plain += quote == 0 || c == quote ? c : '_';
  }
  return plain;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = text.find_first_not_of(" \t"); at < text.size();) {
    const size_t end = std::min(text.find_first_of(" \t", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(" \t", end);
  }
  return words;
}

/// The parts of a line of a shell that are commands of their own; words before the command's, such
/// as settings of variables and the change of a folder, are left out.
std::vector<std::vector<std::string_view>> commands_of(std::string_view plain) {
  std::vector<std::vector<std::string_view>> commands;
  while (!plain.empty()) {
    const size_t end = std::min(plain.find_first_of("|;&\n"), plain.size());
    // `2>&1` is one word.
    size_t stop = end;
    while (stop < plain.size() && plain[stop] == '&' &&
           ((stop > 0 && plain[stop - 1] == '>') ||
            (stop + 1 < plain.size() && plain[stop + 1] == '>')))
      stop = std::min(plain.find_first_of("|;&\n", stop + 1), plain.size());
    std::vector<std::string_view> words = words_of(trimmed_blanks(plain.substr(0, stop)));
    auto is_before = [](std::string_view word) {
      return is_one_of(word, {"time", "command", "nice", "env", "do", "then", "else", "if", "!"}) ||
             (word.find('=') != word.npos && word.front() != '-' && word.front() != '/');
    };
    words.erase(words.begin(), std::find_if_not(words.begin(), words.end(), is_before));
    if (!words.empty()) commands.push_back(std::move(words));
    plain.remove_prefix(std::min(stop + 1, plain.size()));
  }
  return commands;
}

std::string_view program_of(std::string_view word) {
  return word.substr(word.find_last_of('/') + 1);
}

/// Options by which a program writes that else only looks.
struct WritingOptions {
  std::string_view program;
  std::string_view letters;  ///< alone or among others: `-i`, `-Ei`
  std::initializer_list<std::string_view> beginnings;
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

bool has_writing_option(const std::vector<std::string_view>& words, const WritingOptions& those) {
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

/// The word of git's that says what to do: `checkout` of `git -C there checkout`.
std::string_view git_command(std::span<const std::string_view> words) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "-C" || words[i] == "-c")
      ++i;
    else if (!words[i].starts_with("-"))
      return words[i];
  }
  return {};
}

/// `said` is how the words stand in the command, with what is quoted.
bool only_looks(const std::vector<std::string_view>& words, std::string_view said) {
  const std::string_view program = program_of(words.front());
  for (const WritingOptions& those : kWriting)
    if (program == those.program && has_writing_option(words, those)) return false;
  const auto operands = std::count_if(words.begin() + 1, words.end(),
                                      [](std::string_view word) { return !word.starts_with("-"); });
  if (program == "sed") return !sed_writes(said);
  if (program == "awk") return !awk_writes(said);
  if (program == "find") return true;
  if (program == "uniq") return operands < 2;
  if (program == "hostname") return operands == 0;
  if (program == "git") {
    const std::string_view does = git_command(words);
    return does.empty() ||
           is_one_of(does, {"status", "log", "diff", "show", "blame", "rev-parse", "ls-files",
                            "grep", "describe", "shortlog", "cat-file"});
  }
  return is_one_of(
      program,
      {"ls",        "cat",      "head",     "tail",    "grep",   "egrep", "fgrep",    "rg",
       "ag",        "wc",       "pwd",      "cd",      "echo",   "which", "type",     "ps",
       "pgrep",     "tree",     "stat",     "file",    "diff",   "cmp",   "jq",       "sort",
       "cut",       "du",       "df",       "date",    "test",   "[",     "true",     "false",
       "nl",        "tr",       "printf",   "sleep",   "column", "less",  "more",     "basename",
       "dirname",   "realpath", "readlink", "id",      "whoami", "uname", "printenv", "md5sum",
       "sha256sum", "xxd",      "od",       "strings", "fi",     "done",  "for"});
}

/// Does it test or build something, which it does again the same way?
bool tests_or_builds(std::span<const std::string_view> words) {
  const auto skip = [&](size_t count) { words = words.subspan(std::min(count, words.size())); };
  // What runs another program.
  while (words.size() > 1) {
    const std::string_view runner = program_of(words[0]);
    if (is_one_of(runner, {"npx", "bunx", "xvfb-run"})) {
      skip(1);
    } else if (runner == "timeout" || (runner.starts_with("python") && words[1] == "-m") ||
               (is_one_of(runner, {"uv", "poetry", "pipenv", "pdm", "bundle"}) &&
                is_one_of(words[1], {"run", "exec"}))) {
      skip(2);
    } else {
      break;
    }
  }
  if (words.empty()) return false;
  const std::string_view program = program_of(words[0]);
  const auto has = [&](std::initializer_list<std::string_view> some) {
    return std::any_of(words.begin() + 1, words.end(), [&](std::string_view word) {
      return std::any_of(some.begin(), some.end(), [&](std::string_view one) {
        return word.substr(0, word.find(':')) == one;  // `test:unit`
      });
    });
  };
  if (is_one_of(program, {"cargo", "go", "npm", "pnpm", "yarn", "bun", "deno", "dotnet", "swift",
                          "mvn", "mvnw", "gradle", "gradlew", "bazel", "mix", "rake", "zig"}))
    return has({"test", "build", "check", "lint", "clippy", "vet", "nextest", "typecheck", "verify",
                "compile"}) &&
           !has({"publish", "deploy", "--fix"});
  if (is_one_of(program, {"make", "gmake", "ninja"}))
    return !has({"install", "deploy", "release", "publish", "run", "migrate", "up", "down"});
  if (program == "cmake" || program == "meson") return has({"--build", "test", "compile"});
  if (program == "black" || program == "prettier") return has({"--check"});
  return is_one_of(program,
                   {"pytest",     "py.test",       "unittest",  "tox",     "nox",    "jest",
                    "vitest",     "mocha",         "ctest",     "tsc",     "eslint", "mypy",
                    "ruff",       "flake8",        "pylint",    "pyright", "rspec",  "phpunit",
                    "shellcheck", "golangci-lint", "clang-tidy"}) &&
         !has({"--fix"});
}

bool has_pattern(std::span<const std::string_view> words) {
  return std::any_of(words.begin() + 1, words.end(),
                     [](std::string_view word) { return word.find('*') != word.npos; });
}

/// Does it change files that it does not name: those of another branch, or all that it formats?
bool rewrites(const std::vector<std::string_view>& all) {
  const bool is_given_files = program_of(all.front()) == "xargs";
  const auto is_before = [](std::string_view word) {
    return is_one_of(program_of(word), {"xargs", "npx", "bunx", "sudo"}) || word.starts_with("-");
  };
  std::span<const std::string_view> words(all);
  while (words.size() > 1 && is_before(words.front())) words = words.subspan(1);
  const std::string_view program = program_of(words.front());
  // They only say what they would do.
  const auto only_says = [&](std::string_view word) {
    return (program == "git" && is_one_of(word, {"list", "status", "show"})) ||
           word.ends_with(":check") || is_one_of(word, {"fmt-check", "format-check"}) ||
           word.starts_with("--check") || word.starts_with("-check") ||
           is_one_of(word, {"--dry-run", "--diff", "--verify-no-changes", "--list-different"});
  };
  if (std::any_of(words.begin() + 1, words.end(), only_says)) return false;
  const auto has = [&](std::initializer_list<std::string_view> some) {
    return std::any_of(words.begin() + 1, words.end(), [&](std::string_view word) {
      const std::string_view last = word.substr(word.rfind(':') + 1);  // `lint:fix`
      return std::any_of(some.begin(), some.end(), [&](std::string_view one) {
        return last == one || (word.starts_with(one) &&
                               (word.size() == one.size() ||
                                std::string_view(":-=").find(word[one.size()]) != word.npos));
      });
    });
  };
  if (program == "git")
    return is_one_of(git_command(words),
                     {"checkout", "switch", "reset", "stash", "pull", "merge", "rebase", "restore",
                      "apply", "am", "cherry-pick", "revert", "clean", "submodule", "bisect"});
  if (program == "gh") return has({"checkout"});
  if (is_one_of(program, {"svn", "hg", "jj"}))
    return has({"update", "up", "switch", "revert", "merge", "edit", "pull"});
  if (is_one_of(program, {"patch", "rsync", "unzip", "goimports", "rustfmt", "isort", "yapf"}))
    return true;
  if (program == "tar") return words.size() > 1 && words[1].find('x') != words[1].npos;
  if (program == "black" || program == "shfmt") return true;
  // Which files the shell or another program gives them nobody sees.
  if (is_one_of(program, {"sed", "perl"}) && (is_given_files || has_pattern(words)))
    return std::any_of(words.begin() + 1, words.end(), [](std::string_view word) {
      return word.starts_with("-i") || word.starts_with("-pi") || word.starts_with("--in-place");
    });
  if (program == "find")
    return has({"-exec", "-execdir", "-ok"}) &&
           std::any_of(words.begin() + 1, words.end(), [](auto word) {
             return word.starts_with("-i") && !is_one_of(word, {"-iname", "-ipath", "-iregex"});
           });
  if (has({"--fix", "--write", "--in-place"})) return true;
  if (is_one_of(program, {"gofmt", "clang-format", "autopep8"})) return has({"-w", "-i"});
  if (program == "pre-commit") return has({"run"});
  if (program == "go") return words.size() > 1 && is_one_of(words[1], {"generate", "fmt", "fix"});
  // What people call such steps of theirs.
  return is_one_of(program,
                   {"make",   "gmake",   "just", "task", "npm",    "pnpm",      "yarn", "bun",
                    "cargo",  "ruff",    "mix",  "deno", "dotnet", "terraform", "rake", "dart",
                    "gradle", "gradlew", "mvn",  "uv",   "poetry", "hatch",     "nx",   "turbo"}) &&
         has({"fmt", "format", "fix", "generate", "gen", "codegen", "prettier", "spotlessApply"});
}

bool writes_elsewhere(std::string plain) {
  for (std::string_view harmless :
       {"2>&1", ">&2", "2>/dev/null", "&>/dev/null", ">/dev/null", "2> /dev/null", "> /dev/null"})
    for (size_t at; (at = plain.find(harmless)) != plain.npos;) plain.erase(at, harmless.size());
  return plain.find('>') != plain.npos;
}

/// Is each command of a line what `is_so(words, said)` tells? Of what a shell puts in nobody knows.
template <class IsSo>
bool is_made_of(std::string_view command, IsSo is_so) {
  if (command.empty() || command.find("$(") != command.npos || command.find('`') != command.npos)
    return false;
  const std::string plain = without_quotes(command);
  if (writes_elsewhere(plain)) return false;
  const auto commands = commands_of(plain);
  return !commands.empty() && std::all_of(commands.begin(), commands.end(), [&](const auto& words) {
    const auto from = static_cast<size_t>(words.front().data() - plain.data());
    const auto to = static_cast<size_t>(words.back().data() - plain.data());
    return is_so(words, command.substr(from, to + words.back().size() - from));
  });
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

bool command_changes(std::string_view command) {
  if (command == "view") return false;
  return !is_made_of(command, only_looks);
}

bool command_rewrites(std::string_view command) {
  const std::string plain = without_quotes(command);
  const auto commands = commands_of(plain);
  return std::any_of(commands.begin(), commands.end(),
                     [](const auto& words) { return rewrites(words); });
}

bool command_checks(std::string_view command) {
  return is_made_of(command, [](const std::vector<std::string_view>& words, std::string_view said) {
    return only_looks(words, said) || tests_or_builds(words);
  });
}

bool command_waits(std::string_view command) {
  const std::string plain = without_quotes(command);
  const auto commands = commands_of(plain);
  return std::any_of(commands.begin(), commands.end(), [](const auto& words) {
    return is_one_of(program_of(words.front()), {"sleep", "wait"});
  });
}

bool command_polls(std::string_view command) {
  const std::string plain = without_quotes(command);
  for (const std::vector<std::string_view>& words : commands_of(plain)) {
    const std::string_view program = program_of(words.front());
    if (is_one_of(program,
                  {"sleep", "wait",    "watch",  "ps",   "pgrep",      "jobs",      "top",
                   "date",  "kubectl", "docker", "curl", "nc",         "systemctl", "squeue",
                   "ss",    "netstat", "lsof",   "tail", "nvidia-smi", "free",      "uptime"}))
      return true;
    if (program == "gh" && words.size() > 1 && is_one_of(words[1], {"run", "pr", "workflow"}))
      return true;
  }
  return false;
}

}  // namespace xtrace
