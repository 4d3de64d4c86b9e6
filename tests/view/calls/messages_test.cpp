#include <map>
#include <nlohmann/json.hpp>

#include "asked_input.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

/// By the ids of calls, what they add to their conversations.
std::map<std::string, Json> messages_in(const std::string& answer) {
  std::map<std::string, Json> messages;
  const Json graph = Json::parse(answer);
  for (const Json& node : graph["nodes"])
    messages[node["id"]] = node.value("messages", Json::array());
  return messages;
}

std::vector<std::string> kinds_of(const Json& messages) {
  std::vector<std::string> kinds;
  for (const Json& message : messages) kinds.push_back(message["kind"]);
  return kinds;
}

}  // namespace

TEST_CASE("at level full a call has what it adds to its conversation, in order") {
  const AskedInput input("fixtures/trip.jsonl");
  const auto messages = messages_in(input.in("json", {"dag", "--level", "full"}));
  using Kinds = std::vector<std::string>;
  const Json& first = messages.at("req_trip_02");
  CHECK(kinds_of(first) == Kinds{"prompt", "prompt", "thinking", "reply", "tool_use"});
  CHECK(first[1]["text_in"] == "prompt");
  CHECK(first[2]["text"] == "The wishes come first.");
  CHECK(first[4]["tool_use_id"] == "toolu_wishes");
  // Two results came at once, of which `prompt` has neither alone.
  const Json& two = messages.at("req_trip_12");
  CHECK(kinds_of(two) == Kinds{"tool_result", "tool_result", "reply", "tool_use"});
  CHECK(two[1]["text"].get<std::string>().starts_with("Tiles: "));
  CHECK(messages.at("req_trip_09")[0]["is_error"] == true);
  CHECK_FALSE(two[0].contains("is_error"));
}

TEST_CASE("what a retry repeats is no addition to the conversation") {
  const AskedInput input("fixtures/trip.jsonl");
  const auto messages = messages_in(input.in("json", {"dag", "--level", "full"}));
  using Kinds = std::vector<std::string>;
  CHECK(kinds_of(messages.at("req_trip_06")) == Kinds{"tool_result"});
  CHECK(kinds_of(messages.at("req_trip_07")) == Kinds{"tool_use"});
}

TEST_CASE("at level basic a call has no messages") {
  const AskedInput input("fixtures/trip.jsonl");
  for (const auto& [id, messages] : messages_in(input.in("json", {"dag"}))) CHECK(messages.empty());
}
