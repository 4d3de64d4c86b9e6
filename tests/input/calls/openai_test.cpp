#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reading.h"
#include "reread.h"
#include "story.h"

using namespace xtrace;

namespace {

std::string log_of(const nlohmann::json& request, const nlohmann::json& response) {
  nlohmann::json record = {{"id", "r1"},
                           {"timestamp", "2026-03-01T10:00:00Z"},
                           {"request", request},
                           {"response", response}};
  return record.dump() + "\n";
}

const nlohmann::json kRequest = {{"model", "gpt-x"},
                                 {"max_completion_tokens", 300},
                                 {"temperature", 0.5},
                                 {"user", "anna"},
                                 {"messages", {{{"role", "user"}, {"content", "hi"}}}}};

std::string in_pieces(const std::vector<nlohmann::json>& pieces) {
  std::string text;
  for (const nlohmann::json& piece : pieces) text += "data: " + piece.dump() + "\n\n";
  return text + "data: [DONE]\n\n";
}

/// A chunk of a stream with a piece of a tool call in it; -1: the piece names no index.
nlohmann::json piece_of(nlohmann::json call, int index = -1) {
  if (index >= 0) call["index"] = index;
  return {{"object", "chat.completion.chunk"},
          {"choices", {{{"index", 0}, {"delta", {{"tool_calls", {call}}}}}}}};
}

/// `call_1 read {"x":1}; ` — id, name and what it is given, for each tool of the answer.
std::string tools_of(const nlohmann::json& response) {
  const Folder folder;
  Progress progress;
  const Trace trace =
      load({folder.write("o.jsonl", log_of(kRequest, response))}, {}, progress).value();
  std::string text;
  for (const Quote& one : Excerpts(trace).quotes(trace.calls.front()))
    if (one.kind == Quote::Kind::tool_use)
      text += one.tool_use + " " + one.tool + " " + one.text + "; ";
  return text;
}

}  // namespace

TEST_CASE("cached tokens are taken out of the prompt's") {
  Trace trace = read_log(
      log_of(kRequest, {{"choices", {{{"message", {{"role", "assistant"}, {"content", "x"}}}}}},
                        {"usage",
                         {{"prompt_tokens", 1000},
                          {"completion_tokens", 20},
                          {"prompt_tokens_details", {{"cached_tokens", 900}}}}}}));
  const Call& call = trace.calls.front();
  CHECK(call.tokens.input == 100);
  CHECK(call.tokens.cache_read == 900);
  CHECK(call.tokens.output == 20);
  CHECK(call.max_tokens == 300);
  CHECK(call.temperature == 0.5);
  CHECK(trace[call.user] == "anna");
}

TEST_CASE("more cached tokens than there were make no negative count") {
  Trace trace = read_log(log_of(
      kRequest,
      {{"choices", {{{"message", {{"role", "assistant"}, {"content", "x"}}}}}},
       {"usage", {{"prompt_tokens", 10}, {"prompt_tokens_details", {{"cached_tokens", 900}}}}}}));
  CHECK(trace.calls.front().tokens.input == 0);
}

TEST_CASE("vendors of OpenAI's API count caches and thoughts in words and ways of their own") {
  auto tokens_of = [](const nlohmann::json& usage) {
    const nlohmann::json message = {{"role", "assistant"}, {"content", "x"}};
    return read_log(log_of(kRequest, {{"choices", {{{"message", message}}}}, {"usage", usage}}))
        .calls.front()
        .tokens;
  };
  using Json = nlohmann::json;
  const Json asked = {{"prompt_tokens", 1000}, {"completion_tokens", 50}, {"total_tokens", 1050}};
  auto with = [&](const Json& more) {
    Json usage = asked;
    usage.update(more);
    return tokens_of(usage);
  };
  SECTION("OpenRouter tells what was written to a cache, as part of the prompt") {
    CHECK(
        with({{"prompt_tokens_details", {{"cached_tokens", 600}, {"cache_write_tokens", 300}}}}) ==
        Tokens{.input = 100, .output = 50, .cache_read = 600, .cache_creation = 300});
  }
  SECTION(
      "LiteLLM tells what Anthropic wrote, which where it is more was never part of the prompt") {
    CHECK(with({{"cache_creation_input_tokens", 300}}) ==
          Tokens{.input = 700, .output = 50, .cache_creation = 300});
    CHECK(with({{"cache_creation_input_tokens", 4000}}) ==
          Tokens{.input = 1000, .output = 50, .cache_creation = 4000});
  }
  SECTION("Moonshot and DeepSeek tell beside it what came from one") {
    const char* name = GENERATE("cached_tokens", "prompt_cache_hit_tokens");
    CHECK(with({{name, 600}}) == Tokens{.input = 400, .output = 50, .cache_read = 600});
  }
  SECTION("xAI's output is without the thoughts, which the total tells") {
    const Json thoughts = {{"completion_tokens_details", {{"reasoning_tokens", 30}}}};
    CHECK(with(thoughts).output == 50);
    Json beside = thoughts;
    beside["total_tokens"] = 1080;
    CHECK(with(beside).output == 80);
  }
}

