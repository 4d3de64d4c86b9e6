#include "settings/suite_file.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "reading.h"
#include "settings/settings_file.h"
#include "settings/suite_format.h"

using namespace xtrace;

namespace {

/// What is wrong with a suite, its path called FILE.
std::string error_of(const std::string& name, const std::string& content) {
  Folder folder;
  std::string path = folder.write(name, content);
  Result<Suite> suite = read_suite(path);
  if (suite) return "";
  CHECK(suite.error().exit == Exit::usage);
  std::string what = suite.error().what;
  size_t at = what.find(path);
  return at == what.npos ? what : what.replace(at, path.size(), "FILE");
}

bool says(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("a suite that cannot be heeded is told with its line") {
  CHECK(error_of("s.yaml", "scenarios:\n  - id: a\n    tolls: [Read]\n") ==
        "FILE:3: unknown key 'tolls' in a scenario; did you mean 'tools'? keys: id, description, "
        "match, "
        "each, pass_rate, tools, forbidden, preceded, confirm, declared_arguments, errors, limits, "
        "claims, "
        "decision, weights, pass, fail_if");
  CHECK(says(error_of("s.yaml", "scenarios:\n  - id: a\n    tools: {order: exact, calls: []}\n"),
             "FILE:3: order must be one of exact-order"));
  CHECK(says(error_of("s.yaml", "scenarios:\n  - id: a\n    claims: true\n"), "FILE:3: claims"));
  CHECK(says(error_of("s.yaml", "scenarios:\n  - id: a\n    claims: {kinds: [fixed]}\n"),
             "FILE:3: claims needs are: supported or not_contradicted"));
  CHECK(says(
      error_of("s.yaml", "scenarios:\n  - id: a\n    claims: {are: supported, kinds: [fine]}\n"),
      "FILE:3: 'fine' is no kind of claim; kinds: tests_pass"));
  CHECK(says(error_of("s.json", "{\"scenarios\": [\n{\"id\": \"a\"}]}"),
             "FILE:2: scenario 'a' expects"));
  CHECK(says(error_of("s.yaml", "scenarios: [a\n"), "not valid YAML"));
  CHECK(says(error_of("s.yaml", "scenarios:\n\t- id: a\n"),
             "FILE:2: not valid YAML: this line is indented with a tab"));
  CHECK(says(error_of("s.yaml", "{\"a\": }{\"b\": 1},\n\"c\": 2}\n"), "one YAML document"));
  CHECK(says(error_of("s.yaml", "a: 1\n---\nb: 1\n"), "one YAML document"));
  CHECK(says(error_of("s.yaml", "scenarios:\n  - id: a\n    limits:\n      time: soon\n"),
             "FILE:4: time must be a duration"));
  CHECK(
      says(error_of("s.yaml", "scenarios:\n  - id: a\n    id: b\n"), "FILE:3: duplicate key 'id'"));
}

TEST_CASE("a case of an evaluation set needs a name") {
  CHECK(says(error_of("set.json", R"({"eval_cases": [{"eval_id": "c"}]})"),
             "FILE:1: a case needs an eval_id"));
}

TEST_CASE("what would ask for nothing is refused, and not heeded as nothing") {
  std::string empty = GENERATE(
      "tools: []", "tools: {order: same-tool, calls: []}", "tools: [{name: a, arguments: {}}]",
      "tools: [{name: a, arguments: {b: {}}}]", "tools: [{name: a, arguments: {schema: {}}}]",
      "forbidden: {}", "forbidden: {tools: []}", "errors: {}", "errors: {no_retry_of: []}",
      "errors: {retries: {}}", "limits: {}", "claims: {}", "decision: []",
      "decision: [{answer: true, mentions: []}]", "decision: [{answer: true, one_of: []}]",
      "tools: [a]\n    weights: {}", "tools: [a]\n    pass: {}");
  INFO(empty);
  CHECK(says(error_of("s.yaml", "scenarios:\n  - id: a\n    " + empty + "\n"), "FILE:"));
}

TEST_CASE("an expected number keeps all its digits in each form of suite") {
  for (const auto& [name, content] : {
           std::pair("s.json", R"({"scenarios": [{"id": "a", "tools": [
             {"name": "Read", "arguments": {"id": 9007199254740993}}]}]})"),
           std::pair("s.toml", R"(scenarios = [{id = "a", tools = [
             {name = "Read", arguments = {id = 9007199254740993}}]}])"),
           std::pair(
               "s.yaml",
               "scenarios: [{id: a, tools: [{name: Read, arguments: {id: 9007199254740993}}]}]"),
       }) {
    CAPTURE(name);
    Folder folder;
    const Result<Suite> suite = read_suite(folder.write(name, content));
    REQUIRE(suite);
    const Expectation& expected = suite->scenarios.front().expectations.front();
    CHECK(std::get<ToolsExpected>(expected.what).tools.front().arguments.front().must.is ==
          "9007199254740993");
  }
}

