#include "settings/redaction_file.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "redact/rule_set.h"

using namespace xtrace;

namespace {

/// A file for the time of a test; its path is short in messages.
class RulesFile {
 public:
  RulesFile(const std::string& name, const std::string& content)
      : path_(std::filesystem::temp_directory_path() / (std::to_string(getpid()) + name)) {
    std::ofstream(path_) << content;
  }
  ~RulesFile() { std::filesystem::remove(path_); }
  RulesFile(const RulesFile&) = delete;
  RulesFile& operator=(const RulesFile&) = delete;

  Status read(RedactionSettings& settings) const {
    return read_redaction_file(path_.string(), settings);
  }
  std::string error() const {
    RedactionSettings settings;
    Status status = read(settings);
    if (status) return "";
    CHECK(status.error().exit == Exit::usage);
    std::string what = status.error().what;
    size_t at = what.find(path_.string());
    return at == what.npos ? what : what.replace(at, path_.string().size(), "FILE");
  }

 private:
  std::filesystem::path path_;
};

std::string json_error(const std::string& content) {
  return RulesFile("rules.json", content).error();
}
std::string toml_error(const std::string& content) {
  return RulesFile("rules.toml", content).error();
}

std::string redact_with(RedactionSettings settings, const std::string& text) {
  RedactPolicy policy;
  policy.rules = std::make_shared<const RuleSet>(std::move(settings.rules));
  return Redactor(policy).redact(text);
}

}  // namespace

TEST_CASE("a file of ours brings patterns, fields and what else is to be hidden") {
  RulesFile file("rules.json", R"({
    // with comments
    "patterns": [{"name": "ticket", "regex": "(TICKET)-\\d+", "group": 1, "keywords": ["ticket-"]},
                 "flight \\w+"],
    "redactPII": false,
    "fields": {"drop": ["ssn"], "mask": ["customer_name"]},
    "maxCode": 400
  })");
  RedactionSettings settings;
  REQUIRE(file.read(settings));
  CHECK(settings.personal == false);
  CHECK(settings.fields.drop == std::vector<std::string>{"ssn"});
  CHECK(settings.fields.mask == std::vector<std::string>{"customername"});
  CHECK(settings.fields.max_code == 400);
  CHECK(settings.warnings.empty());
  CHECK(redact_with(settings, "TICKET-1, flight TP123") ==
        "[REDACTED:ticket:1]-1, [REDACTED:custom_2:1]");
}

TEST_CASE("short names of fields are understood, and several files add up") {
  RedactionSettings settings;
  REQUIRE(RulesFile("a.json", R"({"redactionPatterns": ["TICKET-\\d+"], "redactPII": false})")
              .read(settings));
  REQUIRE(RulesFile("b.json", R"({"redactionPatterns": ["flight \\w+"], "redactPII": true})")
              .read(settings));
  CHECK(settings.personal == true);
  CHECK(redact_with(settings, "TICKET-1, flight TP123") ==
        "[REDACTED:custom_1:1], [REDACTED:custom_2:1]");
}

TEST_CASE("what is wrong in a file of ours is named with its line") {
  CHECK(json_error("{\n  \"patterns\": [\n    \"a\",\n    \"(?<!b)c\"]}") ==
        "FILE:4: '(?<!b)c': not a valid pattern: invalid perl operator: (?<, at character 1; "
        "lookahead and lookbehind are not supported");
  CHECK(json_error("{\"patterns\": [{\"name\": \"x\",\n\"regex\": \"a{2000}\"}]}") ==
        "FILE:2: rule 'x': not a valid pattern: invalid repetition size: {2000}, at character 2; "
        "repetitions are limited to 1000");
  CHECK(json_error("{\n\"pattern\": []}") ==
        "FILE:2: unknown key 'pattern' in the file; did you mean 'patterns'? keys: patterns, "
        "redactionPatterns, redactPII, fields, maxCode");
  CHECK(json_error("{\"patterns\": [\n{\"name\": \"x\"}]}") == "FILE:2: a pattern has no regex");
  CHECK(json_error("{\"patterns\": \"a\"}") == "FILE:1: patterns must be a list");
  CHECK(json_error("{\"patterns\":\n[1]}") ==
        "FILE:2: a pattern must be an object with the keys name, regex, group, keywords");
  CHECK(json_error("{\"redactPII\": \"no\"}") == "FILE:1: redactPII must be true or false");
  CHECK(json_error("{\"maxCode\": -1}") == "FILE:1: maxCode must be a number of at least 0");
  CHECK(json_error("{\"fields\": {\"mask\": \"ssn\"}}") ==
        "FILE:1: fields.mask must be a list of strings");
  CHECK(json_error("{\"maxCode\": 1,\n\"maxCode\": 2}") == "FILE:2: duplicate key 'maxCode'");
  CHECK(json_error("{\"patterns\": [\n\n}").starts_with("FILE:3: not valid JSON: "));
  CHECK(json_error("").ends_with("file is empty"));
  RedactionSettings settings;
  Status missing = read_redaction_file("no/such/file", settings);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().what ==
        "cannot read the pattern file 'no/such/file': No such file or directory");
}

