#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "reading.h"

using namespace xtrace;

namespace {

using Words = std::vector<std::string>;

std::string release_fixture(const std::string& name) {
  return project_path("fixtures/release/" + name);
}

/// Writes the answer of a command to a file.
void run_into(const std::string& path, Words words) {
  words.insert(words.end(), {"-q", "-o", path});
  Result<Command> command = read_command_line(std::move(words));
  REQUIRE(command);
  REQUIRE(run(std::get<Request>(std::move(*command))));
}

/// `scenario rule: status`, a line for each verdict on the runs there.
Words verdicts(const Folder& folder, const std::string& runs) {
  const std::string answer = folder.path() + "/verdicts.json";
  run_into(answer, {"eval", release_fixture("suite.yaml"), runs, "-f", "json"});
  Words all;
  const nlohmann::json told = nlohmann::json::parse(folder.read("verdicts.json"));
  for (const nlohmann::json& scenario : told["scenarios"])
    for (const nlohmann::json& verdict : scenario["verdicts"])
      all.push_back(scenario["id"].get<std::string>() + ' ' + verdict["rule"].get<std::string>() +
                    ": " + verdict["status"].get<std::string>());
  return all;
}

Words verdicts_on_export(const Folder& folder, const std::string& runs, const std::string& format,
                         const std::string& level) {
  const std::string path = folder.path() + "/export.json";
  run_into(path, {"convert", runs, "--to", format, "--level", level, "--max-text", "100000"});
  return verdicts(folder, path);
}

}  // namespace

TEST_CASE("a suite judges what convert writes at level full as it judges the log") {
  Folder folder;
  for (const char* runs : {"good", "bad"})
    for (const char* format : {"otlp", "jaeger", "atif"}) {
      CAPTURE(runs, format);
      CHECK(verdicts_on_export(folder, release_fixture(runs), format, "full") ==
            verdicts(folder, release_fixture(runs)));
    }
}

TEST_CASE("what an export without texts lacks is insufficient evidence, never another verdict") {
  Folder folder;
  for (const char* runs : {"good", "bad"})
    for (const char* format : {"otlp", "jaeger", "atif"}) {
      CAPTURE(runs, format);
      const Words of_log = verdicts(folder, release_fixture(runs));
      const Words of_export = verdicts_on_export(folder, release_fixture(runs), format, "basic");
      REQUIRE(of_export.size() == of_log.size());
      for (size_t i = 0; i < of_log.size(); ++i)
        if (!of_export[i].ends_with(": insufficient_evidence")) CHECK(of_export[i] == of_log[i]);
    }
}
