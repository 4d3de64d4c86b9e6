#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

using namespace xtrace;

namespace {

/// A call of a model whose client tries `attempts` times; all but the last fail with a status, and
/// where `ends_badly` the last one and the call do too.
HopStory tried(int attempts, bool ends_badly) {
  HopStory story;
  story.span("call", "client", "", 0, 1000).tag("gen_ai.operation.name", "chat");
  story.tag("gen_ai.request.model", "claude-sonnet-4-5")
      .tag("error", ends_badly ? "true" : "false");
  for (int i = 0; i < attempts; ++i) {
    const bool fails = ends_badly || i + 1 < attempts;
    const std::string id = std::to_string(i);
    story.span("try" + id, "client", "call", 10 + i * 100, 50).called("attempt", "client");
    story.tag("error", fails ? "true" : "false");
    story.span("http" + id, "client", "try" + id, 11 + i * 100, 48).called("POST", "client");
    story.tag("error", fails ? "true" : "false").tag("http.status_code", fails ? "429" : "200");
  }
  return story;
}

const Activity& done(const Graph& graph, std::string_view id) {
  for (const Activity& one : graph.activities().all)
    if (one.hop && graph.hops().name_of(graph.trace(), one.hop) == id) return one;
  FAIL("no such span");
  return graph.activities().all.front();
}

/// The failures that count, with their words.
std::string failures(const HopStory& story) {
  const Graph graph = story.graph();
  std::string text;
  for (const Activity& one : graph.activities().all)
    if (one.outcome == Outcome::error && !one.same_failure)
      text += fmt::format("{} {}\n", graph.hops().name_of(graph.trace(), one.hop), one.error);
  return text;
}

}  // namespace

TEST_CASE("attempts below the span of a model call are attempts at that call") {
  const Graph graph = tried(3, false).graph();
  CHECK(done(graph, "call").retries_inside == 2);
  CHECK(done(graph, "try2").attempt == 3);
  for (const char* id : {"try0", "try1", "try2"}) {
    REQUIRE(done(graph, id).attempt_at);
    CHECK(graph.activities()[done(graph, id).attempt_at].kind == Activity::Kind::model_call);
  }
  CHECK_FALSE(done(graph, "http0").attempt_at);
}

TEST_CASE("a status of HTTP is the word for the attempt that it failed, and counts once") {
  CHECK(failures(tried(3, false)) == "try0 http_429\ntry1 http_429\n");
}

TEST_CASE("the last attempt's failure is that of the call that failed with it") {
  CHECK(failures(tried(3, true)) == "call http_429\ntry0 http_429\ntry1 http_429\n");
}

TEST_CASE("a span around a call of a model only passes its failure on") {
  HopStory story;
  story.span("page", "shop", "", 0, 100).tag("error", "true");
  story.span("step", "shop", "page", 1, 90).tag("error", "true");
  story.span("call", "shop", "step", 2, 50).tag("gen_ai.operation.name", "chat");
  story.tag("error", "true").tag("error.type", "RateLimitError");
  CHECK(failures(story) == "call RateLimitError\n");
}

TEST_CASE("what went wrong and was got over is a failure of its own") {
  HopStory story;
  story.span("page", "shop", "", 0, 100).tag("error", "true");
  story.span("cache", "shop", "page", 1, 10).tag("error", "true").tag("http.status_code", "503");
  story.span("store", "shop", "page", 20, 10).tag("error", "true").tag("error.type", "Full");
  CHECK(failures(story) == "page Full\ncache http_503\n");
}
