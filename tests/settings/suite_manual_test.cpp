#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "reading.h"
#include "settings/suite_file.h"
#include "settings/suite_format.h"
#include "settings/yaml.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

/// The examples of man/eval.md that are suites.
std::vector<std::string> suites_of_manual() {
  std::istringstream file(project_file("man/eval.md"));
  std::vector<std::string> suites;
  bool is_in = false;
  for (std::string line, text; std::getline(file, line);) {
    if (line == "```yaml") {
      is_in = true;
      text.clear();
    } else if (line == "```" && is_in) {
      is_in = false;
      if (text.find("scenarios:") != std::string::npos) suites.push_back(text);
    } else if (is_in) {
      text += line + "\n";
    }
  }
  return suites;
}

/// Walks a schema: notes all keys as `limits.cost_usd`, and those that an example uses.
class KeysOfSuite {
 public:
  explicit KeysOfSuite(const Json& schema) : schema_(schema) { note(schema, "", nullptr, all); }
  void use(const Setting& example) { note(schema_, "", &example, used); }

  std::set<std::string> all, used;

 private:
  void note(const Json& of, const std::string& path, const Setting* example,
            std::set<std::string>& into) {
    if (of.contains("$ref")) {
      const std::string name = of["$ref"].get<std::string>().substr(std::strlen("#/definitions/"));
      // A scenario has the keys of the suite; a tool is the same in all places.
      const std::string place = name == "scenario" ? "" : name == "tool" ? name : path;
      note(schema_["definitions"][name], place, example, into);
    }
    if (of.contains("anyOf"))
      for (const Json& one : of["anyOf"]) note(one, path, example, into);
    if (of.contains("items")) {
      if (example == nullptr)
        note(of["items"], path, nullptr, into);
      else if (example->kind == Setting::Kind::list)
        for (const auto& [none, item] : example->items) note(of["items"], path, &item, into);
    }
    if (!of.contains("properties")) return;
    for (const auto& [key, value] : of["properties"].items()) {
      const Setting* at = example == nullptr ? nullptr : example->find(key);
      if (example != nullptr && at == nullptr) continue;
      const std::string name = path.empty() ? key : fmt::format("{}.{}", path, key);
      if (into.insert(name).second || example != nullptr) note(value, name, at, into);
    }
  }

  const Json& schema_;
};

}  // namespace

TEST_CASE("each key of a suite has an example in the manual, and each example can be read") {
  const Json schema = Json::parse(suite_format());
  KeysOfSuite keys(schema);
  Folder folder;
  const std::vector<std::string> suites = suites_of_manual();
  REQUIRE(suites.size() >= 2);
  for (const std::string& text : suites) {
    const std::string path = folder.write("s.yaml", text);
    const Result<Suite> suite = read_suite(path);
    if (!suite) FAIL(suite.error().what << "\n" << text);
    keys.use(read_yaml(path, text).value());
  }
  std::string missing;
  for (const std::string& key : keys.all)
    if (!keys.used.contains(key)) missing += key + "\n";
  INFO(missing);
  CHECK(missing.empty());
  CHECK(keys.all.contains("limits.errors"));
}
