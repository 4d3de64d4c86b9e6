#include "prices/price.h"

#include <catch2/catch.hpp>

#include "prices/call_costs.h"
#include "prices/day.h"

using namespace xtrace;

namespace {

/// The row that a name is priced by; empty: none.
std::string row_of(std::string_view model) {
  const PriceHistory* found = list_prices().find(model).history;
  return found == nullptr ? "" : found->front().name;
}

ComputedCost computed(std::string_view model, const Tokens& used, std::string_view day = "") {
  return compute_cost(list_prices(), model, used, first_moment(day));
}

/// In billionths of a dollar; -1: it is not known, or only in part.
int64_t cost(std::string_view model, const Tokens& used, std::string_view day = "") {
  const ComputedCost found = computed(model, used, day);
  return found.is_partial ? kNoCount : found.cost;
}

/// `≥30` in billionths, where only a part is known.
std::string words(const ComputedCost& found) {
  if (found.cost < 0) return "?";
  return (found.is_partial ? "≥" : "") + std::to_string(found.cost);
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

TEST_CASE("libraries write the vendor before a model's name, with a colon or a slash") {
  CHECK(row_of("openai:gpt-4o") == "gpt-4o");
  CHECK(row_of("openai-responses:gpt-4o-2024-08-06") == "gpt-4o");
  CHECK(row_of("azure_openai:gpt-4o") == "gpt-4o");
  CHECK(row_of("anthropic:claude-sonnet-4-5") == "claude-sonnet-4-5");
  CHECK(row_of("bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0") == "claude-sonnet-4-5");
  CHECK(row_of("google-gla:gemini-2.5-pro") == "gemini-2.5-pro");
  CHECK(row_of("google_genai/gemini-2.5-pro") == "gemini-2.5-pro");
  CHECK(row_of("vercel/openai/gpt-4o") == "gpt-4o");
  CHECK(row_of("ollama:gpt-4o").empty());  // whoever runs it has prices of its own
  CHECK(row_of("openai/gpt-4o:free").empty());
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
  CHECK(cost("claude-sonnet-4-6", used) == 3'000'000 + 1'500'000);
  used.cache_read = 10'000;
  used.cache_creation = 2000;
  CHECK(cost("claude-sonnet-4-6", used) == 4'500'000 + 3'000'000 + 7'500'000);
  used.cache_creation_1h = 1500;
  CHECK(cost("claude-sonnet-4-6", used) == 4'500'000 + 3'000'000 + 500 * 3750 + 1500 * 6000);
}

TEST_CASE("long prompts cost more where they do, cached ones too") {
  Tokens used = tokens(150'000, 1000);
  used.cache_read = 50'000;
  CHECK(cost("gemini-2.5-pro", used) == 150'000 * 1250 + 50'000 * 125 + 1000 * 10'000);
  used.cache_read = 50'001;
  CHECK(cost("gemini-2.5-pro", used) == 150'000 * 2500 + 50'001 * 250 + 1000 * 15'000);
}

TEST_CASE("a prompt is long by itself, and not with others that were sent for the same answer") {
  Tokens used = tokens(250'000, 0);
  used.most_sent = 150'000;
  CHECK(cost("gemini-2.5-pro", used) == int64_t{250'000} * 1'250);
}

TEST_CASE("what may wait costs half, and what must not costs what the vendor asks") {
  const auto words_of = [](std::string_view model, ServiceTier tier) {
    Tokens used = tokens(1000, 100);
    used.terms.tier = tier;
    return words(computed(model, used));
  };
  CHECK(words_of("claude-opus-5", ServiceTier::batch) == "3750000");
  CHECK(words_of("gpt-5.5", ServiceTier::flex) == "4000000");
  CHECK(words_of("claude-opus-5", ServiceTier::fast) == "15000000");
  CHECK(words_of("gpt-5.5", ServiceTier::priority) == "20000000");
  CHECK(words_of("gpt-5.5", ServiceTier::fast) == "20000000");
  CHECK(words_of("grok-4.7", ServiceTier::batch) == words_of("grok-4.7", ServiceTier::standard));
  // No list has what haste costs here: no less than the usual service.
  CHECK(words_of("claude-haiku-4-5", ServiceTier::fast) == "≥1500000");
  CHECK(words_of("gpt-5.6-sol", ServiceTier::ultrafast) == "≥6000000");
}

TEST_CASE("one region costs more than all of them, of models since vendors ask for that") {
  const auto cost_in = [](std::string_view model, Residency residency) {
    Tokens used = tokens(1'000'000, 0);
    used.terms.residency = residency;
    return words(computed(model, used));
  };
  CHECK(cost_in("claude-opus-4-8", Residency::regional) == "5500000000");
  CHECK(cost_in("claude-opus-4-8", Residency::global) == "5000000000");
  CHECK(cost_in("claude-opus-4-1", Residency::regional) == "15000000000");
  CHECK(cost_in("gpt-5.4-nano", Residency::regional) == "220000000");
  CHECK(cost_in("gpt-5.2", Residency::regional) == "1750000000");
  // A profile that the log only names is either: so much at least.
  CHECK(cost_in("claude-opus-4-8", Residency::unclear) == "≥5000000000");
  CHECK(cost_in("claude-opus-4-1", Residency::unclear) == "15000000000");
}

TEST_CASE("terms multiply one another") {
  Tokens used = tokens(100'000, 10'000);
  used.terms = {ServiceTier::fast, Residency::regional};
  CHECK(cost("claude-opus-5", used) == 1'650'000'000);
  used.terms.tier = ServiceTier::batch;
  CHECK(cost("claude-opus-5", used) == 412'500'000);
  used.cache_read = 1000;  // every kind of token
  CHECK(cost("claude-opus-5", used) == 412'500'000 + 1000 * 275);
}

TEST_CASE("a model's name states terms") {
  const Tokens used = tokens(1'000'000, 0);
  const std::pair<const char*, int64_t> kNames[] = {
      {"us.anthropic.claude-opus-4-8", 5'500'000'000},
      {"eu.anthropic.claude-opus-4-8-v1:0", 5'500'000'000},
      {"apac.anthropic.claude-sonnet-4-5-20250929-v1:0", 6'600'000'000},  // a long prompt
      {"anthropic.claude-opus-5", 5'500'000'000},
      {"global.anthropic.claude-opus-4-8", 5'000'000'000},
      {"arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-8",
       5'500'000'000},
      {"arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-5", 5'500'000'000},
      {"bedrock/eu-west-1/anthropic.claude-opus-5", 5'500'000'000},
      {"anthropic/claude-opus-5", 5'000'000'000},
      {"anthropic/claude-opus-5-fast", 10'000'000'000},
      {"claude-opus-4-6-fast", 30'000'000'000},
      {"deepseek/deepseek-r1:free", 0},
      {"claude-sonnet-4-5:free", 0},
  };
  for (const auto& [name, expected] : kNames) {
    INFO(name);
    CHECK(cost(name, used) == expected);
  }
  CHECK(cost("grok-4-fast", used) == kNoCount);  // no haste, but another model
  CHECK(cost("claude-haiku-4-5-fast", used) == kNoCount);
}

TEST_CASE("a record that states where it was served takes precedence over the model's name") {
  Tokens used = tokens(1'000'000, 0);
  used.terms.residency = Residency::global;
  CHECK(cost("anthropic.claude-opus-5", used) == 5'000'000'000);
}

TEST_CASE("a tier in the model's name is what is paid for, whatever the answer calls it") {
  Tokens used = tokens(1'000'000, 0);
  used.terms.tier = ServiceTier::standard;
  CHECK(cost("anthropic/claude-opus-5-fast", used) == 10'000'000'000);
  CHECK(cost("deepseek/deepseek-r1:free", used) == 0);
}

TEST_CASE("a call is priced by its own day") {
  const Tokens used = tokens(1000, 1000);
  CHECK(cost("gpt-5.6-sol", used, "2026-08-20") == 35'000'000);
  CHECK(cost("gpt-5.6-sol", used, "2026-08-21") == 24'000'000);
  CHECK(cost("gpt-5.6-sol", used, "2026-07-01") == 35'000'000);  // before the first known day
  CHECK(cost("gpt-5.6-sol", used) == 24'000'000);                // on no day: the newest
  const Time eve = first_moment("2026-08-21") - Duration(1);
  CHECK(compute_cost(list_prices(), "gpt-5.6-sol", used, eve).cost == 35'000'000);
  // A price of a day to come is none of a call on no day.
  CHECK(cost("gemini-3.8-flash", used) == 4'500'000);
  CHECK(cost("gemini-3.8-flash", used, "2027-01-01") == 9'000'000);
}

TEST_CASE("a vendor's peak hours cost more, since it has them") {
  const Tokens used = tokens(1'000'000, 0);
  const auto at = [&](std::string_view day, int hour) {
    return compute_cost(list_prices(), "deepseek-v4-pro", used,
                        first_moment(day) + std::chrono::hours(hour))
        .cost;
  };
  CHECK(at("2026-09-02", 0) == 660'000'000);  // a Wednesday
  CHECK(at("2026-09-02", 1) == 1'320'000'000);
  CHECK(at("2026-09-02", 4) == 660'000'000);
  CHECK(at("2026-09-02", 9) == 1'320'000'000);
  CHECK(at("2026-09-05", 9) == 660'000'000);  // a Saturday
  CHECK(at("2026-08-03", 9) == 435'000'000);  // before there were any
}

TEST_CASE("tools that the vendor runs cost a fee each") {
  Tokens used = tokens(1000, 100);
  used.server_tools[ServerTool::web_search] = 50;
  used.server_tools[ServerTool::web_fetch] = 7;
  const ComputedCost claude = computed("claude-opus-4-8", used);
  CHECK(words(claude) == "507500000");
  CHECK(claude.parts[static_cast<size_t>(PaidKind::fees)] == 500'000'000);
  // Half the price of tokens is no half of a fee.
  used.terms.tier = ServiceTier::batch;
  CHECK(cost("claude-opus-4-8", used) == 503'750'000);
  used.terms = {};
  used.server_tools = {};
  used.server_tools[ServerTool::web_search] = 3;
  CHECK(cost("gemini-3.8-flash", used) == 1'125'000 + 3 * 14'000'000);
  CHECK(cost("gemini-2.5-flash", used) == 550'000 + 35'000'000);  // for the call
}

TEST_CASE("a fee that no list has makes the cost a lower bound, and is named") {
  Tokens used = tokens(1000, 100);
  used.server_tools[ServerTool::code_execution] = 3;
  const ComputedCost found = computed("claude-opus-4-8", used);
  CHECK(words(found) == "≥7500000");
  CHECK(found.unpriced[ServerTool::code_execution] == 3);
  CHECK(found.unpriced[ServerTool::web_search] == -1);
  // Next to a search it is free.
  used.server_tools[ServerTool::web_search] = 1;
  CHECK(words(computed("claude-opus-4-8", used)) == "17500000");
}

TEST_CASE("a user's fee takes precedence over the list's, the longest family first") {
  PriceTable table = list_prices();
  table.set_fee({"claude", ServerTool::code_execution, 1000});
  table.set_fee({"claude-opus-5", ServerTool::code_execution, 2000});
  CHECK(table.fee("claude-opus-4-8", ServerTool::code_execution, 3, kNoTime) == 3'000'000);
  CHECK(table.fee("anthropic/claude-opus-5.5", ServerTool::code_execution, 3, kNoTime) ==
        6'000'000);
  CHECK(table.fee("claude-opus-5", ServerTool::web_search, 1, kNoTime) == 10'000'000);
  CHECK(table.fee("house-model", ServerTool::web_search, 1, kNoTime) == kNoCount);
}

TEST_CASE("what is known of a cost is a lower bound, and nothing is nothing") {
  const auto words_of = [](std::string_view model, const Tokens& used) {
    return words(computed(model, used));
  };
  CHECK(words_of("claude-test-1", tokens(1, 1)) == "?");
  CHECK(words_of("gpt-4", Tokens()) == "?");
  CHECK(words_of("gpt-4", tokens(100, kNoCount)) == "≥3000000");
  CHECK(words_of("gpt-4", tokens(kNoCount, 100)) == "≥6000000");
  CHECK(words_of("gpt-4", tokens(0, kNoCount)) == "?");
  CHECK(words_of("gpt-4", tokens(0, 0)) == "0");
  Tokens cached = tokens(100, 10);
  cached.cache_read = 5;
  CHECK(words_of("gpt-4", cached) == "≥3600000");  // that model had no cache
  // Nothing comes out of an embedding, and it costs nothing.
  CHECK(words_of("text-embedding-3-small", tokens(1000, kNoCount)) == "20000");
}

TEST_CASE("amounts beyond all measure are in no sum") {
  CHECK(words(computed("gpt-4", tokens(INT64_MAX, 1))) == "≥60000");
  CHECK(words(computed("gpt-4", tokens(1, INT64_MAX))) == "≥30000");
}

TEST_CASE("counts of several calls cost at least what short prompts do") {
  Tokens used = tokens(300'000, 1000);
  CHECK(words(computed("gpt-5.5", used)) == "3045000000");
  used.most_sent = kSeveralCalls;
  CHECK(words(computed("gpt-5.5", used)) == "≥1530000000");
  used.input = 200'000;
  CHECK(words(computed("gpt-5.5", used)) == "1030000000");
}

TEST_CASE("fractions of a billionth are rounded once, for the call as a whole") {
  PriceTable table;
  table.set({"m", "", {400, 400, kNoCount, kNoCount, kNoCount}, kNoCount, {}});  // 0.4 each
  CHECK(compute_cost(table, "m", tokens(1, 0), kNoTime).cost == 0);
  CHECK(compute_cost(table, "m", tokens(1, 1), kNoTime).cost == 1);
}

TEST_CASE("every row of the list says when it was looked up, and what is read costs less") {
  for (const auto& [plain, rows] : list_prices().models()) {
    for (const PricedModel& row : rows) {
      INFO(row.name << " from " << iso_day(row.from));
      CHECK(first_moment(row.valid) != kNoTime);
      CHECK(row.valid <= std::string(list_prices().valid()));
      CHECK(row.price.input >= 0);
      CHECK(row.price.output >= 0);
      CHECK(row.price.cache_read <= row.price.input);
      CHECK((row.over < 0) == (row.price_over.input < 0));
      if (row.over > 0) CHECK(row.price_over.input > row.price.input);
    }
    CHECK(list_prices().find(rows.front().name).history == &rows);
    // One price before all others, and one a day.
    CHECK(rows.front().from == (rows.size() > 1 ? kNoTime : rows.front().from));
    for (size_t i = 1; i < rows.size(); ++i) CHECK(rows[i - 1].from < rows[i].from);
  }
}

TEST_CASE("a price of one's own stands before the list's, by whatever name it is said") {
  PriceTable table = list_prices();
  table.file = "mine.json";
  Price dear{1'000'000'000, 0, kNoCount, kNoCount, kNoCount};
  table.set({"anthropic/claude-sonnet-4.6", "2099-01-01", dear, kNoCount, {}});
  table.set({"our-model", "", dear, kNoCount, {}});
  table.set({"together/llama", "", dear, kNoCount, {}});
  const auto price_of = [&](std::string_view model) {
    return table.find(model).at(kNoTime)->price;
  };
  CHECK(price_of("claude-sonnet-4-6-20260101") == dear);
  CHECK(price_of("our-model") == dear);
  CHECK(price_of("together/llama") == dear);
  CHECK(table.find("llama").history == nullptr);
  CHECK(price_of("claude-opus-4-6") == list_prices().find("claude-opus-4-6").at(kNoTime)->price);
  CHECK(table.valid() == list_prices().valid());
}
