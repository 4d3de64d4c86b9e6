#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "facts/rows.h"
#include "link/activities/activities.h"
#include "link/graph/queries.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;
using namespace std::chrono_literals;

Json message(const char* role, const char* text, const Json& metadata = Json::object()) {
  return {{"role", role}, {"content", text}, {"metadata", metadata}};
}

Json at(int second, Json message) {
  message["timestamp"] =
      "2026-05-01T09:00:" + std::string(second < 10 ? "0" : "") + std::to_string(second) + "Z";
  return message;
}

Json tool_call(const char* id, const char* name) {
  return {{"id", id}, {"name", name}, {"arguments", {{"path", "a.txt"}}}};
}

Json result(const char* id, bool success, const Json& metadata = Json::object()) {
  return {{"tool_call_id", id}, {"content", "{}"}, {"success", success}, {"metadata", metadata}};
}

Json conversation(std::vector<Json> messages, const char* id = "c") {
  return {{"id", id},
          {"system_prompt", "Be brief."},
          {"metadata", {{"provider", "anthropic"}, {"model", "large"}}},
          {"messages", std::move(messages)}};
}

/// From a file, so that one can go back to it.
Graph graph_of(const Folder& folder, const Json& log, int indent = -1) {
  Progress progress;
  return link(load({folder.write("a.json", log.dump(indent))}, {}, progress).value(), {});
}

/// A question, a tool that is asked for and gives something, and an answer.
Json with_tool(const Json& given) {
  return conversation({at(0, message("user", "is it there?")),
                       at(2, message("assistant", "", {{"tool_calls", {tool_call("t", "look")}}})),
                       at(5, message("user", "", {{"tool_results", {given}}})),
                       at(6, message("assistant", "it is"))});
}

}  // namespace

TEST_CASE("each message of the assistant in a saved conversation is a model call") {
  Json log = with_tool(result("t", true));
  log["messages"][3]["metadata"] = {{"model", "small"},    {"provider", "other"},
                                    {"input_tokens", 100}, {"output_tokens", 7},
                                    {"cost", 0.25},        {"finish_reason", "stop"}};
  int indent = GENERATE(-1, 2);
  const Folder folder;
  Graph graph = graph_of(folder, log, indent);
  const Trace& trace = graph.trace();
  CHECK(trace.sources.front().format == "conversation");
  CHECK(trace.sources.front().records == 1);
  CHECK(complaints_of(trace) == "");
  REQUIRE(trace.calls.size() == 2);
  const Call &first = trace.calls[0], &second = trace.calls[1];
  CHECK(trace[first.session] == "c");
  CHECK(trace[first.id] == "c:2");
  CHECK(trace[first.model] == "large");
  CHECK(trace[first.provider] == "anthropic");
  CHECK(trace[first.system_prompt].size() == 16);
  CHECK(first.system_prompt == second.system_prompt);
  CHECK(first.duration == 2s);
  CHECK(trace[second.model] == "small");
  CHECK(trace[second.provider] == "other");
  CHECK(trace[second.stop_reason] == "stop");
  CHECK(second.tokens == Tokens{.input = 100, .output = 7});
  CHECK(second.cost == 250000000);
  REQUIRE(graph.links().size() == 2);
  CHECK(graph.links()[0].rule == Rule::tool_use_id);
  CHECK(confidence(graph.links()[0]) == 1);
  CHECK(graph.links()[1].rule == Rule::transcript);
  CHECK(find_turns(graph).size() == 1);
  Excerpts excerpts(trace);
  CHECK(excerpts.of(first).prompt == "is it there?");
  CHECK(excerpts.of(second).prompt == "{}");
  CHECK(excerpts.of(second).answer == "it is");
}

TEST_CASE("a tool of a conversation takes what it measured, else from its call to its result") {
  Json given = result("t", true);
  Duration took = 3s;
  SECTION("the message with the results has a time") {}
  SECTION("the result has one of its own") {
    given["timestamp"] = "2026-05-01T09:00:03Z";
    took = 1s;
  }
  SECTION("it was measured") {
    given["timestamp"] = "2026-05-01T09:00:04Z";
    given["metadata"]["execution_time"] = 0.4;
    took = 400ms;
  }
  Graph graph = link(read_log(with_tool(given).dump()), {});
  std::span<const Activity> runs = graph.activities().tools_of(CallId(0));
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].duration == took);
}

