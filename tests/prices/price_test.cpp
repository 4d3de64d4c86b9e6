#include "prices/price.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

/// The row that a name is priced by; empty: none.
std::string row_of(std::string_view model) {
  const PricedModel* found = list_prices().find(model);
  return found == nullptr ? "" : found->name;
}

Tokens tokens(int64_t input, int64_t output) {
  Tokens made;
  made.input = input;
  made.output = output;
  return made;
}

}  // namespace

TEST_CASE("a model is known by all the names that vendors and logs give it") {
  for (const char* name :
       {"claude-sonnet-4-5", "claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5",
        "anthropic/claude-sonnet-4.5", "anthropic/claude-4.5-sonnet-20250929",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5@20250929",
        "global.anthropic.claude-sonnet-4-5-20250929-v1:0", "Claude-Sonnet-4-5",
        "bedrock/us-east-1/anthropic.claude-sonnet-4-5-20250929-v1:0",
        "projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5@20250929",
        "claude-sonnet-4-5[1m]", "openrouter/anthropic/claude-sonnet-4.5:thinking",
        "claude-sonnet-4-5-latest"}) {
    INFO(name);
    CHECK(row_of(name) == "claude-sonnet-4-5");
  }
  CHECK(row_of("arn:aws:bedrock:us-east-1:123456789012:inference-profile/"
               "us.anthropic.claude-sonnet-4-5-20250929-v1:0") == "claude-sonnet-4-5");
  CHECK(row_of("claude-3-5-sonnet-latest") == "claude-3-5-sonnet");
  CHECK(row_of("anthropic.claude-3-5-sonnet-20241022-v2:0") == "claude-3-5-sonnet");
  CHECK(row_of("claude-opus-4-20250514") == "claude-opus-4");
  CHECK(row_of("gpt-4o-2024-08-06") == "gpt-4o");
  CHECK(row_of("gpt-4o-2024-05-13") == "gpt-4o-2024-05-13");
  CHECK(row_of("azure/gpt-4.1-2025-04-14") == "gpt-4.1");
  CHECK(row_of("gpt-4-0613") == "gpt-4");
  CHECK(row_of("o1-2024-12-17") == "o1");
  CHECK(row_of("models/gemini-2.5-pro") == "gemini-2.5-pro");
  CHECK(row_of("gemini-1.5-flash-002") == "gemini-1.5-flash");
}

TEST_CASE("no model is taken for another whose name begins alike") {
  CHECK(row_of("o1-mini-2024-09-12") == "o1-mini");
  CHECK(row_of("gpt-4o-mini") == "gpt-4o-mini");
  CHECK(row_of("gpt-4.1-nano") == "gpt-4.1-nano");
  for (const char* name : {"claude-sonnet-4-9",
                           "claude-opus-6",
                           "claude-sonnet-4-5-fast",
                           "gpt-4-vision",
                           "gpt-4x",
                           "gpt-4o-audio-preview",
                           "gpt-4o-realtime",
                           "o1-nano",
                           "o3-deep-research",
                           "gpt-5.9",
                           "gpt-5-ultra",
                           "gemini-2.5-pro-exp-03-25",
                           "gemini-2.5-pro-tts",
                           "claude",
                           "gpt",
                           "",
                           "-",
                           "my-gpt-4o",
                           "ft:gpt-4o-2024-08-06:acme::abc",
                           "claude-opus",
                           "claude-4"}) {
    INFO(name);
    CHECK(row_of(name).empty());
  }
}

TEST_CASE("what another seller offers is not priced by its maker's list") {
  CHECK(row_of("deepseek/deepseek-chat") == "deepseek-chat");
  CHECK(row_of("ollama/deepseek-chat").empty());
  CHECK(row_of("together_ai/mistralai/mistral-small-2506").empty());
  CHECK(row_of("claude-sonnet-4-5:free").empty());
}

TEST_CASE("a call costs its tokens of each kind") {
  Tokens used = tokens(1000, 100);
  CHECK(list_prices().cost("claude-sonnet-4-6", used) == 3'000'000 + 1'500'000);
  used.cache_read = 10'000;
  used.cache_creation = 2000;
  CHECK(list_prices().cost("claude-sonnet-4-6", used) == 4'500'000 + 3'000'000 + 7'500'000);
  used.cache_creation_1h = 1500;
  CHECK(list_prices().cost("claude-sonnet-4-6", used) ==
        4'500'000 + 3'000'000 + 500 * 3750 + 1500 * 6000);
}

