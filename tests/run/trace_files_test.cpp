#include "run/trace_files.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <variant>

#include "cli/command.h"
#include "cli/common_options.h"
#include "reading.h"
#include "run/answer.h"
#include "run/load_runs.h"

using namespace xtrace;

TEST_CASE("the index holds what a query cost, as its trace does") {
  Folder folder;
  std::string log =
      folder.write("steps.jsonl", R"({"queryId":"q","node":"A","metrics":{"cost_usd":0.0031}})"
                                  "\n"
                                  R"({"queryId":"q","node":"B","metrics":{"cost_usd":0.0011}})"
                                  "\n");
  std::string out = folder.path() + "/out", index = folder.path() + "/index.sqlite";
  Result<Command> command = read_command_line({"trace", "--all", "--quiet", "--config", "/dev/null",
                                               "--output-dir", out, "--index", index, log});
  REQUIRE(command);
  const Request& request = std::get<Request>(*command);
  Result<std::vector<Trace>> traces = load_runs(request);
  REQUIRE(traces);
  const LinkedRuns linked = link_runs(*std::move(traces), request.link_options());
  REQUIRE(write_trace_files(request, linked));

  sqlite3* database = nullptr;
  sqlite3_stmt* asked = nullptr;
  REQUIRE(sqlite3_open(index.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_prepare_v2(database, "SELECT total_cost_usd FROM Query", -1, &asked, nullptr) ==
          SQLITE_OK);
  REQUIRE(sqlite3_step(asked) == SQLITE_ROW);
  CHECK(sqlite3_column_double(asked, 0) == Approx(0.0042));
  sqlite3_finalize(asked);
  sqlite3_close(database);
}

TEST_CASE("ids of a log lead nowhere but two steps below the folder") {
  Folder folder, elsewhere;
  const std::string out = folder.path() + "/out";
  std::string steps;
  const std::string kIds[] = {"../../up", "/etc/passwd",         "..",   "a\\u0000b",
                              "CON",      "C:\\\\up.ini",        "Shop", "shop",
                              "link",     std::string(5000, 'x')};
  for (const std::string& project : kIds)
    for (const std::string& query : kIds)
      steps += fmt::format(
          R"({{"queryId":"{}","projectId":"{}","node":"A","metrics":{{"latency_ms":3}}}})"
          "\n",
          query, project);
  const std::string log = folder.write("steps.jsonl", steps);
  // Somebody put links there, one in the place of each answer of a project.
  const std::string victim = elsewhere.write("victim", "precious");
  std::filesystem::create_directories(out + "/Shop");
  for (const char* name : {"Shop", "link"})
    std::filesystem::create_symlink(victim, out + "/Shop/" + name + ".json");
  Result<Command> command = read_command_line(
      {"trace", "--all", "--quiet", "--config", "/dev/null", "--output-dir", out, log});
  REQUIRE(command);
  const Request& request = std::get<Request>(*command);
  Result<std::vector<Trace>> traces = load_runs(request);
  REQUIRE(traces);
  const LinkedRuns linked = link_runs(*std::move(traces), request.link_options());
  const size_t queries = count_queries(request, linked).value();
  CHECK(queries >= 90);
  REQUIRE(write_trace_files(request, linked));

  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(out)) {
    if (entry.is_directory()) continue;
    ++files;
    CHECK(entry.symlink_status().type() == std::filesystem::file_type::regular);
    CHECK(entry.path().parent_path().parent_path() == out);
    CHECK(entry.path().filename().string().size() <= 205);
  }
  CHECK(files == queries);
  CHECK(folder.names() == std::vector<std::string>{"out", "steps.jsonl"});
  CHECK(elsewhere.read("victim") == "precious");
}