TEST_CASE("a tool of a conversation failed if it says so or has an error") {
  bool failed = true;
  Json given = result("t", false);
  SECTION("no success") {}
  SECTION("an error, and no word of success") {
    given.erase("success");
    given["metadata"]["error"] = "no such file";
  }
  SECTION("success whatever else") {
    given = result("t", true, {{"error", nullptr}});
    failed = false;
  }
  Graph graph = link(read_log(with_tool(given).dump()), {});
  CHECK(graph.links().front().is_error == failed);
}

TEST_CASE("what a failed tool left empty is told by its error") {
  Json given = result("t", false, {{"error", "TimeoutError: no answer"}});
  given["content"] = "";
  const Folder folder;
  Graph graph = graph_of(folder, with_tool(given));
  CHECK(graph.links().front().error == ToolError::timeout);
  CHECK(Excerpts(graph.trace()).of(graph.trace().calls[1]).prompt == "TimeoutError: no answer");
}

TEST_CASE("tool calls and results of a conversation may be written as OpenAI does") {
  Json call = {{"id", "t"},
               {"type", "function"},
               {"function", {{"name", "look"}, {"arguments", R"({"path":"a.txt"})"}}}};
  Json asks = at(2, message("assistant", ""));
  asks["tool_calls"] = Json::array({call});
  Json tool = at(3, message("tool", "found"));
  tool["tool_call_id"] = "t";
  const Folder folder;
  Graph graph = graph_of(folder, conversation({at(0, message("user", "go")), asks, tool,
                                               at(4, message("assistant", "done"))}));
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  std::vector<const ToolUse*> uses = graph.tool_uses_of(CallId(0));
  REQUIRE(uses.size() == 1);
  CHECK(trace[uses[0]->name] == "look");
  CHECK(trace[uses[0]->target] == "a.txt");
  CHECK(links_by_line(graph) == "1->1 tool_use_id\n1->1 transcript");
  CHECK(Excerpts(trace).of(trace.calls[1]).prompt == "found");
}

TEST_CASE("results may stand in the answer that asked for the tools") {
  Json asks = at(1, message("assistant", "",
                            {{"tool_calls", {tool_call("t", "look")}},
                             {"tool_results", {result("t", false)}}}));
  Graph graph = link(
      read_log(conversation({at(0, message("user", "go")), asks, at(9, message("assistant", "no"))})
                   .dump()),
      {});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(links_by_line(graph) == "1->1 tool_use_id error\n1->1 transcript");
}

TEST_CASE("words of a user beside a tool's result begin a turn") {
  Json given = with_tool(result("t", true));
  given["messages"][2]["content"] = "and be quick";
  CHECK(find_turns(link(read_log(given.dump()), {})).size() == 2);
}

TEST_CASE("tools that gave something in the end wait for an answer that is not on record") {
  Json log = with_tool(result("t", true));
  log["messages"].erase(3);
  Graph graph = link(read_log(log.dump()), {});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(graph.trace().calls[1].outcome == Outcome::unanswered);
  CHECK(graph.links().front().rule == Rule::tool_use_id);
}

TEST_CASE("tokens of a conversation by any of their names") {
  Json metadata =
      GENERATE(Json{{"input_tokens", 50}, {"output_tokens", 5}},
               Json{{"prompt_tokens", 50}, {"completion_tokens", 5}, {"total_tokens", 55}},
               Json{{"tokens", {{"input", 50}, {"output", 5}}}},
               Json{{"usage", {{"prompt_tokens", 50}, {"completion_tokens", 5}}}});
  Trace trace = read_log(conversation({message("assistant", "x", metadata)}).dump());
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].tokens == Tokens{.input = 50, .output = 5});
}

TEST_CASE("without times a conversation is in the order of its messages") {
  Trace trace = read_log(conversation({message("user", "a"), message("assistant", "b"),
                                       message("user", "c"), message("assistant", "d")})
                             .dump());
  CHECK(complaints_of(trace) == "field 1: no usable timestamps; messages are read in list order");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].start == kNoTime);
  CHECK(trace[trace.calls[1].id] == "c:4");
  CHECK(trace.calls[1].previous == CallId(0));
}

TEST_CASE("a conversation begins when it was made, if its first message has no time") {
  Json log = conversation({message("user", "a"), at(2, message("assistant", "b"))});
  log["created_at"] = "2026-05-01T09:00:00Z";
  CHECK(read_log(log.dump()).calls.front().duration == 2s);
}

