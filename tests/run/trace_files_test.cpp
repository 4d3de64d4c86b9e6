#include "run/trace_files.h"

#include <sqlite3.h>

#include <catch2/catch.hpp>
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
