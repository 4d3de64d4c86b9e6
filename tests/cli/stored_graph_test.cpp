#include <catch2/catch.hpp>

#include "asked_input.h"
#include "made_log.h"
#include "reading.h"
#include "view/diff/diff.h"

using namespace xtrace;

namespace {

/// The same run, stored by `dag` and read again.
bool is_equal_when_stored(const std::string& name) {
  const std::string path = "fixtures/" + name;
  const std::string log = project_file(path),
                    stored = AskedInput(project_path(path)).in("json", {"dag"});
  REQUIRE_FALSE(stored.empty());
  const Graph before = link(read_log(log, {}), {}), now = link(read_log(stored, {}), {});
  Door door(Redaction::all, Door::Level::basic, 200);
  const ComparedRun earlier{before};
  Question question{now, door};
  question.before = &earlier;
  const DiffScene scene(question, choose_run(DiffScene::about_old(question), {}).value(),
                        choose_run(question, {}).value());
  return scene.found.is_equal();
}

}  // namespace

TEST_CASE("a log and the graph of it that was stored are the same run") {
  // Calls with prompts, subagents and tools that fail; spans of models that fail; a parent that
  // another record names; an outcome that is unknown.
  for (const char* name : {"trip.jsonl", "retries.jsonl", "gemini.json", "detective-otlp.json",
                           "served.json", "sdk-spans.json", "zipkin.json"}) {
    INFO(name);
    CHECK(is_equal_when_stored(name));
  }
}

TEST_CASE("two stored graphs of spans are compared in all that they state") {
  const Graph graph = link(
      read_log(AskedInput(project_path("fixtures/detective-otlp.json")).in("json", {"dag"}), {}),
      {});
  CHECK(RunSteps::comparable_in(graph, *graph.story()) == Compared::stored_spans);
}