TEST_CASE("equal ids of tools in two conversations are two tools") {
  Json one = with_tool(result("t", true)), other = with_tool(result("t", false));
  other["id"] = "d";
  other["messages"][1]["metadata"]["tool_calls"][0]["name"] = "listen";
  std::string log = GENERATE_COPY(one.dump() + "\n" + other.dump(), Json{one, other}.dump(1));
  Graph graph = link(read_log(log), {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 4);
  CHECK(graph.sessions().size() == 2);
  CHECK(trace[graph.tool_uses_of(CallId(0))[0]->name] == "look");
  CHECK(trace[graph.tool_uses_of(CallId(2))[0]->name] == "listen");
  std::vector<bool> failed;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::tool_result) failed.push_back(link.is_error);
  CHECK(failed == std::vector{false, true});
}

TEST_CASE("a conversation that is saved again has its messages once") {
  Json first = with_tool(result("t", true)), second = first;
  second["messages"].push_back(at(9, message("user", "more")));
  second["messages"].push_back(at(12, message("assistant", "more")));
  Folder folder;
  Progress progress;
  Trace trace = load({folder.write("1.json", first.dump()), folder.write("2.json", second.dump())},
                     {}, progress)
                    .value();
  CHECK(trace.calls.size() == 3);
  CHECK(trace.sources[0].copies + trace.sources[1].copies == 4);
}

TEST_CASE(
    "damaged messages of a conversation cost only themselves, and are told with their place") {
  Json log = conversation({7,
                           at(0, message("user", "go")),
                           nullptr,
                           {{"role", "ghost"}},
                           {{"content", "x"}},
                           at(2, message("assistant", "done"))});
  log["messages"][1]["timestamp"] = "noon";
  log["messages"].push_back(message("assistant", "", {{"tool_calls", "all"}}));
  log["messages"].push_back({{"role", "user"}, {"content", 12}});
  Trace trace = read_log(log.dump());
  CHECK(trace.calls.size() == 2);
  CHECK(trace.sources.front().skipped == 4);
  CHECK(complaints_of(trace) ==
        "damaged 1: message 1 is not an object\nfield 1: message 2 has an invalid "
        "timestamp\ndamaged 1: message 3 is not an object\ndamaged 1: message 4 has no known role "
        "(user, assistant, system or tool)\ndamaged 1: message 5 has no known role (user, "
        "assistant, system or tool)\nfield 1: tool_calls of message 7 is not a list of "
        "objects\nfield 1: the content of message 8 is neither text nor a list of blocks");
}

TEST_CASE("a conversation whose messages are no list is told of, and no more") {
  Result<Trace> trace = load_log(R"({"id":"c","system_prompt":"x","messages":{"role":"user"}})"
                                 "\n" +
                                 conversation({message("assistant", "x")}).dump());
  REQUIRE(trace);
  CHECK(trace->calls.size() == 1);
  CHECK(complaints_of(*trace).starts_with(
      "damaged 1: the messages of a conversation are not a list\n"));
}

TEST_CASE("of a conversation that is cut off all messages that are whole are read") {
  const std::string text = with_tool(result("t", true)).dump(1);
  const std::string cut = text.substr(0, text.rfind("it is"));  // in the last message
  std::string log = cut;
  SECTION("alone") {}
  SECTION("in a list, behind a whole one") {
    log = "[\n" + text + ",\n" + cut;
  }
  const Trace trace = read_log(log);
  CHECK(trace.calls.size() == 2);
  CHECK(trace.calls.back().outcome == (log == cut ? Outcome::unanswered : Outcome::ok));
  const long lines = std::count(log.begin(), log.end(), '\n') + 1;
  CHECK(complaints_of(trace) ==
        fmt::format("damaged {}: the document is cut off here; the content before it is used",
                    lines));
}

TEST_CASE("other records with an id and messages are no conversations") {
  const Json messages = {message("user", "hi"), message("assistant", "ho")};
  Json log = {{"id", "c"}, {"messages", messages}};
  bool is_one = false;
  SECTION("that is enough") {
    is_one = true;
  }
  SECTION("a request that is sent by and by") {
    log["body"] = {{"messages", messages}};
  }
  SECTION("no id, as in data that models learn from") {
    log.erase("id");
  }
  SECTION("messages without roles") {
    for (Json& one : log["messages"]) one.erase("role");
  }
  SECTION("a thread whose messages are numbered") {
    log["messages"][0]["messageId"] = 0;
  }
  const Result<Trace> trace = load_log(log.dump());
  REQUIRE(trace);
  CHECK((trace->sources.front().format == "conversation") == is_one);
}

