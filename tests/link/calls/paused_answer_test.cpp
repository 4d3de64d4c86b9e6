#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/graph/queries.h"
#include "reading.h"
#include "story.h"

using namespace xtrace;

namespace {

constexpr std::string_view kSearch =
    R"({"type":"server_tool_use","id":"srv1","name":"web_search","input":{"query":"q"}})";
constexpr std::string_view kFound =
    R"({"type":"web_search_tool_result","tool_use_id":"srv1","content":[]},)"
    R"({"type":"text","text":"found it"})";
constexpr std::string_view kAsked = R"({"role":"user","content":"look it up"})";

/// A call that was asked and answered with these; one a minute.
std::string paused_call(int minute, std::string_view messages, std::string_view content,
                        std::string_view stop) {
  return fmt::format(
      R"({{"id":"c{0}","timestamp":"2026-03-01T10:{0:02}:00Z",)"
      R"("request":{{"model":"m","messages":[{1}]}},"response":{{"id":"m{0}","type":"message",)"
      R"("role":"assistant","content":[{2}],"stop_reason":"{3}"}}}})"
      "\n",
      minute, messages, content, stop);
}

std::string repeated_answer(std::string_view content) {
  return fmt::format(R"(,{{"role":"assistant","content":[{}]}})", content);
}

}  // namespace

TEST_CASE("what the vendor's tool gave after a pause is read by the answer that goes on from it") {
  const std::string paused = std::string(kAsked) + repeated_answer(kSearch);
  std::string log =
      paused_call(1, kAsked, kSearch, "pause_turn") + paused_call(2, paused, kFound, "end_turn");
  const Graph graph = link(read_log(log), {});
  CHECK(links_of(graph, "tool_result") == "c1->c2 tool_result 1.00 srv1");
  for (const Activity& done : graph.activities().all)
    if (done.use != nullptr) CHECK(done.outcome == Outcome::ok);

  SECTION("later requests repeat it") {
    log +=
        paused_call(3, paused + repeated_answer(kFound) + R"(,{"role":"user","content":"thanks"})",
                    R"({"type":"text","text":"bye"})", "end_turn");
    const Graph longer = link(read_log(log), {});
    CHECK(links_of(longer, "tool_result") == "c1->c2 tool_result 1.00 srv1");
    for (const Link& link : longer.links())
      if (link.kind == LinkKind::tool_result) CHECK(link.repeats == 1);
  }
}

TEST_CASE("a tool of the vendor's that failed after a pause failed") {
  const Graph graph = link(
      read_log(paused_call(1, kAsked, kSearch, "pause_turn") +
               paused_call(2, std::string(kAsked) + repeated_answer(kSearch),
                           R"({"type":"web_search_tool_result","tool_use_id":"srv1","content":)"
                           R"({"type":"web_search_tool_result_error","error_code":"unavailable"}})",
                           "end_turn")),
      {});
  CHECK(links_of(graph, "tool_result") == "c1->c2 tool_result 1.00 srv1 error");
}

TEST_CASE("an answer that goes on from a pause begins no turn") {
  const Graph graph = link(
      read_log(paused_call(1, kAsked, kSearch, "pause_turn") +
               paused_call(2, std::string(kAsked) + repeated_answer(kSearch), kFound, "end_turn")),
      {});
  CHECK(number_turns(graph, graph.conversations()[0]) == std::vector<uint32_t>{1, 1});
}