TEST_CASE("a tool call's arguments are a string of JSON") {
  nlohmann::json call = {{"id", "call_1"},
                         {"type", "function"},
                         {"function", {{"name", "read"}, {"arguments", R"({"path":"a.cpp"})"}}}};
  SECTION("sound") {}
  SECTION("broken arguments cost only what they would have told") {
    call["function"]["arguments"] = R"({"path":)";
  }
  Trace trace = read_log(log_of(
      kRequest,
      {{"choices",
        {{{"finish_reason", "tool_calls"},
          {"message", {{"role", "assistant"}, {"content", nullptr}, {"tool_calls", {call}}}}}}}}));
  REQUIRE(trace.tool_uses.size() == 1);
  CHECK(trace[trace.tool_uses.front().id] == "call_1");
  CHECK(trace[trace.tool_uses.front().name] == "read");
  CHECK(trace.complaints.empty());
}

TEST_CASE("a tool that takes any text is called with that") {
  const nlohmann::json call = {
      {"id", "call_1"}, {"type", "custom"}, {"custom", {{"name", "run"}, {"input", "print(1)"}}}};
  CHECK(tools_of({{"choices", {{{"message", {{"role", "assistant"}, {"tool_calls", {call}}}}}}}}) ==
        "call_1 run print(1); ");
  CHECK(tools_of(in_pieces({piece_of(call)})) == "call_1 run print(1); ");
}

TEST_CASE("calls in pieces are told from each other by their ids, whatever their index") {
  auto call = [](const char* id, const char* name, const char* arguments) {
    nlohmann::json piece = {{"function", {{"name", name}, {"arguments", arguments}}}};
    if (*id != 0) piece["id"] = id;
    return piece;
  };
  const nlohmann::json a = call("call_a", "read", R"({"x":)"), rest = call("", "", "1}"),
                       b = call("call_b", "write", R"({"y":2})");
  const std::string both = R"(call_a read {"x":1}; call_b write {"y":2}; )";
  CHECK(tools_of(in_pieces({piece_of(a, 0), piece_of(rest, 0), piece_of(b, 1)})) == both);
  SECTION("of one index") {
    CHECK(tools_of(in_pieces({piece_of(a, 0), piece_of(rest, 0), piece_of(b, 0)})) == both);
  }
  SECTION("of none") {
    CHECK(tools_of(in_pieces({piece_of(a), piece_of(rest), piece_of(b)})) == both);
  }
  SECTION("with the id in every piece") {
    const nlohmann::json again = call("call_a", "", "1}");
    CHECK(tools_of(in_pieces({piece_of(a, 0), piece_of(again, 0), piece_of(b, 1)})) == both);
  }
}

TEST_CASE("system and developer messages are the system prompt, not part of the conversation") {
  for (const char* role : {"system", "developer"}) {
    nlohmann::json request = kRequest;
    request["messages"] = {{{"role", role}, {"content", "You lead."}},
                           {{"role", "user"}, {"content", "hi"}}};
    Trace trace = read_log(log_of(request, nullptr));
    CHECK(trace.calls.front().system_prompt);
    CHECK(trace.messages.size() == 1);
    CHECK(trace.calls.front().message_count == 2);
  }
}

TEST_CASE("a result is a message of its own, with the role `tool`") {
  CallStory story({Style::Envelope::proxy_log, Style::Vendor::openai});
  story.call("a").uses("call_1", "read").uses("call_2", "grep");
  story.call("b").after("a").reads("call_1").reads("call_2");
  CHECK(story.links() ==
        "a->b continuation 1.00\n"
        "a->b tool_result 1.00 call_1\n"
        "a->b tool_result 1.00 call_2");
}

TEST_CASE("an error of the vendor has a class") {
  Trace trace = read_log(log_of(
      kRequest,
      {{"error", {{"message", "Rate limit"}, {"type", "rate_limit_error"}, {"code", nullptr}}}}));
  CHECK(trace.calls.front().outcome == Outcome::error);
  CHECK(trace[trace.calls.front().error] == "rate_limit_error");
}

TEST_CASE("an answer without a choice is none") {
  Trace trace = read_log(log_of(kRequest, {{"choices", nlohmann::json::array()}}));
  CHECK(trace.calls.front().outcome == Outcome::unanswered);
}

TEST_CASE("ids that start from one again in each conversation are told apart") {
  CallStory story({Style::Envelope::call_log, Style::Vendor::openai});
  story.call("a").says("one").uses("call_1", "read").answers("x");
  story.call("b").says("two").uses("call_1", "read").answers("y");
  story.call("b2").after("b").reads("call_1");
  story.call("a2").after("a").reads("call_1");
  CHECK(story.links("tool_result") ==
        "b->b2 tool_result 1.00 call_1\n"
        "a->a2 tool_result 1.00 call_1");
}
