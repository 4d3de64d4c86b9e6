#include "run/status.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("what Claude Code passes to a status line is read as far as it is there") {
  const Result<StatusInput> input = read_status_input(
      R"({"session_id": "abc", "transcript_path": "/x/y.jsonl", "model": {"id": "m", "display_name": "Opus"},
          "workspace": {"current_dir": "/w/src", "project_dir": "/w"}, "cost": {"total_cost_usd": 0.25}})");
  REQUIRE(input);
  CHECK(input->session == "abc");
  CHECK(input->model == "Opus");
  CHECK(input->folder == "/w");
  CHECK(input->cost == 0.25);
  CHECK(read_status_input(R"({"transcript_path": "/x/y.jsonl", "cwd": "/w"})")->session == "y");
  CHECK(read_status_input(R"({"transcript_path": "/x/y.jsonl", "cwd": "/w"})")->folder == "/w");
  CHECK(read_status_input(R"({"model": 1, "cost": [], "workspace": "a"})")->session.empty());
  for (const char* text : {"", "[]", "1", "{", "no JSON"})
    CHECK(read_status_input(text).error().exit == Exit::input);
}
