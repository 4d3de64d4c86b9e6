#include "link/activities/output_estimate.h"

#include <catch2/catch.hpp>
#include <span>

#include "link/activities/call_sizes.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "reread.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// Of a call that first said this and then thought that, and whose log has the first count alone.
OutputEstimate estimate(const std::string& blocks) {
  Transcript log;
  log.user("u", "go").answer("a", "m", blocks, 1);
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("log", log.text())}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  CallSizeMeter said(graph.trace(), &payloads);
  return estimate_output(graph, said, graph.timeline().in_order().front());
}

}  // namespace

TEST_CASE("what a model thought is put out, as far as the log has it") {
  const std::string thought(330, 't'), said(33, 's');
  const std::string thinking = R"({"type":"thinking","thinking":")" + thought + R"("})";
  CHECK(estimate(says(said)).tokens == 10);
  CHECK(estimate(thinking + "," + says(said)).tokens == 110);
  CHECK(estimate(R"({"type":"thinking","thinking":""},)" + says(said)).tokens == 10);
}

TEST_CASE("a tool use is more than its name and what it is given") {
  const std::string use = uses("t", "Read", R"({"file_path":"a"})");
  const int64_t one = estimate(use).tokens;
  CHECK(one > 45);
  CHECK(estimate(use + "," + uses("s", "Read", R"({"file_path":"b"})")).tokens > 2 * one - 3);
}

TEST_CASE("what a model thought is no part of its answer in later requests") {
  Transcript log;
  log.user("u", "go").answer("a", "m", thinks() + "," + says(std::string(33, 's')), 1);
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("log", log.text())}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  const Call& call = graph.trace()[graph.timeline().in_order().front()];
  CallSizeMeter said(graph.trace(), &payloads);
  CHECK(estimated_answer(said[graph.timeline().in_order().front()]) == 10);
  CHECK(payloads.read(call).answer == std::string(33, 's'));
}

TEST_CASE("what was measured while reading is what reading again measures") {
  Folder folder;
  const std::string path = folder.write(
      "a.jsonl", project_file("fixtures/claude-code/7d1c2a90-5b1e-4f7a-9c3d-2f60a1b8e4d1.jsonl"));
  Progress progress;
  const Trace measured = load({path}, {}, progress).value();
  Trace bare = load({path}, {}, progress).value();
  for (CallPlace& place : bare.places) place.sizes = {};
  const Reread payloads(measured);
  CallSizeMeter kept(measured, &payloads), again(bare, &payloads);
  size_t told = 0;
  for (size_t i = 0; i < measured.calls.size(); ++i) {
    const CallSizes &a = kept[CallId(i)], &b = again[CallId(i)];
    CAPTURE(measured[measured.calls[i].id]);
    CHECK(a.answered == b.answered);
    CHECK(a.thought == b.thought);
    CHECK(a.asked == b.asked);
    CHECK(a.results == b.results);
    for (const CallPlace& place :
         std::span(measured.places)
             .subspan(measured.calls[i].first_place, measured.calls[i].places))
      told += bool(place.sizes);
  }
  CHECK(told > 20);
}