TEST_CASE("a configuration of gitleaks brings its rules with their allowlists") {
  RulesFile file("rules", R"(title = "ours"
[[allowlists]]
stopwords = ["EXAMPLE"]
[[rules]]
id = "ticket-id"
description = "tickets"
regex = '''(?i)ticket[ =]+["']?(TK[0-9a-f]{6,})'''
keywords = ["ticket"]
entropy = 2
tags = ["x"]
[[rules]]
id = "flight"
regex = '''flight (?P<nr>\w+)'''
[rules.allowlist]
regexes = ['''TP1$''']
)");
  RedactionSettings settings;
  REQUIRE(file.read(settings));
  CHECK(settings.warnings.empty());
  CHECK(redact_with(settings,
                    "Ticket = 'TK0a1b2c3d', ticket=TK000000, flight TP1, flight TP2, "
                    "flight example") ==
        "Ticket = '[REDACTED:ticket-id:1]', ticket=TK000000, flight TP1, flight "
        "[REDACTED:flight:1], flight example");
}

TEST_CASE("what is not heeded of a configuration of gitleaks is said") {
  RulesFile file("rules.toml", R"([extend]
useDefault = true
disabledRules = ["x"]
[[rules]]
id = "path-only"
path = '''\.env$'''
[[rules]]
id = "both"
regex = '''abc'''
path = '''\.env$'''
[[rules.allowlists]]
condition = "AND"
paths = ['''x''']
regexes = ['''abc''']
)");
  RedactionSettings settings;
  REQUIRE(file.read(settings));
  REQUIRE(settings.warnings.size() == 5);
  auto says = [&](size_t i, const std::string& words) {
    INFO(settings.warnings[i]);
    CHECK(settings.warnings[i].ends_with(words));
  };
  says(0,
       "rules.toml:1: [extend] useDefault: xtrace's built-in rules are used instead of those of "
       "gitleaks");
  says(1, "rules.toml:3: [extend] disabledRules: xtrace's built-in rules remain active");
  says(2, "rules.toml:4: rule 'path-only' matches only paths and is ignored");
  says(3, "rules.toml:7: rule 'both' is limited to some paths; here it applies to all texts");
  says(4,
       "rules.toml:11: allowlist: paths and commits are ignored, because texts of a log have "
       "neither");
  CHECK(redact_with(settings, "my abc") == "my [REDACTED:both:1]");
}

TEST_CASE("what is wrong in a configuration of gitleaks is named with its line") {
  CHECK(toml_error("[[rules]]\nid = \"a\"\nregex = '''(?!x)y'''\n") ==
        "FILE:3: rule 'a': not a valid pattern: invalid perl operator: (?!, at character 1; "
        "lookahead and lookbehind are not supported");
  CHECK(toml_error("[[rules]]\nid = \"a\"\n") == "FILE:1: rule 'a' has no regex");
  CHECK(toml_error("[[rules]]\nid = \"a\"\nregexp = \"x\"\n")
            .starts_with("FILE:3: unknown key 'regexp' in a rule; did you mean 'regex'?"));
  CHECK(toml_error("[[rules]]\nid = \"a\nregex = 1\n").starts_with("FILE:2: not valid TOML: "));
  CHECK(toml_error("title = \"x\"\n") == "FILE:1: no [[rules]] in the file");
  CHECK(toml_error("[extend]\npath = \"b.toml\"\n[[rules]]\nid = \"a\"\nregex = \"x\"\n") ==
        "FILE:2: [extend] path is not followed; pass that file to --redact-patterns as well");
  CHECK(
      toml_error("[[rules]]\nid = \"a\"\nregex = \"x\"\n[rules.allowlist]\nregexes = [\"(\"]\n") ==
      "FILE:3: rule 'a': its allowlist pattern '(': not a valid pattern: missing ), at character "
      "1");
}
