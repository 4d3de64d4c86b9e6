#include "view/calls/call_words.h"

#include <catch2/catch.hpp>

#include "story.h"
#include "view/calls/select_calls.h"
#include "view/common/filter.h"

using namespace xtrace;

namespace {

/// `model` as a line of the tree shows it.
std::string shown(const char* model) {
  CallStory story;
  story.call("a").model(model);
  const Graph& graph = story.graph();
  Door door(Redaction::all, Door::Level::basic, 200);
  Document document("dag");
  CallScene scene{
      {graph, door},      graph,           select_calls({}, graph, Zone()).value(), Metrics(),
      Names(graph, door), document.arena()};
  return std::string(short_model(scene, CallId(size_t{0})).view());
}

}  // namespace

TEST_CASE("a model is shown without its vendor and its date") {
  CHECK(shown("claude-opus-4-5-20251101") == "opus-4-5");
  CHECK(shown("gpt-5-2025-08-07") == "gpt-5");
  CHECK(shown("openai/gpt-4o-2024-11-20") == "gpt-4o");
}

TEST_CASE("numbers that are no date stay in a model's name") {
  CHECK(shown("gemini-2.5-pro") == "gemini-2.5-pro");
  CHECK(shown("model-1234-5") == "model-1234-5");
  CHECK(shown("20251101") == "20251101");
}
