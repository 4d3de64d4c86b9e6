#include "settings/instruction_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/digits.h"
#include "base/one_of.h"
#include "base/text.h"
#include "settings/permission_rule.h"
#include "settings/settings_file.h"

namespace xtrace {

namespace {

/// A word in lower case, a comma, or what is between backticks as it was written.
struct Token {
  std::string text;
  bool is_code = false;
};
using Tokens = std::span<const Token>;

/// How sentences state a rule. `A` and `B` are what is done; `NOT` is a word that forbids. The
/// first form that fits, and whose parts mean something, decides.
enum class Meaning : uint8_t { forbid_b, a_before_b, a_instead_of_b };
struct Form {
  std::string_view words;
  Meaning meaning;
};
constexpr Form kForms[] = {
    {"NOT B before A", Meaning::a_before_b},
    {"NOT B without A", Meaning::a_before_b},
    {"NOT B until A", Meaning::a_before_b},
    {"NOT B unless A", Meaning::a_before_b},
    {"NOT use B use A", Meaning::a_instead_of_b},
    {"use A instead of B", Meaning::a_instead_of_b},
    {"use A rather than B", Meaning::a_instead_of_b},
    {"use A , NOT B", Meaning::a_instead_of_b},
    {"use A NOT B", Meaning::a_instead_of_b},
    {"use A over B", Meaning::a_instead_of_b},
    {"prefer A over B", Meaning::a_instead_of_b},
    {"prefer A to B", Meaning::a_instead_of_b},
    {"instead of B use A", Meaning::a_instead_of_b},
    {"NOT B", Meaning::forbid_b},
    {"before B , A", Meaning::a_before_b},
    {"A before B", Meaning::a_before_b},
};

/// Words that forbid, the longest first.
constexpr std::string_view kNot[] = {
    "do not ever", "must not ever", "must never", "should never", "do not", "must not",
    "should not",  "may not",       "can not",    "never",        "don't",  "mustn't",
    "shouldn't",   "cannot",        "can't",      "avoid",        "not"};
/// Words of sentences that state a rule, whether or not a log decides it.
constexpr std::string_view kRuleWords[] = {"never",   "always",    "must",     "don't",
                                           "mustn't", "avoid",     "prefer",   "cannot",
                                           "before",  "shouldn't", "forbidden"};

/// Programs that are named without backticks, and in backticks without arguments.
constexpr std::string_view kPrograms[] = {
    "bun",     "bunx", "cargo", "cat",  "cmake",  "conda",  "ctest",  "curl",   "docker",  "fd",
    "find",    "git",  "go",    "grep", "gradle", "jest",   "make",   "mvn",    "node",    "npm",
    "npx",     "pip",  "pip3",  "pnpm", "podman", "poetry", "pytest", "python", "python3", "rg",
    "ripgrep", "sed",  "sudo",  "tsc",  "uv",     "vitest", "wget",   "yarn"};

/// Acts that sentences name without backticks, each by several phrases: the longest that occurs
/// decides. `pattern` is of one command, or of a path.
struct Phrase {
  std::string_view words;  ///< parted by `|`
  InstructedAct::On on;
  std::string_view pattern;
  std::string_view topic{};
};
constexpr auto kCommand = InstructedAct::On::command;
constexpr auto kFile = InstructedAct::On::file;
constexpr std::string_view kTestCommands =
    R"((?:(?:npm|pnpm|yarn|bun|deno)\s+(?:run\s+)?test|(?:\S*/)?(?:pytest|jest|vitest|rspec|tox|ctest|phpunit)\b|python3?\s+-m\s+(?:pytest|unittest)|(?:uv|poetry)\s+run\s+pytest|npx\s+(?:jest|vitest)|(?:go|cargo|dotnet|mvn|gradle|\./gradlew|make|swift|mix|bazel|rake)\s+(?:\S+\s+)*?(?:test|check)\b|(?:\./)?(?:scripts|bin)/\S*test))";
constexpr std::string_view kLintCommands =
    R"((?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?lint|(?:npx\s+|uv\s+run\s+)?(?:eslint|ruff|flake8|pylint|golangci-lint|clippy|rubocop|shellcheck|clang-tidy)\b|cargo\s+clippy|make\s+lint|pre-commit\s+run))";
constexpr std::string_view kFormatCommands =
    R"((?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:format|fmt|prettier)|(?:npx\s+|uv\s+run\s+)?(?:prettier|black|ruff\s+format|gofmt|rustfmt|clang-format)\b|cargo\s+fmt|go\s+fmt|make\s+(?:format|fmt)))";
constexpr std::string_view kTypeCommands =
    R"((?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:typecheck|type-check|tsc)|(?:npx\s+|uv\s+run\s+)?(?:tsc|mypy|pyright)\b))";
constexpr std::string_view kBuildCommands =
    R"((?:(?:npm|pnpm|yarn|bun|cargo|go|dotnet|gradle|\./gradlew)\s+(?:run\s+)?build|make\b|cmake\s+--build|ninja\b|mvn\s+(?:package|compile)))";
constexpr Phrase kPhrases[] = {
    {"push directly to main|push directly to master|push to main|push to master|pushing to main",
     kCommand, R"(git\s+push\b[^;|&\n]*\b(?:main|master)\b)", "git push"},
    {"force push|force-push", kCommand, R"(git\s+push\b[^;|&\n]*\s(?:--force\b|-f\b))", "git push"},
    {"skip hooks|bypass hooks", kCommand, R"(git\s[^;|&\n]*--no-verify\b)", "git commit"},
    {"amend", kCommand, R"(git\s+commit\b[^;|&\n]*--amend\b)", "git commit"},
    {"rebase", kCommand, R"(git\s+rebase\b)", "git rebase"},
    {"sudo", kCommand, R"(sudo\b)"},
    {"type check|typecheck|type checker", kCommand, kTypeCommands},
    {"unit tests|test suite|tests|tests pass", kCommand, kTestCommands},
    {"linter|lint|linting", kCommand, kLintCommands},
    {"formatter|formatting", kCommand, kFormatCommands},
    {"build|building", kCommand, kBuildCommands},
    {"commit|commits|committing", kCommand, R"(git\s+commit\b)", "git commit"},
    {"push|pushing", kCommand, R"(git\s+push\b)", "git push"},
    {"pull request|pr", kCommand, R"(gh\s+pr\s+create\b)", "gh pr"},
    {"generated files|generated code", kFile,
     R"((?:^|/)(?:generated|__generated__|gen)/|\.(?:generated|gen|g)\.\w+$|_pb2(?:_grpc)?\.py$|\.pb\.(?:go|cc|h)$)"},
    {"lock files|lockfiles", kFile,
     R"((?:^|/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|[^/]+\.lock)$)"},
    {"node_modules", kFile, R"((?:^|/)node_modules/)"},
    {"vendored", kFile, R"((?:^|/)vendor/)"},
    {"migrations", kFile, R"((?:^|/)migrations/)"},
};

constexpr std::string_view kChanges[] = {"edit",   "modify",  "change",    "touch",     "write",
                                         "alter",  "editing", "modifying", "changing",  "touching",
                                         "delete", "create",  "overwrite", "hand-edit", "update"};

/// The tokens from the place on are these words: their number, else 0. `also_code`: some of them
/// may be between backticks.
size_t match_words(Tokens tokens, size_t at, std::string_view words, bool also_code = false) {
  size_t count = 0;
  while (!words.empty()) {
    const size_t blank = std::min(words.find(' '), words.size());
    if (at + count >= tokens.size() || (tokens[at + count].is_code && !also_code) ||
        tokens[at + count].text != words.substr(0, blank))
      return 0;
    ++count;
    words.remove_prefix(std::min(blank + 1, words.size()));
  }
  return count;
}
size_t match_any(Tokens tokens, size_t at, std::span<const std::string_view> all) {
  for (std::string_view words : all)
    if (size_t count = match_words(tokens, at, words); count > 0) return count;
  return 0;
}

/// `git push` of `git push --force origin`: what is run, without what it is given.
std::string program_and_deed(std::string_view command) {
  std::string words;
  for (size_t count = 0; count < 2 && !command.empty(); ++count) {
    const size_t blank = std::min(command.find(' '), command.size());
    const std::string_view word = command.substr(0, blank);
    if (count > 0 && (word.empty() || word.front() < 'a' || word.front() > 'z')) break;
    words += (count > 0 ? " " : "") + std::string(word);
    command.remove_prefix(std::min(blank + 1, command.size()));
  }
  return words;
}

InstructedAct run_of(std::string_view command) {
  return {kCommand, command_begins(command), program_and_deed(command)};
}

InstructedAct change_of(std::string_view path) {
  const bool is_folder = path.ends_with('/');
  if (path.starts_with("./")) path.remove_prefix(2);
  // A folder at any depth may be none.
  std::string pattern = wildcard_pattern(path, true);
  for (size_t at; (at = pattern.find(".*/")) != std::string::npos;)
    pattern.replace(at, 3, "(?:.*[/])?");
  pattern.insert(0, path.starts_with('/') ? "^" : "(?:^|/)");
  if (!is_folder) pattern += "(?:/|$)";
  return {kFile, pattern};
}

/// The act that a part of a sentence names; several, where it names several in backticks. Empty: no
/// log shows it.
std::vector<InstructedAct> acts_of(Tokens tokens) {
  const bool changes = std::ranges::any_of(tokens, [](const Token& token) {
    return !token.is_code && std::ranges::find(kChanges, token.text) != std::end(kChanges);
  });
  std::vector<InstructedAct> acts;
  for (const Token& token : tokens) {
    if (!token.is_code) continue;
    const std::string_view text = token.text;
    const std::string_view program = text.substr(0, text.find(' '));
    const bool is_program = std::ranges::find(kPrograms, program) != std::end(kPrograms);
    const bool is_path = text.find(' ') == std::string_view::npos &&
                         text.find_first_of("/*.") != std::string_view::npos;
    if (changes && is_path)
      acts.push_back(change_of(text));
    else if (!changes && (is_program || text.starts_with("./") || text.find(' ') != text.npos))
      acts.push_back(run_of(text));
  }
  if (!acts.empty() && !changes) return acts;
  const Phrase* best = nullptr;
  size_t longest = 0;
  for (const Phrase& phrase : kPhrases) {
    if ((phrase.on == kFile) != changes) continue;
    for (size_t i = 0; i < tokens.size(); ++i)
      for (std::string_view rest = phrase.words; !rest.empty();) {
        const std::string_view words = rest.substr(0, rest.find('|'));
        rest.remove_prefix(std::min(words.size() + 1, rest.size()));
        if (words.size() <= longest || match_words(tokens, i, words, true) == 0) continue;
        best = &phrase;
        longest = words.size();
      }
  }
  if (best != nullptr) {
    const bool is_command = best->on == kCommand;
    acts.push_back({best->on,
                    is_command ? fmt::format("(?s){}{}", kCommandBegins, best->pattern)
                               : std::string(best->pattern),
                    std::string(best->topic)});
  }
  if (!acts.empty()) return acts;
  for (const Token& token : tokens)
    if (!changes && std::ranges::find(kPrograms, token.text) != std::end(kPrograms))
      return {run_of(token.text)};
  return {};
}

/// The parts `A` and `B` of a form that fits from a place on.
struct Parts {
  Tokens a, b;
};

/// Words before the first literal belong to nothing; a part ends where the next literal begins.
class FormMatch {
 public:
  FormMatch(Tokens tokens, std::string_view form) : tokens_(tokens), form_(form) {}
  std::optional<Parts> find() {
    for (size_t at = 0; at < tokens_.size(); ++at) {
      parts_ = {};
      if (fits(at, form_)) return parts_;
    }
    return std::nullopt;
  }

