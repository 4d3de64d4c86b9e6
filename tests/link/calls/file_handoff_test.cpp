#include <catch2/catch.hpp>

#include "link/reach/step_graph.h"
#include "story.h"

using namespace xtrace;

namespace {

const std::string kPlan = "1. Bake the bread.\\n2. Let it cool for an hour.\\n3. Slice it.";
const std::string kNumbered =
    "     1→1. Bake the bread.\n     2→2. Let it cool for an hour.\n"
    "     3→3. Slice it.\n";

std::string writing(const std::string& path, const std::string& text = kPlan) {
  return R"({"file_path": ")" + path + R"(", "content": ")" + text + "\"}";
}
std::string reading_of(const std::string& path) {
  return R"({"file_path": ")" + path + "\"}";
}

/// One agent writes a plan, and another one of the session reads it.
CallStory handing_over(const std::string& read, const std::string& path = "/shop/plan.md") {
  CallStory story;
  story.with("file_handoff");
  story.call("a").session("s").says("plan it").uses("w", "Write", writing("/shop/plan.md"));
  story.call("a2").session("s").after("a").reads("w", "written");
  story.call("b").session("s").says("bake").uses("r", "Read", reading_of(path));
  story.call("b2").session("s").after("b").reads("r", read);
  return story;
}

}  // namespace

TEST_CASE("who reads a file gets it from who wrote it, for whoever asks for such links") {
  CHECK(handing_over("1. Bake the bread.\n2. Let it cool for an hour.\n3. Slice it.")
            .links("file_handoff") == "a->b2 file_handoff 1.00 w 59 characters");
  CHECK(handing_over(kNumbered).links("file_handoff") == "a->b2 file_handoff 1.00 w 59 characters");
  CallStory unasked;
  unasked.call("a").session("s").uses("w", "Write", writing("/shop/plan.md"));
  unasked.call("b").session("s").says("bake").uses("r", "Read", reading_of("/shop/plan.md"));
  unasked.call("b2").session("s").after("b").reads("r", kNumbered);
  CHECK(unasked.links("file_handoff") == "");
}

TEST_CASE("what is read without the text that was written is a handoff by its path alone") {
  CallStory story = handing_over("2. Let it cool for an hour.");
  CHECK(story.links("file_handoff") == "a->b2 file_handoff 0.90 w");
  CHECK(story.link_into("b2", LinkKind::file_handoff).rule == Rule::path);
  CHECK(handing_over(kNumbered, "/shop/other.md").links("file_handoff") == "");
}

TEST_CASE("the same file is meant however its path is written") {
  CHECK(handing_over(kNumbered, "/shop/./notes/../plan.md").links("file_handoff") ==
        "a->b2 file_handoff 1.00 w 59 characters");
}

TEST_CASE("only the last write before a read counts, and none that failed or came later") {
  CallStory story;
  story.with("file_handoff");
  story.call("a").session("s").says("plan").uses("w1", "Write", writing("/p", "the first plan"));
  story.call("a2").session("s").after("a").reads("w1").uses("w2", "Write",
                                                            writing("/p", "the second plan"));
  story.call("a3").session("s").after("a2").reads("w2").uses("w3", "Write",
                                                             writing("/p", "the third plan"));
  story.call("a4").session("s").after("a3").reads_error("w3").uses("r", "Read", reading_of("/p"));
  story.call("a5")
      .session("s")
      .after("a4")
      .reads("r", "the second plan")
      .uses("w4", "Write", writing("/p", "the fourth plan"));
  CHECK(story.links("file_handoff") == "a2->a5 file_handoff 1.00 w2 15 characters");
}

TEST_CASE("another session reads it only where that is asked for") {
  const auto story = [](const char* link) {
    CallStory told;
    told.with(link);
    told.call("a").session("s").says("plan").uses("w", "Write", writing("/shop/plan.md"));
    told.call("b").session("t").says("bake").uses("r", "Read", reading_of("/shop/plan.md"));
    told.call("b2").session("t").after("b").reads("r", kNumbered);
    return told.links("file_handoff");
  };
  CHECK(story("file_handoff") == "");
  CHECK(story("session_handoff") == "a->b2 file_handoff 1.00 w 59 characters");
}

TEST_CASE("a handoff leads from the tool that wrote to the call that reads, as written") {
  CallStory story = handing_over(kNumbered);
  const Graph& graph = story.graph();
  std::vector<uint32_t> links(graph.links().size());
  for (uint32_t i = 0; i < links.size(); ++i) links[i] = i;
  const StepGraph steps =
      steps_of_calls(graph, std::vector<bool>(graph.trace().calls.size(), true), links, {});
  size_t written = 0;
  for (const CauseLink& link : steps.causes.links()) {
    if (static_cast<StepEvidence>(link.strength) != StepEvidence::written) continue;
    ++written;
    CHECK(steps.steps[link.from].kind == GraphStep::Kind::tool_use);
    CHECK(steps.steps[link.to].kind == GraphStep::Kind::call);
  }
  CHECK(written == 1);
}
