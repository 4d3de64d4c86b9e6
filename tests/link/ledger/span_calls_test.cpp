#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

using namespace xtrace;

namespace {

/// `outer` asks a model, and inside of it `inner` does; each shows what is said of it below.
struct Nested {
  Nested() { story.span("outer", "garden", "", 0, 1000).tag("gen_ai.operation.name", "chat"); }
  /// Tags of the outer span come first.
  Nested& inner(const std::string& operation = "chat") {
    story.span("inner", "garden", "outer", 10, 900).called(operation, "garden");
    story.tag("gen_ai.operation.name", operation);
    return *this;
  }
  Nested& asks(const std::string& model) { return story.tag("gen_ai.request.model", model), *this; }
  Nested& uses(int input, int output, int cached = -1) {
    story.tag("gen_ai.usage.input_tokens", std::to_string(input))
        .tag("gen_ai.usage.output_tokens", std::to_string(output));
    if (cached >= 0) story.tag("gen_ai.usage.cache_read.input_tokens", std::to_string(cached));
    return *this;
  }
  Nested& costs(const std::string& dollars) {
    return story.tag("gen_ai.usage.cost", dollars), *this;
  }
  Nested& fails() { return story.tag("error", "true").tag("error.type", "RateLimitError"), *this; }
  HopStory story;
};

/// `inner 100+1000:20 $0.009` — name, tokens and cost in millionths of those that count.
std::string counted_calls(const Nested& nested) {
  const Graph graph = nested.story.graph();
  std::string text;
  for (const Activity& one : graph.activities().all) {
    if (!one.counts_usage()) continue;
    text += fmt::format("{} {}+{}:{} {}{}\n", graph.hops().name_of(graph.trace(), one.hop),
                        one.tokens.input, one.tokens.cache_read, one.tokens.output, one.cost / 1000,
                        one.cost_is_recorded ? " recorded" : "");
  }
  return text;
}

}  // namespace

TEST_CASE("one call that two libraries saw is one, by whatever name of its model") {
  const std::string asked =
      GENERATE("gpt-4o", "openai/gpt-4o", "gpt-4o-2024-08-06", "gpt-4o-preview", "our-best", "");
  Nested nested;
  if (!asked.empty()) nested.asks(asked);
  nested.inner().asks("gpt-4o").uses(100, 20);
  CHECK(counted_calls(nested) == "inner 100+-1:20 450\n");
}

TEST_CASE("what asks for vectors inside of a call is a call of its own") {
  Nested nested;
  nested.asks("claude-sonnet-4-5").uses(1100, 20).costs("0.009");
  nested.inner("embeddings").asks("text-embedding-3-small").uses(7, 0);
  CHECK(counted_calls(nested) == "outer 1100+-1:20 9000 recorded\ninner 7+-1:0 0\n");
}

TEST_CASE("another model asked inside of a call is a call of its own") {
  Nested nested;
  nested.asks("gpt-4o").uses(100, 20);
  nested.inner().asks("gpt-4o-mini").uses(50, 10);
  CHECK(counted_calls(nested) == "outer 100+-1:20 450\ninner 50+-1:10 13\n");
}

TEST_CASE("an attempt that failed inside of a call that succeeded is a call of its own") {
  Nested nested;
  nested.asks("gpt-4o").uses(100, 20);
  nested.inner().asks("gpt-4o").fails();
  CHECK(counted_calls(nested) == "outer 100+-1:20 450\ninner -1+-1:-1 0\n");
  SECTION("not where that counts it itself") {
    Nested counting;
    counting.asks("gpt-4o").uses(100, 20);
    counting.story.tag("xtrace.retries", "1");
    counting.inner().asks("gpt-4o").fails();
    CHECK(counted_calls(counting) == "outer 100+-1:20 450\n");
  }
  SECTION("and one that failed with it is the same") {
    Nested both;
    both.asks("gpt-4o").fails().inner().asks("gpt-4o").fails();
    CHECK(counted_calls(both) == "inner -1+-1:-1 0\n");
  }
}

TEST_CASE("what counts takes over what only the other span knows of the call") {
  Nested nested;
  nested.asks("claude-sonnet-4-5").uses(1100, 20, 1000);
  SECTION("the cache, and with it the price") {
    nested.inner().asks("claude-sonnet-4-5").uses(1100, 20);
    CHECK(counted_calls(nested) == "inner 100+1000:20 900\n");
  }
  SECTION("the cost on record") {
    nested.costs("0.009").inner().asks("claude-sonnet-4-5").uses(1100, 20);
    CHECK(counted_calls(nested) == "inner 100+1000:20 9000 recorded\n");
  }
  SECTION("not of a sum of several calls") {
    nested.costs("0.009").inner().asks("claude-sonnet-4-5").uses(550, 10);
    CHECK(counted_calls(nested) == "inner 550+-1:10 1800\n");
  }
}
