#include "link/waste/command_acts.h"

#include <algorithm>
#include <string>

#include "link/waste/word_set.h"

namespace xtrace {

namespace {

using Words = CommandWords;
using List = WordList;

/// Programs that do one of these acts.
struct ActRule {
  CommandAct act;
  ProgramRule rule;
  bool is_steady = true;  ///< it does the same each time, and changes nothing else
};
constexpr auto kTests = CommandAct::tests, kBuilds = CommandAct::builds,
               kTypes = CommandAct::checks_types, kLints = CommandAct::lints;
const List kProjectTools = {"cargo",   "go",     "npm",   "pnpm", "yarn", "bun",
                            "deno",    "dotnet", "swift", "mvn",  "mvnw", "gradle",
                            "gradlew", "bazel",  "mix",   "rake", "zig"};
const List kNoCheck = {"publish", "deploy", "--fix"};
const List kLinters = {"eslint",     "ruff",          "flake8",    "pylint",
                       "shellcheck", "golangci-lint", "clang-tidy"};
const ActRule kActing[] = {
    {kTests, {kProjectTools, {"test", "nextest", "verify"}, kNoCheck}},
    {kBuilds, {kProjectTools, {"build", "compile", "check"}, kNoCheck}},
    {kTypes, {kProjectTools, {"typecheck", "check"}, kNoCheck}},
    {kLints, {kProjectTools, {"lint", "clippy", "vet"}, kNoCheck}},
    {kTests,
     {{"make", "gmake", "ninja"},
      {"test", "tests", "check"},
      {"install", "deploy", "release", "publish", "run", "migrate", "up", "down"}}},
    {kLints,
     {{"make", "gmake", "ninja"},
      {"lint"},
      {"install", "deploy", "release", "publish", "run", "migrate", "up", "down"}}},
    {kBuilds,
     {{"make", "gmake", "ninja"},
      {},
      {"install", "deploy", "release", "publish", "run", "migrate", "up", "down", "test", "tests",
       "check", "lint", "clean", "format", "fmt"}}},
    {kBuilds, {{"cmake", "meson"}, {"--build", "compile"}}},
    {kTests, {{"meson"}, {"test"}}},
    {kLints, {{"black", "prettier"}, {"--check"}}},
    {kTests,
     {{"pytest", "py.test", "unittest", "tox", "nox", "jest", "vitest", "mocha", "ctest", "rspec",
       "phpunit"},
      {},
      {"--fix"}}},
    {kTypes, {{"tsc", "mypy", "pyright"}, {}, {"--fix"}}},
    {kBuilds, {{"tsc"}, {}, {"--fix", "--noEmit"}}},
    {kLints, {kLinters, {}, {"--fix"}}},
    {kLints, {kLinters, {"--fix"}}, false},
    {kLints, {{"biome", "oxlint", "rubocop", "stylelint", "swiftlint", "ktlint", "credo"}}, false},
    {kTests,
     {{"flutter", "dart", "sbt", "lein", "cabal", "stack", "composer", "just", "task", "nx",
       "turbo", "xcodebuild", "rails", "artisan", "playwright", "hatch", "manage.py", "hardhat",
       "forge"},
      {"test", "tests"}},
     false},
    {kTests,
     {{"nosetests", "gotestsum", "bats", "busted", "ava", "karma", "cypress", "pest"}},
     false},
    {kTests, {{"node"}, {"--test"}}, false},
    {kTests, {{"npm"}, {"t"}}, false},
    {kBuilds,
     {{"flutter", "sbt", "cabal", "stack", "just", "task", "nx", "turbo", "xcodebuild", "docker",
       "next", "vite", "webpack", "hatch"},
      {"build", "compile"}},
     false},
    {kBuilds, {{"gcc", "g++", "cc", "c++", "clang", "clang++", "rustc", "javac", "ghc"}}, false},
    {kTypes, {{"vue-tsc", "svelte-check", "pyre", "ty"}}, false},
};

/// The same, of programs that name the act by their first words.
struct NamedAct {
  CommandAct act;
  std::string_view program, operands;
};
constexpr NamedAct kNamedActs[] = {
    {CommandAct::commits, "git", "commit"},
    {CommandAct::pushes, "git", "push"},
    {CommandAct::opens_request, "gh", "pr create"},
    {CommandAct::opens_request, "glab", "mr create"},
};

/// Words in the names of scripts and tasks, and the act that they stand for.
struct ScriptWord {
  std::string_view word;
  CommandAct act;
};
constexpr ScriptWord kScriptWords[] = {{"test", kTests}, {"tests", kTests},  {"spec", kTests},
                                       {"lint", kLints}, {"build", kBuilds}, {"typecheck", kTypes}};

/// Without programs that run another one.
Words without_runners(Words words) {
  while (words.size() > 1) {
    const std::string_view runner = program_name(words[0]);
    if (is_one_of(runner, {"npx", "bunx", "xvfb-run"}) ||
        is_one_of(words[1], {"manage.py", "artisan"})) {
      words = words.subspan(1);
    } else if ((runner.starts_with("python") && words[1] == "-m") ||
               (is_one_of(runner, {"uv", "poetry", "pipenv", "pdm", "bundle"}) &&
                is_one_of(words[1], {"run", "exec"})) ||
               (is_one_of(runner, {"npm", "pnpm", "yarn"}) &&
                is_one_of(words[1], {"exec", "dlx"}))) {
      words = words.subspan(2);
    } else {
      break;
    }
  }
  return words;
}

bool applies_to(const ActRule& one, Words words) {
  return applies_one({&one.rule, 1}, words, [](std::string_view word, std::string_view of_rule) {
    return word.substr(0, word.find(':')) == of_rule;  // `test:unit`
  });
}

/// `pr create` of `gh pr create --fill`.
std::string first_operands(Words words) {
  std::string operands;
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "-C" || words[i] == "-c" || words[i] == "-R")
      ++i;
    else if (!words[i].starts_with("-"))
      operands.append(operands.empty() ? "" : " ").append(words[i]);
  }
  return operands;
}

