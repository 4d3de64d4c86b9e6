#include "link/activities/permission.h"

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"
#include "transcript.h"

using namespace xtrace;

namespace {

constexpr const char* kDenial = "The user doesn't want to proceed with this tool use.";

/// A use of a tool that is asked for at 2 s in this mode, and its result.
struct Use {
  std::string mode = "default", tool = "Bash", result = "made";
  int came = 62;
  bool is_error = false;
  std::vector<int> progress{};  ///< seconds at which the tool told of 1 s of work more than before

  Graph graph() const {
    Transcript session;
    if (!mode.empty()) session.with(R"("permissionMode":")" + mode + '"');
    session.at(0).user("u1", "go").at(2).answer("a1", "m1", uses("t1", tool));
    int elapsed = 1;
    for (int at : progress)
      session.at(at).line(
          "p" + std::to_string(at), "progress",
          R"("parentToolUseID":"t1","toolUseID":"b","data":{"type":"bash_progress",)"
          R"("output":"x","elapsedTimeSeconds":)" +
              std::to_string(elapsed++) + "}");
    session.at(came).line(
        "r1", "user",
        R"("message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":")" +
            result + R"(","is_error":)" + (is_error ? "true" : "false") + "}]}");
    session.at(came + 3).answer("a2", "m2", says("so"));
    return link(read_log(session.text()), {});
  }
};

/// "60 s denied 0.95"; "may be", where the log does not decide.
std::string waits(const Use& use) {
  const Graph graph = use.graph();
  std::string told;
  for (const PermissionWait& wait : graph.activities().permissions)
    told += fmt::format("{} s {} {}", wait.took / std::chrono::seconds(1), word(wait.rule),
                        wait.confidence);
  if (!graph.activities().undecided.empty()) told += "may be";
  return told;
}

std::string_view error_of(const Use& use) {
  const Graph graph = use.graph();
  for (const Activity& one : graph.activities().all)
    if (one.use != nullptr) return word(one.tool_error);
  return {};
}

}  // namespace

TEST_CASE("a denial is a wait for leave where the client asks, and no certainty") {
  CHECK(waits({.result = kDenial, .is_error = true}) == "60 s denied 0.95");
  CHECK(waits({.mode = "", .result = kDenial, .is_error = true}) == "60 s denied 0.95");
}

TEST_CASE("where the mode asks nobody, a tool that was stopped had run") {
  for (const char* mode : {"bypassPermissions", "dontAsk"}) {
    const Use use{.mode = mode, .result = kDenial, .is_error = true};
    CHECK(waits(use).empty());
    CHECK(error_of(use) == "cancelled");
  }
}

TEST_CASE("a tool that tells of its work was not waiting for leave meanwhile") {
  const Use use{.result = kDenial, .is_error = true, .progress = {3, 24, 44}};
  CHECK(waits(use).empty());
  CHECK(error_of(use) == "cancelled");
  CHECK(waits({.progress = {3, 24, 44}}).empty());
}

TEST_CASE("a tool that began to work late waited for leave before") {
  CHECK(waits({.progress = {43, 44}}) == "40 s measured_tool 0.8");
  CHECK(waits({.mode = "bypassPermissions", .progress = {43, 44}}).empty());
}

TEST_CASE("of a very long tool the log does not decide whether a prompt was open") {
  constexpr int kLong = 3000;  // seconds
  CHECK(waits({.tool = "mcp__tracker__search", .came = kLong}) == "may be");
  CHECK(waits({.mode = "", .tool = "mcp__tracker__search", .came = kLong}) == "may be");
  CHECK(
      waits({.mode = "bypassPermissions", .tool = "mcp__tracker__search", .came = kLong}).empty());
  CHECK(waits({.tool = "mcp__tracker__search", .came = 300}).empty());
  CHECK(waits({.tool = "Read", .came = kLong}).empty());
  CHECK(waits({.tool = "AskUserQuestion", .came = kLong}).empty());
}
