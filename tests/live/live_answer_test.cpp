#include "live/live_answer.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "input/growing/growing.h"
#include "reading.h"

using namespace xtrace;

TEST_CASE("a query that is followed is told again with every step, once it is there") {
  Folder folder;
  std::string path = folder.write("log.jsonl", R"({"queryId":"other","node":"X"})"
                                               "\n");
  Result<Command> command = read_command_line({"follow", path, "-q", "-j1"});
  REQUIRE(command);
  const Request& request = std::get<Request>(*command);
  GrowingInputs growing(request.inputs);
  LiveAnswer answer(request, "q", growing.generations());
  auto told = [&] {
    Growth growth;
    REQUIRE(growing.read(growth));
    Result<std::string> line = answer.next();
    REQUIRE(line);
    return line->empty() ? size_t{0} : nlohmann::json::parse(*line)["steps"].size();
  };
  CHECK(told() == 0);
  for (size_t step = 1; step <= 3; ++step) {
    std::ofstream(path, std::ios::app)
        << R"({"queryId":"q","stepId":"s)" << step << R"(","node":"N"})"
        << "\n";
    CHECK(told() == step);
  }
  CHECK(told() == 0);  // nothing new
}

TEST_CASE("who comes later is told all of the query at once, in lines or for people") {
  Folder folder;
  std::string path = folder.write("log.jsonl", project_file("fixtures/steps.jsonl"));
  for (const char* format : {"json", "text"}) {
    Result<Command> command = read_command_line({"follow", path, "-q", "-j1", "-f", format});
    REQUIRE(command);
    const Request& request = std::get<Request>(*command);
    GrowingInputs growing(request.inputs);
    Growth growth;
    REQUIRE(growing.read(growth));
    Result<std::string> told =
        LiveAnswer(request, "Q-2024-09-01-001", growing.generations()).next();
    REQUIRE(told);
    CHECK(told->starts_with(format[0] == 'j' ? "{" : "query Q-2024-09-01-001"));
    for (const char* step : {"DetectIntent", "LocalGraph", "Summarizer", "Guardrails"})
      CHECK(told->find(step) != std::string::npos);
  }
}
