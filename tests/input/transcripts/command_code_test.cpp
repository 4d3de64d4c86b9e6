#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

std::string old_line(const char* id, const char* role, const Json& content) {
  return Json({{"id", id},
               {"timestamp", "2026-01-01T10:00:1" + std::string(id) + ".000Z"},
               {"sessionId", "s"},
               {"role", role},
               {"content", content},
               {"metadata", {{"version", 2}, {"cwd", "/garden"}}}})
             .dump() +
         "\n";
}

constexpr int64_t kStart = 1'767'261'600'000;  // 2026-01-01T10:00:00Z

/// A line of version 3; `second`: when it was said, 0: that is not stated.
std::string line(int id, const char* source, const Json& content, int second, Json more = {}) {
  Json meta = {{"source", source}, {"messageId", "m" + std::to_string(id)}};
  if (second > 0) meta["createdAt"] = kStart + second * 1000;
  const bool by_model = std::string_view(source) == "model";
  Json line = {{"type", "message"},
               {"id", "id-" + std::to_string(id)},
               {"parentId", id == 1 ? Json() : Json("id-" + std::to_string(id - 1))},
               {"timestamp", "2026-01-01T10:00:59.000Z"},
               {"message",
                {{"role", by_model ? "assistant" : "user"}, {"content", content}, {"meta", meta}}}};
  if (!more.is_null()) line.update(more);
  return line.dump() + "\n";
}

Json text(const char* words) {
  return Json::array({{{"type", "text"}, {"text", words}}});
}

const std::string kSession =
    R"({"type":"session","version":3,"id":"s3","timestamp":"2026-01-01T10:00:00.000Z","cwd":"/garden"})"
    "\n";

Json used(int input, int output, int read) {
  return {{"model", "deepseek-v4"},
          {"usage",
           {{"inputTokens", input},
            {"outputTokens", output},
            {"cacheReadTokens", read},
            {"cacheWriteTokens", 0},
            {"costUsd", 0.25}}}};
}

std::string conversation(const char* given) {
  return kSession + line(1, "user", text("look"), 1) +
         line(2, "model",
              Json::array({{{"type", "thinking"}, {"thinking", "hm"}},
                           {{"type", "tool_use"},
                            {"id", "t"},
                            {"name", "shell"},
                            {"input", {{"command", "ls"}}}}}),
              4, used(9000, 40, 7000)) +
         line(3, "tool",
              Json::array(
                  {{{"type", "tool_result"}, {"tool_use_id", "t"}, {"content", text(given)}}}),
              0) +
         line(4, "model", text("one"), 6, used(9060, 5, 9000));
}

}  // namespace

TEST_CASE("an old session of Command Code has calls and tools, and states no tokens") {
  const char* kind = GENERATE("text", "error-text");
  const std::string log =
      old_line("1", "user", "list") +
      old_line("2", "assistant",
               Json::array({{{"type", "reasoning"}, {"text", "hm"}},
                            {{"type", "tool-call"},
                             {"toolCallId", "k"},
                             {"toolName", "shell"},
                             {"input", {{"command", "ls"}}}}})) +
      old_line("3", "tool",
               Json::array({{{"type", "tool-result"},
                             {"toolCallId", "k"},
                             {"output", {{"type", kind}, {"value", "none"}}}}})) +
      old_line("4", "assistant", text("none"));
  Folder folder;  // excerpts are read from the log again
  Progress progress;
  const Graph graph = link(load({folder.write("s.jsonl", log)}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace).empty());
  CHECK(trace.sources.front().format == "command-code");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "s");
  CHECK(trace.calls[0].tokens == Tokens{});
  CHECK(trace.calls[0].duration == std::chrono::seconds(1));
  const bool failed = std::string_view(kind) != "text";
  CHECK(links_by_line(graph) ==
        (failed ? "2->4 tool_use_id error\n2->4 transcript" : "2->4 tool_use_id\n2->4 transcript"));
  CHECK(Excerpts(trace).of(trace.calls[1]).answer == "none");
}

TEST_CASE("the input of Command Code includes what was read from a cache") {
  const Graph graph = link(read_log(conversation("a.c")), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace).empty());
  CHECK(trace.sources.front().format == "command-code");  // its first line may be pi's as well
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "s3");
  CHECK(trace[trace.calls[0].model] == "deepseek-v4");
  CHECK(trace.calls[0].tokens ==
        Tokens{.input = 2000, .output = 40, .cache_read = 7000, .cache_creation = 0});
  CHECK(trace.calls[0].cost == 250'000'000);
  CHECK(trace.calls[0].duration == std::chrono::seconds(3));
  CHECK(links_by_line(graph) == "3->5 tool_use_id\n3->5 transcript");
}

TEST_CASE("lines of Command Code are dated by when they were said, and results not at all") {
  const Trace trace = read_log(conversation("a.c"));
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[1].start == Time(std::chrono::milliseconds(kStart + 6000)));
  CHECK(trace.calls[1].duration == kNoDuration);
}

TEST_CASE("a tool that Command Code refused failed") {
  const Graph graph = link(read_log(conversation("Error: Tool shell requires permissions")), {});
  CHECK(links_by_line(graph) == "3->5 tool_use_id error\n3->5 transcript");
}

TEST_CASE("the file next to a session of Command Code states its title and its folder") {
  Folder folder;
  folder.write("s3.jsonl", conversation("a.c"));
  folder.write("s3.meta.json",
               R"({"title":"Look","userRenamed":false,"projectPath":"/garden","cwd":"/garden"})");
  Progress progress;
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  REQUIRE(graph.sessions().size() == 1);
  CHECK(graph.trace()[graph.sessions()[0].title] == "Look");
  CHECK(graph.trace()[graph.sessions()[0].project] == "/garden");
}