TEST_CASE("long prompts cost more where they do, cached ones too") {
  Tokens used = tokens(150'000, 1000);
  used.cache_read = 50'000;
  CHECK(list_prices().cost("gemini-2.5-pro", used) ==
        150'000 * 1250 + 50'000 * 125 + 1000 * 10'000);
  used.cache_read = 50'001;
  CHECK(list_prices().cost("gemini-2.5-pro", used) ==
        150'000 * 2500 + 50'001 * 250 + 1000 * 15'000);
}

TEST_CASE("a prompt is long by itself, and not with others that were sent for the same answer") {
  Tokens used = tokens(250'000, 0);
  used.most_sent = 150'000;
  CHECK(list_prices().cost("gemini-2.5-pro", used) == 250'000 * 1'250);
}

TEST_CASE("what may wait costs half, and what must not costs what the vendor asks") {
  const auto cost = [](std::string_view model, ServiceTier tier) {
    Tokens used = tokens(1000, 100);
    used.tier = tier;
    return list_prices().cost(model, used);
  };
  CHECK(cost("claude-opus-5", ServiceTier::batch) == 3'750'000);
  CHECK(cost("gpt-5.5", ServiceTier::flex) == 4'000'000);
  CHECK(cost("claude-opus-5", ServiceTier::fast) == 15'000'000);
  CHECK(cost("gpt-5.5", ServiceTier::priority) == 20'000'000);
  CHECK(cost("claude-haiku-4-5", ServiceTier::fast) == kNoCount);  // it is in no list
}

TEST_CASE("a price of one's own keeps what hurried service is of it") {
  PriceTable table = list_prices();
  Tokens used = tokens(1000, 0);
  used.tier = ServiceTier::fast;
  table.set({"claude-opus-5", "", {1'000'000, 0, kNoCount, kNoCount, kNoCount}, kNoCount, {}});
  CHECK(table.cost("claude-opus-5", used) == 2'000'000);
}

TEST_CASE("a cost that is not known in full is not known") {
  CHECK(list_prices().cost("claude-test-1", tokens(1, 1)) == kNoCount);
  CHECK(list_prices().cost("gpt-4", Tokens()) == kNoCount);
  CHECK(list_prices().cost("gpt-4", tokens(100, kNoCount)) == kNoCount);
  CHECK(list_prices().cost("gpt-4", tokens(kNoCount, 100)) == kNoCount);
  CHECK(list_prices().cost("gpt-4", tokens(0, 0)) == 0);
  Tokens cached = tokens(100, 10);
  cached.cache_read = 5;
  CHECK(list_prices().cost("gpt-4", cached) == kNoCount);  // that model had no cache
  // Nothing comes out of an embedding, and it costs nothing.
  CHECK(list_prices().cost("text-embedding-3-small", tokens(1000, kNoCount)) == 20'000);
}

TEST_CASE("amounts beyond all measure are no cost") {
  CHECK(list_prices().cost("gpt-4", tokens(INT64_MAX, 1)) == kNoCount);
  CHECK(list_prices().cost("gpt-4", tokens(1, INT64_MAX)) == kNoCount);
}

TEST_CASE("fractions of a billionth are rounded once, for the call as a whole") {
  PriceTable table;
  table.set({"m", "", {400, 400, kNoCount, kNoCount, kNoCount}, kNoCount, {}});  // 0.4 each
  CHECK(table.cost("m", tokens(1, 0)) == 0);
  CHECK(table.cost("m", tokens(1, 1)) == 1);
}

TEST_CASE("every row of the list says when it was looked up, and what is read costs less") {
  for (const auto& [plain, model] : list_prices().models()) {
    INFO(model.name);
    CHECK(model.valid.size() == 10);
    CHECK(model.valid <= std::string(list_prices().valid()));
    CHECK(model.price.input > 0);
    CHECK(model.price.output >= 0);
    CHECK(model.price.cache_read <= model.price.input);
    CHECK((model.over < 0) == (model.price_over.input < 0));
    if (model.over > 0) CHECK(model.price_over.input > model.price.input);
    CHECK(list_prices().find(model.name) == &model);
  }
}

TEST_CASE("a price of one's own stands before the list's, by whatever name it is said") {
  PriceTable table = list_prices();
  table.file = "mine.json";
  Price dear{1'000'000'000, 0, kNoCount, kNoCount, kNoCount};
  table.set({"anthropic/claude-sonnet-4.6", "2099-01-01", dear, kNoCount, {}});
  table.set({"our-model", "", dear, kNoCount, {}});
  table.set({"together/llama", "", dear, kNoCount, {}});
  CHECK(table.find("claude-sonnet-4-6-20260101")->price == dear);
  CHECK(table.find("our-model")->price == dear);
  CHECK(table.find("together/llama")->price == dear);
  CHECK(table.find("llama") == nullptr);
  CHECK(table.find("claude-opus-4-6")->price == list_prices().find("claude-opus-4-6")->price);
  CHECK(table.valid() == list_prices().valid());
}