TEST_CASE("a name is a text, and a number is finite") {
  CHECK(says(error_of("s.json", "{\"scenarios\": [{\n\"id\": null, \"tools\": [\"a\"]}]}"),
             "FILE:2: id must be a non-empty string"));
  CHECK(says(error_of("s.yaml", "scenarios:\n  - id: true\n    tools: [a]\n"),
             "FILE:2: id must be a non-empty string"));
  CHECK(says(error_of("s.yaml", "scenarios:\n  - id: a\n    limits: {calls: .nan}\n"),
             "FILE:3: a number must be finite"));
  CHECK(error_of("s.yaml", "scenarios:\n  - id: 7\n    tools: [a]\n").empty());
}

TEST_CASE("a keyword of JSON Schema that would not be heeded is refused") {
  auto error = [](const std::string& schema) {
    return error_of("s.yaml",
                    "scenarios:\n  - id: a\n    tools:\n      - name: b\n        "
                    "arguments:\n          schema:\n            " +
                        schema + "\n");
  };
  CHECK(says(
      error("maxLenght: 4"),
      "FILE:7: unknown key 'maxLenght' in a JSON Schema in a suite; did you mean 'maxLength'"));
  CHECK(says(error("$ref: x"), "FILE:7: unknown key '$ref' in a JSON Schema in a suite"));
  CHECK(says(error("type: text"), "FILE:7: type must be one of null, boolean"));
  CHECK(says(error("pattern: '('"), "FILE:7: pattern: "));
  CHECK(says(error("minItems: 1.5"), "FILE:7: minItems must be a whole number"));
}

TEST_CASE("the schema of suites has the keys that suites may have") {
  std::optional<Setting> schema = setting_of_json(std::string(suite_format()));
  REQUIRE(schema);
  auto keys_of = [&](const std::string& error) {
    std::vector<std::string> keys;
    std::string list = error.substr(error.rfind("keys: ") + 6);
    for (size_t at = 0; at < list.size();) {
      size_t end = std::min(list.find(", ", at), list.size());
      keys.push_back(list.substr(at, end - at));
      at = end + 2;
    }
    return keys;
  };
  auto check = [&](const std::string& suite, const Setting& object) {
    const Setting* defined = &object;
    if (const Setting* reference = object.find("$ref"))
      defined = schema->find("definitions")->find(reference->text.substr(14));  // #/definitions/
    const Setting* properties = defined->find("properties");
    REQUIRE(properties != nullptr);
    std::vector<std::string> keys = keys_of(error_of("s.yaml", suite)), known;
    for (const auto& [key, value] : properties->items) known.push_back(key);
    std::sort(keys.begin(), keys.end());
    std::sort(known.begin(), known.end());
    CHECK(keys == known);
  };
  const Setting& scenario = *schema->find("definitions")->find("scenario");
  auto part = [&](const std::string& key) -> const Setting& {
    return *scenario.find("properties")->find(key);
  };
  check("x: 1", *schema);
  check("scenarios: [{x: 1}]", scenario);
  for (const char* key : {"match", "forbidden", "errors", "limits", "fail_if"})
    check(std::string("scenarios: [{id: a, ") + key + ": {x: 1}}]", part(key));
  check("scenarios: [{id: a, preceded: [{x: 1}]}]", *part("preceded").find("items"));
}
