#include "input/spans/tag_words.h"

#include <catch2/catch.hpp>

namespace xtrace {

namespace {

Tag tag_named(std::string_view name) {
  return read_tag_words(name).tag;
}

}  // namespace

TEST_CASE("a count of tokens is known by its words, however a library spells them") {
  for (std::string_view name :
       {"gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt",
        "metrics.tokens_in", "tokens_in", "tokens.in", "prompt_tokens", "cost.tokens_in",
        "tokens.input", "input_tokens", "llm.usage.prompt_tokens", "llm.usage.input_tokens",
        "mlflow.chat.tokenUsage/input_tokens", "langfuse.observation.usage_details/input",
        "gen_ai.response.prompt_tokens", "ai.usage.promptTokens", "ai.usage.inputTokens",
        "input_token_count"}) {
    CAPTURE(name);
    CHECK(tag_named(name) == Tag::tokens_in);
  }
  for (std::string_view name :
       {"gen_ai.usage.output_tokens", "llm.token_count.completion", "tokens_out", "tokens.out",
        "completion_tokens", "ai.usage.completionTokens", "ai.usage.outputTokens",
        "langfuse.observation.usage_details/completion_tokens"}) {
    CAPTURE(name);
    CHECK(tag_named(name) == Tag::tokens_out);
  }
  for (std::string_view name :
       {"gen_ai.usage.total_tokens", "llm.token_count.total", "tokens.total", "total_tokens",
        "ai.usage.totalTokens", "gcp.vertex.agent.llm_response/usage_metadata/total_token_count"}) {
    CAPTURE(name);
    CHECK(tag_named(name) == Tag::tokens_total);
  }
}

TEST_CASE("what a cache gave, what it took and what it did not have are three counts") {
  for (std::string_view name :
       {"gen_ai.usage.cache_read_input_tokens", "gen_ai.usage.cache_read.input_tokens",
        "gen_ai.usage.cache_read_tokens", "gen_ai.usage.cached_input_tokens",
        "gen_ai.usage.input_tokens.cached", "gen_ai.usage.input_token_details.cache_read",
        "llm.token_count.prompt_details.cache_read", "llm.token_count.prompt_details.cache_input",
        "ai.usage.cachedInputTokens", "ai.usage.inputTokenDetails.cacheReadTokens",
        "cached_content_token_count", "llm.usage.prompt_cache_hit_tokens",
        "langfuse.observation.usage_details/prompt_tokens_details/cached_tokens"}) {
    CAPTURE(name);
    CHECK(tag_named(name) == Tag::cache_read);
  }
  for (std::string_view name :
       {"gen_ai.usage.cache_creation_input_tokens", "gen_ai.usage.cache_creation.input_tokens",
        "gen_ai.usage.cache_write_tokens", "gen_ai.usage.input_tokens.cache_write",
        "llm.token_count.prompt_details.cache_write", "cache_write_token_count",
        "ai.usage.inputTokenDetails.cacheWriteTokens",
        "langfuse.observation.usage_details/input_cache_creation"}) {
    CAPTURE(name);
    CHECK(tag_named(name) == Tag::cache_creation);
  }
  for (std::string_view name :
       {"gen_ai.usage.details.input_tokens", "ai.usage.inputTokenDetails.noCacheTokens",
        "llm.usage.prompt_cache_miss_tokens"}) {
    CAPTURE(name);
    CHECK(tag_named(name) == Tag::tokens_uncached);
  }
}

TEST_CASE("a word that changes what is counted makes a name unknown") {
  for (std::string_view name :
       {"input", "output", "cached", "total", "gen_ai.usage.input_audio_tokens",
        "llm.token_count.prompt_details.audio", "gen_ai.usage.details.ephemeral_1h_input_tokens",
        "gen_ai.request.max_tokens", "crew.cumulative.total_tokens", "gen_ai.token.type", "tokens",
        "gen_ai.usage", "id", "call_id", "cost", "total_cost", "llm.cost.prompt", ""}) {
    CAPTURE(name);
    CHECK_FALSE(read_tag_words(name));
  }
}

TEST_CASE("a tool call's id and a cost are known by their words too") {
  for (std::string_view name : {"gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id",
                                "tool_use_id", "gen_ai.tool_call_id", "toolCallId"}) {
    CAPTURE(name);
    CHECK(tag_named(name) == Tag::tool_call);
  }
  for (std::string_view name :
       {"gen_ai.usage.cost", "llm.cost.total", "cost.usd", "cost_usd", "gen_ai.usage.total_cost",
        "gen_ai.cost.total_cost", "llm.usage.cost_usd", "metrics.cost_usd"}) {
    CAPTURE(name);
    CHECK(tag_named(name) == Tag::cost);
  }
}

TEST_CASE(
    "of two names for one count that of the conventions wins, and of a namespace the new one") {
  auto rank = [](std::string_view name) { return read_tag_words(name).rank; };
  CHECK(rank("gen_ai.usage.input_tokens") < rank("gen_ai.usage.prompt_tokens"));
  CHECK(rank("gen_ai.usage.prompt_tokens") < rank("llm.token_count.prompt"));
  CHECK(rank("llm.token_count.prompt") < rank("input_tokens"));
  CHECK(rank("gen_ai.tool.call.id") < rank("tool.id"));
}

TEST_CASE("a usage object's fields need no namespace") {
  CHECK(read_usage_field("promptTokenCount").tag == Tag::tokens_in);
  CHECK(read_usage_field("input").tag == Tag::tokens_in);
  CHECK(read_usage_field("candidatesTokenCount").tag == Tag::tokens_out);
  CHECK(read_usage_field("input_token_details/cache_read").tag == Tag::cache_read);
  CHECK(read_usage_field("completion_tokens_details/reasoning_tokens").tag == Tag::tokens_thought);
  CHECK(read_usage_field("total_cost").tag == Tag::cost);
  CHECK_FALSE(read_usage_field("unit"));
  CHECK_FALSE(read_usage_field("input_token_details/audio"));
}

}  // namespace xtrace
