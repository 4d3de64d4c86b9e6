#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reading.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

const Json kAnswerToHi = {{"id", "msg_1"},
                          {"type", "message"},
                          {"role", "assistant"},
                          {"model", "claude-x"},
                          {"content", {{{"type", "text"}, {"text", "hello"}}}},
                          {"stop_reason", "end_turn"}};

std::string exchange_of(const Json& response) {
  const Json request = {{"model", "claude-x"},
                        {"messages", {{{"role", "user"}, {"content", "hi"}}}}};
  return Json{{"timestamp", "2026-03-01T10:00:00Z"}, {"request", request}, {"response", response}}
             .dump() +
         "\n";
}

}  // namespace

TEST_CASE("what a summary on the way took counts, which the counts of the answer are without") {
  const Json usage = {{"input_tokens", 23000},
                      {"output_tokens", 1000},
                      {"iterations",
                       {{{"type", "compaction"}, {"input_tokens", 180000}, {"output_tokens", 3500}},
                        {{"type", "message"}, {"input_tokens", 23000}, {"output_tokens", 1000}}}}};
  Json response = kAnswerToHi;
  response["usage"] = usage;
  SECTION("whole") {}
  SECTION("streamed, where counts come twice") {
    const Json start = {{"type", "message_start"}, {"message", response}};
    const Json delta = {
        {"type", "message_delta"}, {"delta", {{"stop_reason", "end_turn"}}}, {"usage", usage}};
    response = "data: " + start.dump() + "\n\ndata: " + delta.dump() + "\n\n";
  }
  CHECK(read_log(exchange_of(response)).calls.front().tokens ==
        Tokens{.input = 203000, .output = 4500, .most_sent = 180000});
}

TEST_CASE("iterations that the counts of the answer are without are added up") {
  Json response = kAnswerToHi;
  const Json first = {{"type", "message"}, {"input_tokens", 7}, {"output_tokens", 2}},
             advice = {{"type", "advisor_message"}, {"input_tokens", 50}, {"output_tokens", 9}},
             next = {{"type", "message"}, {"input_tokens", 70}, {"output_tokens", 3}};
  response["usage"] = {{"input_tokens", GENERATE(7, 70)},
                       {"output_tokens", 5},
                       {"iterations", Json::array({first, advice, next})}};
  CHECK(read_log(exchange_of(response)).calls.front().tokens ==
        Tokens{.input = 77, .output = 5, .most_sent = 70});
}

TEST_CASE("iterations that the counts of the answer hold count once") {
  Json response = kAnswerToHi;
  const Json iteration = {{"type", "message"}, {"input_tokens", 7}, {"output_tokens", 2}};
  response["usage"] = {{"input_tokens", 14},
                       {"output_tokens", 4},
                       {"iterations", Json::array({iteration, iteration})}};
  CHECK(read_log(exchange_of(response)).calls.front().tokens ==
        Tokens{.input = 14, .output = 4, .most_sent = 7});
}