/// The acts that words in the name of a script or a task stand for.
CommandActs acts_named(std::string_view name) {
  CommandActs acts;
  for (size_t at = 0; at < name.size();) {
    size_t end = at;
    while (end < name.size() && is_letter(name[end])) ++end;
    for (const ScriptWord& one : kScriptWords)
      if (name.substr(at, end - at) == one.word) acts.set(static_cast<size_t>(one.act));
    at = end + 1;
  }
  return acts;
}

/// The act of a script by the words of its name: `scripts/run_tests.sh`, `python test_cart.py`.
CommandActs acts_of_script(Words words) {
  std::string_view script = words[0];
  const std::string_view program = program_name(words[0]);
  if (program.starts_with("python") ||
      is_one_of(program, {"node", "bash", "sh", "ruby", "php", "perl", "tsx", "ts-node", "bun"})) {
    script = {};
    for (size_t i = 1; i < words.size() && script.empty(); ++i)
      if (!words[i].starts_with("-")) script = words[i];
  } else if (script.find_first_of("/.") == script.npos) {
    return {};
  }
  return acts_named(program_name(script));
}

/// The act of a task that any runner of tasks is given: `mise run test:unit`.
CommandActs acts_of_task(std::string_view program, std::string_view operands) {
  // These run images, units and programs.
  if (is_one_of(program, {"docker", "podman", "kubectl", "systemd-run", "go", "cargo", "dotnet",
                          "swift", "flatpak", "git"}))
    return {};
  for (std::string_view before : {"run ", "task "})
    if (operands.starts_with(before)) {
      const std::string_view task = operands.substr(before.size());
      return acts_named(task.substr(0, task.find(' ')));
    }
  return {};
}

}  // namespace

CommandActs acts_of_command(CommandWords words) {
  const Words run = without_runners(words);
  CommandActs acts = acts_of_script(run);
  for (const ActRule& one : kActing)
    if (applies_to(one, run)) acts.set(static_cast<size_t>(one.act));
  const std::string operands = first_operands(run) + ' ';
  acts |= acts_of_task(program_name(run[0]), operands);
  for (const NamedAct& one : kNamedActs)
    if (program_name(run[0]) == one.program && operands.starts_with(one.operands) &&
        operands[one.operands.size()] == ' ')
      acts.set(static_cast<size_t>(one.act));
  return acts;
}

std::string_view find_acting_program(std::string_view name) {
  for (const ActRule& one : kActing)
    for (std::string_view program : one.rule.programs)
      if (program == name) return program;
  return {};
}

bool tests_or_builds(CommandWords words) {
  words = without_runners(words);
  return !words.empty() && std::ranges::any_of(kActing, [&](const ActRule& one) {
    return one.is_steady && applies_to(one, words);
  });
}

bool is_source_file(std::string_view path) {
  if (path.starts_with("/dev/") || path.starts_with("/tmp/")) return false;
  const std::string_view name = program_name(path);
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return !is_one_of(name, {"LICENSE", "CHANGELOG", "README", "NOTES"});
  return !is_one_of(name.substr(dot + 1),
                    {"md", "mdx", "rst", "txt", "adoc", "log", "out", "gitignore", "svg", "png"});
}

}  // namespace xtrace