 private:
  size_t match_literal(size_t at, std::string_view literal) const {
    return literal == "NOT" ? match_any(tokens_, at, kNot) : match_words(tokens_, at, literal);
  }
  bool fits(size_t at, std::string_view form) {
    if (form.empty()) return true;
    const size_t blank = std::min(form.find(' '), form.size());
    const std::string_view item = form.substr(0, blank);
    const std::string_view rest = form.substr(std::min(blank + 1, form.size()));
    if (item != "A" && item != "B") {
      const size_t count = match_literal(at, item);
      return count > 0 && fits(at + count, rest);
    }
    Tokens& part = item == "A" ? parts_.a : parts_.b;
    const std::string_view next = rest.substr(0, rest.find(' '));
    for (size_t end = at + 1; end <= tokens_.size(); ++end) {
      part = tokens_.subspan(at, end - at);
      if (rest.empty() ? end == tokens_.size()
                       : end < tokens_.size() && match_literal(end, next) > 0 && fits(end, rest))
        return true;
    }
    return false;
  }

  Tokens tokens_;
  std::string_view form_;
  Parts parts_;
};

std::optional<InstructionRule> rule_of(Tokens tokens) {
  for (const Form& form : kForms) {
    const std::optional<Parts> parts = FormMatch(tokens, form.words).find();
    if (!parts) continue;
    InstructionRule rule;
    rule.acts = acts_of(parts->b);
    if (rule.acts.empty()) continue;
    if (form.meaning == Meaning::forbid_b) return rule;
    std::vector<InstructedAct>& other =
        form.meaning == Meaning::a_before_b ? rule.first : rule.instead;
    other = acts_of(parts->a);
    const bool is_file =
        std::ranges::any_of(other, [](const auto& act) { return act.on == kFile; });
    if (!other.empty() && !is_file) return rule;
  }
  return std::nullopt;
}

/// The sentence from `at` on in one line of text, and `at` behind it.
std::vector<Token> next_sentence(std::string_view line, size_t& at) {
  std::vector<Token> tokens;
  std::string word;
  auto end_word = [&] {
    if (!word.empty()) tokens.push_back({std::exchange(word, {}), false});
  };
  while (at < line.size()) {
    const char c = line[at++];
    const bool is_end = is_one_of(std::string_view(&c, 1), {".", "!", "?", ";"}) &&
                        (at == line.size() || line[at] == ' ' || line[at] == '*');
    if (is_end) break;
    if (c == '`') {
      end_word();
      const size_t end = line.find('`', at);
      if (end == std::string_view::npos) continue;
      if (end > at) tokens.push_back({std::string(line.substr(at, end - at)), true});
      at = end + 1;
    } else if (c == ',' || c == ':') {
      end_word();
      tokens.push_back({",", false});
    } else if (is_one_of(std::string_view(&c, 1), {" ", "\t", "*", "\"", "(", ")"})) {
      end_word();
    } else if (line.substr(at - 1).starts_with("\u2019")) {  // don’t
      word += '\'';
      at += 2;
    } else {
      word += lower(c);
    }
  }
  end_word();
  return tokens;
}

/// `**never**` outside of backticks.
void erase_emphasis(std::string& text) {
  bool is_code = false;
  std::erase_if(text, [&](char c) {
    is_code ^= c == '`';
    return c == '*' && !is_code;
  });
}

}  // namespace

InstructionRules find_instruction_rules(const std::string& path, std::string_view markdown) {
  InstructionRules found;
  bool is_code = false;
  for (uint32_t number = 1; !markdown.empty(); ++number) {
    const size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    const size_t first = line.find_first_not_of(" \t>");
    if (first == std::string_view::npos) continue;
    if (line.substr(first).starts_with("```") || line.substr(first).starts_with("~~~"))
      is_code = !is_code;
    if (is_code || line[first] == '#') continue;
    for (size_t at = first; at < line.size();) {
      const size_t begin = at;
      const std::vector<Token> tokens = next_sentence(line, at);
      if (std::optional<InstructionRule> rule = rule_of(tokens)) {
        rule->at = {path, number};
        rule->text = fold_white_space(line.substr(begin, at - begin));
        const size_t text = rule->text.find_first_not_of("-*+ 0123456789.)");
        rule->text.erase(0, std::min(text, rule->text.size()));
        erase_emphasis(rule->text);
        found.rules.push_back(*std::move(rule));
      } else if (std::ranges::any_of(tokens, [](const Token& token) {
                   return !token.is_code &&
                          std::ranges::find(kRuleWords, token.text) != std::end(kRuleWords);
                 })) {
        found.undecided.push_back({path, number});
      }
    }
  }
  return found;
}

Result<InstructionRules> read_instruction_rules(const std::string& path) {
  const Result<std::string> text = read_text_file(path, {"an instruction file (AGENTS.md)", {}});
  if (!text) return tl::unexpected(text.error());
  return find_instruction_rules(path, *text);
}

}  // namespace xtrace
