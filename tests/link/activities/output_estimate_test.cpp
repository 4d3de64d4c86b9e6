#include "link/activities/output_estimate.h"

#include <catch2/catch.hpp>

#include "link/activities/said_sizes.h"
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
  SaidSizesOf said(graph.trace(), &payloads);
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

TEST_CASE("what a model thought is no part of its answer in later requests") {
  Transcript log;
  log.user("u", "go").answer("a", "m", thinks() + "," + says(std::string(33, 's')), 1);
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("log", log.text())}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  const Call& call = graph.trace()[graph.timeline().in_order().front()];
  SaidSizesOf said(graph.trace(), &payloads);
  CHECK(estimated_answer(said[graph.timeline().in_order().front()]) == 10);
  CHECK(payloads.read(call).answer == std::string(33, 's'));
}
