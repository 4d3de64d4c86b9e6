#include "live/subscription.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

std::string refusal(std::string_view line) {
  Result<SubscriptionRequest> request = read_subscription(line);
  return request ? "accepted" : request.error().what;
}

}  // namespace

TEST_CASE("a subscription replaces all filters") {
  Result<SubscriptionRequest> request = read_subscription(
      R"({"subscriptionId": "mine", "filters": {"agentNames": ["A", "B"], "nodeTypes": ["LLM_CALL"],
          "status": ["ERROR"], "minCostUsd": 0.5,
          "timeRange": {"start": "2026-03-02T09:00:00Z", "end": null}}, "expand": ["s1"]})");
  REQUIRE(request);
  CHECK(request->id == "mine");
  CHECK(request->filter.agents == std::vector<std::string>{"A", "B"});
  CHECK(request->filter.types == std::vector<std::string>{"LLM_CALL"});
  CHECK(request->filter.statuses == std::vector<std::string>{"error"});
  CHECK(request->filter.min_cost == "0.500000000");
  CHECK(request->filter.since == "2026-03-02T09:00:00Z");
  CHECK(request->filter.until.empty());
  CHECK(request->expand == std::vector<std::string>{"s1"});
  CHECK(read_subscription("{}")->filter.agents.empty());
}

TEST_CASE("a request that makes no sense is refused in words") {
  CHECK(refusal("{") == "not valid JSON");
  CHECK(refusal("[1]") == "not an object");
  CHECK(refusal(R"({"filter": {}})") == "unknown key 'filter'; did you mean 'filters'?");
  CHECK(refusal(R"({"filters": {"agentName": []}})") ==
        "filters: unknown key 'agentName'; did you mean 'agentNames'?");
  CHECK(refusal(R"({"filters": {"agentNames": "A"}})") == "agentNames is not a list of strings");
  CHECK(refusal(R"({"filters": {"nodeTypes": ["LLM_CAL"]}})") ==
        "nodeTypes: unknown value 'LLM_CAL'; did you mean 'LLM_CALL'?");
  CHECK(refusal(R"({"filters": {"minCostUsd": "1"}})") == "minCostUsd is not a number of dollars");
  CHECK(refusal(R"({"filters": {"timeRange": {"start": "soon"}}})") ==
        "timeRange.start is not a time such as 2026-03-02T09:00:00Z");
}
