#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

/// A conversation of OpenHands 1: a file for each event, and its state.
class Talk {
 public:
  Talk& event(const char* kind, const char* source, const Json& more) {
    Json event = {{"id", "e" + std::to_string(next_)},
                  {"timestamp", "2026-01-01T10:00:" + std::to_string(10 + next_)},
                  {"source", source},
                  {"kind", kind}};
    event.update(more);
    folder_.write("c1/events/event-0000" + std::to_string(next_++) + "-x.json", event.dump(1));
    return *this;
  }
  Talk& asks(const char* text) {
    return event("MessageEvent", "user",
                 {{"llm_message", {{"role", "user"}, {"content", {piece(text)}}}}});
  }
  Talk& acts(const char* id, const char* response) {
    return event("ActionEvent", "agent",
                 {{"thought", {piece("I act")}},
                  {"action", {{"kind", "TerminalAction"}}},
                  {"tool_name", "terminal"},
                  {"tool_call_id", id},
                  {"tool_call", {{"arguments", R"({"command":"ls"})"}}},
                  {"llm_response_id", response}});
  }
  Talk& gives(const char* id, const Json& observation) {
    return event("ObservationEvent", "environment",
                 {{"tool_call_id", id}, {"observation", observation}});
  }
  Talk& used(const char* usage, const char* response, int input, double cost) {
    Json& metrics = state_["stats"]["usage_to_metrics"][usage];
    metrics["token_usages"].push_back({{"model", "opus"},
                                       {"prompt_tokens", input},
                                       {"completion_tokens", 5},
                                       {"cache_read_tokens", 40},
                                       {"response_id", response}});
    metrics["costs"].push_back({{"cost", cost}, {"timestamp", 1767261612.5}});
    folder_.write("c1/base_state.json", state_.dump(1));
    return *this;
  }
  Trace trace() const {
    Progress progress;
    return load({folder_.path()}, {}, progress).value();
  }
  static Json piece(const char* text) { return {{"type", "text"}, {"text", text}}; }

 private:
  Folder folder_;
  Json state_;
  int next_ = 0;
};

}  // namespace

TEST_CASE(
    "the events of a conversation of OpenHands are a session, and its actions of one response "
    "a call") {
  Talk log;
  log.asks("look").acts("t1", "r1").acts("t2", "r1");
  log.gives("t1", {{"content", {Talk::piece("a")}}});
  log.event("AgentErrorEvent", "agent", {{"tool_call_id", "t2"}, {"error", "no such path"}});
  log.acts("t3", "r2");
  const Graph graph = link(log.trace(), {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "c1");
  CHECK(trace[trace.calls[0].id] == "r1");
  CHECK(trace.calls[0].tokens == Tokens{});
  CHECK_FALSE(trace.calls[0].model);
  REQUIRE(graph.links().size() == 3);
  CHECK(graph.links()[0].rule == Rule::tool_use_id);
  CHECK(graph.links()[1].is_error);
  const Excerpt first = Excerpts(trace).of(trace.calls[0]);
  CHECK(first.prompt == "look");
  CHECK(first.tool_arguments.size() == 2);
}

TEST_CASE("what a response of OpenHands used up stands in its state, cached tokens in its input") {
  Talk log;
  log.asks("look").acts("t1", "r1").gives("t1", {{"content", "a"}});
  log.used("agent", "r1", 100, 0.25);
  const Trace trace = log.trace();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].tokens == Tokens{.input = 60, .output = 5, .cache_read = 40});
  CHECK(trace.calls[0].cost == 250'000'000);
  CHECK(trace[trace.calls[0].model] == "opus");
}

