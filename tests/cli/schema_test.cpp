#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.h"
#include "golden_file.h"
#include "json_check.h"
#include "reading.h"
#include "view/story/follow.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

/// Of a schema with several shapes, the one that an answer has.
Json shape_of(const Json& answer, const std::string& view) {
  Json schema = Json::parse(schema_text_of(view));
  if (!schema.contains("anyOf")) return schema;
  for (const Json& shape : schema["anyOf"]) {
    bool fits = true;
    for (const Json& key : shape["required"]) fits &= answer.contains(key.get<std::string>());
    for (const auto& [key, value] : answer.items()) fits &= shape["properties"].contains(key);
    if (fits) return shape;
  }
  throw std::invalid_argument("an answer of no known shape");
}

/// Every key of `answer` that the schema knows nothing of.
void collect_unknown(const Json& answer, const Json& schema, const std::string& path,
                     std::set<std::string>& unknown) {
  if (answer.is_array())
    for (const Json& item : answer) collect_unknown(item, schema["items"], path + "[]", unknown);
  if (!answer.is_object() || schema.contains("additionalProperties")) return;
  for (const auto& [key, value] : answer.items()) {
    std::string at = fmt::format("{}.{}", path, key);
    if (!schema["properties"].contains(key))
      unknown.insert(at);
    else
      collect_unknown(value, schema["properties"][key], at, unknown);
  }
}

struct Golden {
  std::string file, command, view;
  Json answer;
};

/// Every JSON answer in the golden files.
std::vector<Golden> golden_answers() {
  std::vector<Golden> answers;
  for (const std::filesystem::directory_entry& entry :
       std::filesystem::directory_iterator(project_path("tests/cli"))) {
    if (entry.path().extension() != ".test") continue;
    std::string file = entry.path().filename().string();
    for (const GoldenStep& step : parse_golden(project_file("tests/cli/" + file))) {
      if (!step.out.starts_with("{")) continue;
      Json answer = Json::parse(step.out, nullptr, false);  // of other tools, a document a line
      if (answer.is_discarded() || !answer.contains("schema")) continue;
      std::string schema = answer["schema"];  // xtrace.dag/1
      std::string view = schema.substr(7, schema.find('/') - 7);
      if (step.command.starts_with("xtrace audit")) continue;  // which has no schema of a view
      answers.push_back({file, step.command, view, std::move(answer)});
    }
  }
  return answers;
}

}  // namespace

TEST_CASE("every view that answers in JSON of ours has a schema that says what it is of") {
  for (const ViewEntry& entry : views()) {
    if (entry.converts) continue;  // to shapes that others have
    Json schema = Json::parse(schema_of(entry));
    CHECK(schema["$schema"] == "http://json-schema.org/draft-07/schema#");
    CHECK(schema["title"] == "xtrace " + std::string(entry.name));
    for (const Json& shape : schema.contains("anyOf") ? schema["anyOf"] : Json::array({schema}))
      CHECK(shape["required"].size() > (entry.is_live ? 1 : 3));
  }
}

TEST_CASE("every golden answer is valid by the schema of its view, and has no key beside it") {
  std::vector<Golden> answers = golden_answers();
  REQUIRE(answers.size() > 10);
  for (const Golden& golden : answers) {
    CAPTURE(golden.file, golden.command);
    CHECK(faults_in(golden.answer, golden.view) == "");
    std::set<std::string> unknown;
    collect_unknown(golden.answer, shape_of(golden.answer, golden.view), golden.view, unknown);
    CHECK(unknown == std::set<std::string>());
  }
}

TEST_CASE("a schema finds what is wrong") {
  Json answer;
  for (Golden& golden : golden_answers())
    if (golden.view == "dag" && golden.answer.contains("sessions")) answer = golden.answer;
  REQUIRE(faults_in(answer, "dag") == "");
  SECTION("a missing key") {
    answer["nodes"][0].erase("id");
  }
  SECTION("a number that became a text") {
    answer["edges"][0]["confidence"] = "sure";
  }
  SECTION("a time that is none") {
    answer["nodes"][0]["timestamp"] = "yesterday";
  }
  SECTION("a missing part") {
    answer.erase("metrics");
  }
  CHECK(faults_in(answer, "dag") != "");
}

TEST_CASE("every description is of a field the schema knows") {
  for (const Golden& golden : golden_answers()) {
    if (!golden.answer.contains("field_descriptions")) continue;
    CAPTURE(golden.file, golden.command);
    Json schema = shape_of(golden.answer, golden.view);
    for (const auto& [path, text] : golden.answer["field_descriptions"].items()) {
      const Json* at = &schema;
      std::string rest = path;
      while (!rest.empty() && at != nullptr) {
        std::string key = rest.substr(0, rest.find('.'));
        rest.erase(0, std::min(rest.size(), key.size() + 1));
        const Json& here = at->contains("items") ? (*at)["items"] : *at;
        at = here.contains("properties") && here["properties"].contains(key)
                 ? &here["properties"][key]
                 : nullptr;
      }
      if (at == nullptr) FAIL_CHECK("no field " << path);
    }
  }
}
