#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reading.h"
#include "reread.h"

using namespace xtrace;

TEST_CASE("an answer that Ollama streamed is one, as a text of many lines or as a list") {
  using Json = nlohmann::json;
  const Json call = {{"function", {{"name", "look"}, {"arguments", {{"path", "a.txt"}}}}}};
  const Json pieces = {
      {{"model", "llama3"},
       {"message", {{"role", "assistant"}, {"content", "Hel"}}},
       {"done", false}},
      {{"model", "llama3"},
       {"message", {{"role", "assistant"}, {"content", "lo"}}},
       {"done", false}},
      {{"model", "llama3"},
       {"message", {{"role", "assistant"}, {"content", ""}, {"tool_calls", {call}}}},
       {"done", false}},
      {{"model", "llama3"},
       {"message", {{"role", "assistant"}, {"content", ""}}},
       {"done", true},
       {"done_reason", "stop"},
       {"prompt_eval_count", 26},
       {"eval_count", 3},
       {"total_duration", 2000000000}}};
  Json record = {
      {"id", "1"},
      {"timestamp", "2026-05-01T09:00:00Z"},
      {"request", {{"model", "llama3"}, {"messages", {{{"role", "user"}, {"content", "hi"}}}}}},
      {"response", pieces}};
  size_t kept = pieces.size();
  SECTION("a list") {}
  SECTION("lines") {
    std::string lines;
    for (const Json& piece : pieces) lines += piece.dump() + "\n";
    record["response"] = lines;
  }
  SECTION("lines that are cut off") {
    record["response"] = pieces[0].dump() + "\n" + pieces[1].dump() + "\n{\"model\":\"lla";
    kept = 2;
  }
  const Folder folder;
  Progress progress;
  const Trace trace = load({folder.write("a.jsonl", record.dump())}, {}, progress).value();
  REQUIRE(trace.calls.size() == 1);
  const Call& answered = trace.calls.front();
  CHECK(answered.outcome == Outcome::ok);
  CHECK(trace[answered.model] == "llama3");
  CHECK(trace[answered.provider] == "ollama");
  CHECK(Excerpts(trace).of(answered).answer == "Hello");
  if (kept < pieces.size()) return;
  CHECK(answered.tokens == Tokens{.input = 26, .output = 3});
  CHECK(answered.duration == Duration(2'000'000'000));
  CHECK(trace[answered.stop_reason] == "stop");
  REQUIRE(trace.tool_uses.size() == 1);
  CHECK(trace[trace.tool_uses.front().name] == "look");
  CHECK(trace[trace.tool_uses.front().target] == "a.txt");
}
