#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

std::string antigravity_step(int index, const char* source, const char* type, Json more,
                             const char* status = "DONE") {
  more.update({{"step_index", index},
               {"source", source},
               {"type", type},
               {"status", status},
               {"created_at", "2026-03-01T08:00:0" + std::to_string(index) + "Z"}});
  return more.dump() + "\n";
}

std::string antigravity_log(const Folder& folder, const char* id, const std::string& lines,
                            const char* name = "transcript_full.jsonl") {
  return folder.write("brain/" + std::string(id) + "/.system_generated/logs/" + name, lines);
}

const std::string kAntigravityPrompt = antigravity_step(
    0, "USER_EXPLICIT", "USER_INPUT",
    {{"content",
      "<USER_REQUEST>\nmow\n</USER_REQUEST>\n<USER_SETTINGS_CHANGE>\nThe user changed setting "
      "`Model Selection` from None to Gemini 3.5 (High). No need to comment.\n"
      "</USER_SETTINGS_CHANGE>"}});
const std::string kAntigravityMain =
    kAntigravityPrompt + antigravity_step(1, "SYSTEM", "CONVERSATION_HISTORY", Json::object()) +
    antigravity_step(2, "MODEL", "PLANNER_RESPONSE",
                     {{"content", "first"},
                      {"tool_calls",
                       {{{"name", "run_command"}, {"args", {{"CommandLine", "\"mow\""}}}},
                        {{"name", "view_file"}, {"args", {{"Path", "\"lawn\""}}}}}},
                      {"input_tokens", 900}}) +
    antigravity_step(3, "MODEL", "RUN_COMMAND", {{"content", "no fuel"}}, "ERROR") +
    antigravity_step(4, "MODEL", "VIEW_FILE", {{"content", "grass"}}) +
    antigravity_step(5, "MODEL", "PLANNER_RESPONSE",
                     {{"tool_calls",
                       {{{"name", "invoke_subagent"},
                         {"args", {{"Subagents", "[{\"Prompt\": \"fetch\"}]"}}}}}}}) +
    antigravity_step(6, "MODEL", "INVOKE_SUBAGENT",
                     {{"content", "Started: {\"conversationId\": \"b2\"}"}}) +
    antigravity_step(7, "MODEL", "PLANNER_RESPONSE", {{"content", "done"}});
const std::string kAntigravityChild =
    antigravity_step(5, "USER_EXPLICIT", "USER_INPUT", {{"content", "fetch"}}) +
    antigravity_step(6, "MODEL", "PLANNER_RESPONSE", {{"content", "fetched"}});

}  // namespace

TEST_CASE("a transcript of Antigravity pairs results with tool uses by their order") {
  Folder folder;
  Progress progress;
  antigravity_log(folder, "a1", kAntigravityMain);
  antigravity_log(folder, "b2", kAntigravityChild);
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace) == "");
  REQUIRE(trace.calls.size() == 4);
  CHECK(graph.sessions().size() == 1);
  CHECK(trace[trace.calls[0].session] == "a1");
  CHECK(trace[trace.calls[0].model] == "Gemini 3.5 (High)");
  CHECK(trace.calls[0].tokens == Tokens{.input = 900});
  CHECK(trace.calls[0].duration == std::chrono::seconds(2));
  const std::span<const Activity> tools = graph.activities().tools_of(CallId(0));
  REQUIRE(tools.size() == 2);
  CHECK(tools[0].tool == "run_command");
  CHECK(tools[0].outcome == Outcome::error);
  CHECK(tools[1].outcome == Outcome::ok);
  CHECK(graph.orphans().empty());
}

TEST_CASE("a subagent of Antigravity was started by the tool use whose result names it") {
  Folder folder;
  Progress progress;
  antigravity_log(folder, "a1", kAntigravityMain);
  antigravity_log(folder, "b2", kAntigravityChild);
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  size_t spawns = 0;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_spawn) {
      ++spawns;
      CHECK(link.from == CallId(1));
      CHECK(graph.trace()[graph.trace()[link.to].agent] == "b2");
    }
  CHECK(spawns == 1);
}

TEST_CASE("a transcript of Antigravity counts once beside the one that has it in full") {
  Folder folder;
  Progress progress;
  antigravity_log(folder, "a1", kAntigravityMain);
  antigravity_log(
      folder, "a1",
      kAntigravityPrompt + antigravity_step(2, "MODEL", "PLANNER_RESPONSE", {{"content", "fir…"}}),
      "transcript.jsonl");
  CHECK(load({folder.path()}, {}, progress).value().calls.size() == 3);
}

TEST_CASE("a step of Antigravity that failed is a call where the model owes an answer") {
  const std::string failure =
      antigravity_step(3, "SYSTEM", "ERROR_MESSAGE", {{"content", "overloaded"}});
  Folder folder;
  Progress progress;
  const std::string path = antigravity_log(folder, "a1", kAntigravityPrompt + failure);
  const Trace trace = load({path}, {}, progress).value();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].outcome == Outcome::error);
}
