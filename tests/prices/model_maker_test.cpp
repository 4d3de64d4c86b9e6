#include "prices/model_maker.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("the name of a model tells who makes it, with a date or a region around it") {
  CHECK(maker_of("claude-sonnet-4-5-20250929") == "anthropic");
  CHECK(maker_of("us.anthropic.claude-opus-4-5") == "anthropic");
  CHECK(maker_of("gpt-5.2-2026") == "openai");
  CHECK(maker_of("o3-mini") == "openai");
  CHECK(maker_of("gemini-2.5-pro") == "gcp.gemini");
}

TEST_CASE("who makes a model of an unknown name is not known") {
  CHECK(maker_of("house-model-1").empty());
  CHECK(maker_of("o3000").empty());
  CHECK(maker_of("gptx").empty());
  CHECK(maker_of("").empty());
}

TEST_CASE("windows are known of listed models alone, and of those that differ by date") {
  CHECK(context_window("claude-sonnet-4-5-20250929").standard == 200'000);
  CHECK(context_window("claude-sonnet-4-5-20250929").longer == 1'000'000);
  CHECK(context_window("gpt-4o-2024-11-20").standard == 128'000);
  CHECK(context_window("gpt-4o-audio").standard == -1);
  CHECK(context_window("house-model-1").standard == -1);
}