TEST_CASE("a response of OpenHands without an event is a call of whom it was billed to") {
  Talk log;
  log.asks("look").acts("t1", "r1");
  log.event("Condensation", "environment", {{"summary", "s"}, {"llm_response_id", "r2"}});
  log.acts("t2", "r3");
  log.used("agent", "r1", 100, 0.25).used("condenser", "r2", 50, 0.1);
  const Trace trace = log.trace();
  REQUIRE(trace.calls.size() == 3);
  const auto condensed = std::find_if(trace.calls.begin(), trace.calls.end(),
                                      [&](const Call& call) { return trace[call.id] == "r2"; });
  REQUIRE(condensed != trace.calls.end());
  CHECK(trace[condensed->agent] == "condenser");
  CHECK(condensed->cost == 100'000'000);
  const auto next = std::find_if(trace.calls.begin(), trace.calls.end(),
                                 [&](const Call& call) { return trace[call.id] == "r3"; });
  REQUIRE(next != trace.calls.end());
  CHECK(next->is_compacted);
}

TEST_CASE("the costs of OpenHands are left out where there are not as many as counts") {
  Talk log;
  log.asks("look").acts("t1", "r1");
  log.used("agent", "r1", 100, 0.25);
  log.event("PauseEvent", "user", Json::object());
  Json state = {{"stats",
                 {{"usage_to_metrics",
                   {{"agent",
                     {{"costs", {{{"cost", 1}}, {{"cost", 2}}}},
                      {"token_usages", {{{"response_id", "r1"}, {"prompt_tokens", 7}}}}}}}}}}};
  Folder folder;
  Progress progress;
  const Trace trace = load({folder.write("base_state.json", state.dump())}, {}, progress).value();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].cost == kNoCount);
  CHECK(trace.calls[0].tokens.input == 7);
}

TEST_CASE("a tool of OpenHands fails by its flag, its exit code or the user's no") {
  Talk log;
  log.asks("look").acts("t1", "r1");
  SECTION("flag") {
    log.gives("t1", {{"content", "x"}, {"is_error", true}});
  }
  SECTION("exit code") {
    log.gives("t1", {{"content", "x"}, {"exit_code", 2}});
  }
  SECTION("no") {
    log.event("UserRejectObservation", "environment",
              {{"tool_call_id", "t1"}, {"rejection_reason", "no"}});
  }
  log.acts("t2", "r2");
  const Trace trace = log.trace();
  REQUIRE(trace.tool_results.size() > 0);
  CHECK(trace.tool_results.front().is_error);
}

TEST_CASE("a helper of OpenHands that only tells costs is in what the conversation used up") {
  Talk log;
  log.asks("look").acts("t1", "r1").used("agent", "r1", 100, 0.25);
  log.used("helper", "", 0, 0.5);
  const Trace trace = log.trace();
  REQUIRE(trace.usage_statements.size() == 1);
  CHECK(trace[trace.usage_statements[0].session] == "c1");
  CHECK(trace.usage_statements[0].cost == 750'000'000);
  CHECK(trace.calls.size() == 1);
}

TEST_CASE("what OpenHands used up so far is in its state and in events about it") {
  const auto stats = [](double cost, int input) -> Json {
    return {{"usage_to_metrics",
             {{"default",
               {{"model_name", "opus"},
                {"accumulated_cost", cost},
                {"accumulated_token_usage",
                 {{"model", "opus"}, {"prompt_tokens", input}, {"completion_tokens", 5}}}}}}}};
  };
  Talk log;
  log.asks("look").acts("t1", "r1");
  log.event("ConversationStateUpdateEvent", "environment",
            {{"key", "stats"}, {"value", stats(0.25, 100)}});
  log.acts("t2", "r2");
  log.event("ConversationStateUpdateEvent", "environment",
            {{"key", "full_state"}, {"value", {{"stats", stats(0.5, 300)}}}});
  const Trace trace = log.trace();
  CHECK(trace.calls.size() == 2);
  REQUIRE(trace.usage_statements.size() == 2);
  CHECK(trace.usage_statements[0].set_aside == UsageStatement::SetAside::superseded);
  const UsageStatement& last = trace.usage_statements[1];
  CHECK(last.counts());
  CHECK(trace[last.model] == "opus");
  CHECK(last.tokens.input == 300);
  CHECK(last.cost == 500'000'000);
}