TEST_CASE("calls of a conversation are matched with spans of the trace that it names") {
  auto span = [](const char* trace, const char* id) {
    return fmt::format(
        R"({{"name":"chat","trace_id":"{}","span_id":"{}","start_time":1777626000500000000,)"
        R"("end_time":1777626001500000000,"attributes":{{"gen_ai.operation.name":"chat",)"
        R"("gen_ai.request.model":"large"}}}})",
        trace, id);
  };
  Json log = conversation({at(0, message("user", "go")), at(2, message("assistant", "done"))});
  std::string named = GENERATE("trace_id", "trace_ids");
  log["metadata"][named] = named == "trace_id" ? Json("0aa") : Json{"0aa"};
  Graph graph =
      link(read_log(log.dump() + "\n" + span("0aa", "01") + "\n" + span("0bb", "02")), {});
  REQUIRE(graph.trace().calls.size() == 1);
  const Partners::Partner& partner = graph.partners().of_call[0];
  REQUIRE(partner.hop);
  CHECK(graph.trace()[graph.hops()[partner.hop].id] == "01");
}

TEST_CASE("a list of messages is a conversation, as one document or on a line of many") {
  const Json messages = {
      {{"role", "system"}, {"content", "Be brief."}},
      {{"role", "user"}, {"content", "is it there?"}},
      {{"role", "assistant"},
       {"content", nullptr},
       {"tool_calls",
        {{{"id", "t"},
          {"type", "function"},
          {"function", {{"name", "look"}, {"arguments", R"({"path":"a.txt"})"}}}}}}},
      {{"role", "tool"}, {"tool_call_id", "t"}, {"content", "yes"}},
      {{"role", "assistant"}, {"content", "it is"}}};
  const Json others = {{{"role", "user"}, {"content", "and there?"}},
                       {{"role", "assistant"}, {"content", "no"}}};
  const Folder folder;
  Progress progress;
  size_t sessions = 1;
  std::string log;
  SECTION("on one line") {
    log = messages.dump();
  }
  SECTION("over many lines") {
    log = messages.dump(2) + "\n";
  }
  SECTION("an item a line") {
    log = "[";
    for (const Json& message : messages) log += (log.size() > 1 ? ",\n" : "") + message.dump();
    log += "]\n";
  }
  SECTION("a line each") {
    log = messages.dump() + "\n" + others.dump() + "\n", sessions = 2;
  }
  SECTION("several over many lines") {
    log = messages.dump(2) + "\n" + others.dump(2) + "\n", sessions = 2;
  }
  SECTION("in a list") {
    log = Json{messages, others}.dump(1), sessions = 2;
  }
  CAPTURE(log);
  const Graph graph = link(load({folder.write("a.json", log)}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == sessions + 1);
  CHECK(graph.sessions().size() == sessions);
  for (const Call& call : trace.calls) {
    CHECK(call.outcome == Outcome::ok);
    CHECK(call.start == kNoTime);
    CHECK(total_of(call.tokens) == kNoCount);
  }
  const std::vector<const ToolUse*> uses = graph.tool_uses_of(CallId(0));
  REQUIRE(uses.size() == 1);
  CHECK(trace[uses[0]->name] == "look");
  CHECK(std::ranges::any_of(graph.links(), [](const Link& link) {
    return link.from == CallId(0) && link.to == CallId(1) && link.rule == Rule::tool_use_id;
  }));
  Excerpts excerpts(trace);
  CHECK(excerpts.of(trace.calls[0]).prompt == "is it there?");
  CHECK(excerpts.of(trace.calls[1]).answer == "it is");
}

TEST_CASE("of a list of messages that is cut off, what is whole is read, and the end is reported") {
  const std::string begins =
      "[\n{\"role\":\"user\",\"content\":\"a\"},\n"
      "{\"role\":\"assistant\",\"content\":\"b\"},\n";
  const Trace trace = read_log(begins + "{\"role\":\"user\",\"con");
  CHECK(trace.calls.size() == 1);
  CHECK(complaints_of(trace).find("cut off") != std::string::npos);
}

TEST_CASE("a list of what is no message, or of what another format reads, is none") {
  CHECK(load_log(R"([{"role":"admin","content":"x"}])").value_or(Trace()).calls.empty());
  CHECK(load_log(R"([["role","user"]])").value_or(Trace()).calls.empty());
  CHECK(load_log(R"({"model":"m","messages":[{"role":"user","content":"x"}]})")
            .value_or(Trace())
            .calls.empty());
}
