#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

const std::string kBareHead =
    R"({"id":"s-1","timestamp":"2025-06-20T10:00:00.000Z","instructions":null,"git":{}})"
    "\n"
    R"({"record_type":"state"})"
    "\n";

const std::string kBareAsked =
    R"({"type":"message","role":"user","content":[{"type":"input_text","text":"look"}]})";
const std::string kBareUse =
    R"({"type":"local_shell_call","call_id":"c1","action":{"type":"exec","command":["ls"]}})";
const std::string kBareGiven =
    R"({"type":"function_call_output","call_id":"c1","output":"{\"metadata\":{\"exit_code\":1}}"})";
const std::string kBareDone =
    R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]})";

const std::string kBareLines = kBareAsked + "\n" + R"({"type":"reasoning","id":"r","summary":[]})" +
                               "\n" + kBareUse + "\n" + kBareGiven + "\n" + kBareDone + "\n";

}  // namespace

TEST_CASE("rollouts of Codex before items had an envelope are read") {
  const Graph graph = link(read_log(kBareHead + kBareLines), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace) == "");
  CHECK(trace.sources.front().format == "codex");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "s-1");
  REQUIRE(graph.links().size() == 2);
  CHECK(graph.links()[0].rule == Rule::tool_use_id);
  CHECK(graph.links()[0].is_error);
  CHECK(graph.links()[1].rule == Rule::transcript);
}

TEST_CASE("such items are Codex's only where its line opened the file") {
  const Trace trace = read_log(kBareLines);
  CHECK(trace.calls.empty());
  CHECK(trace.complaints.size() == 5);
}

TEST_CASE("the document that the predecessor of Codex wrote is a session") {
  Folder folder;
  Progress progress;
  const std::string path =
      folder.write("rollout-1.json",
                   R"({"session":{"timestamp":"2025-05-20T10:00:00.000Z","id":"ts1",)"
                   R"("instructions":""},"items":[)" +
                       kBareAsked + "," + kBareUse + "," + kBareGiven + "," + kBareDone + "]}");
  const Trace trace = load({path}, {}, progress).value();
  CHECK(trace.sources.front().format == "codex");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "ts1");
  CHECK(Reread(trace).read(trace.calls[0]).prompt == "look");
  CHECK(Reread(trace).read(trace.calls[1]).answer == "done");
}

TEST_CASE("what that document says of nobody opens no session") {
  Folder folder;
  Progress progress;
  const std::string path = folder.write(
      "rollout-1.json",
      R"({"session":{"timestamp":"2025-05-20T10:00:00.000Z","id":"ts1"},"items":[)"
      R"({"type":"message","role":"user","content":[]},{"type":"image_generation_call","id":"i1"},)" +
          kBareAsked + R"(,{"type":"unheard_of","id":"u1"},)" + kBareUse + "," + kBareGiven + "," +
          kBareDone + "]}");
  const Graph graph = link(load({path}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  CHECK(trace.sources.front().format == "codex");
  CHECK(graph.sessions().size() == 1);
  for (const Call& call : trace.calls) CHECK(trace[call.session] == "ts1");
}
