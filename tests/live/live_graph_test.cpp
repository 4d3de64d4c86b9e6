#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "following.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// A span in OTLP, a line each.
std::string span(int trace, int id, int parent) {
  return R"({"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":)"
         R"({"stringValue":"coder"}}]},"scopeSpans":[{"spans":[{"traceId":"0000000000000000000000000000000)" +
         std::to_string(trace) + R"(","spanId":"000000000000000)" + std::to_string(id) +
         (parent > 0 ? R"(","parentSpanId":"000000000000000)" + std::to_string(parent) : "") +
         R"(","name":"step","startTimeUnixNano":"17000000000000)" + std::to_string(trace) +
         std::to_string(id) + R"(0000","endTimeUnixNano":"1700000001000000000"}]}]}]})" + '\n';
}

}  // namespace

TEST_CASE("whatever comes in whatever order and pieces, updates add up to what the whole says") {
  std::string fixture = GENERATE(as<std::string>{}, "agents.jsonl", "costs.jsonl", "damaged.jsonl",
                                 "guess.jsonl", "handed.jsonl", "hostile.jsonl", "openai.jsonl",
                                 "pi.jsonl", "sessions.jsonl", "steps.jsonl", "trip.jsonl",
                                 "twins.jsonl", "codex-main.jsonl", "streamed.jsonl", "story");
  unsigned seed = GENERATE(1u, 2u, 3u);
  CAPTURE(fixture, seed);
  std::mt19937 random(seed);
  std::vector<std::string> lines = lines_of(fixture);
  std::vector<std::string> again(lines.begin(),
                                 lines.begin() + static_cast<std::ptrdiff_t>(lines.size() / 3));
  lines.insert(lines.end(), again.begin(), again.end());  // records that are written twice
  if (seed > 1) std::shuffle(lines.begin(), lines.end(), random);
  std::string log;
  for (const std::string& line : lines) log += line;
  Folder folder;
  Fed fed(folder.path() + "/log.jsonl");
  for (size_t at = 0; at < log.size();) {
    size_t count =
        std::min<size_t>(1 + random() % (2 * log.size() / lines.size()), log.size() - at);
    fed.write(std::string_view(log).substr(at, count));
    at += count;
    if (random() % 8 == 0) fed.reread();
  }
  fed.end();
  fed.reread();
  CHECK(fed.shown() == whole(fed.request()));
}

TEST_CASE("a line that says no more than that something failed is a call of nobody") {
  Folder folder;
  Fed fed(folder.path() + "/log.jsonl");
  for (const std::string& line : lines_of("trip.jsonl")) fed.write(line);
  fed.write("{\"type\":\"error\",\"message\":\"disk is full\"}\n");
  fed.end();
  CHECK(fed.shown() == whole(fed.request()));
}

TEST_CASE(
    "a line that says no more than that something failed is an answer of the run it stands in") {
  Folder folder;
  Fed fed(folder.path() + "/run.jsonl");
  fed.write(R"({"type":"thread.started","thread_id":"t"})"
            "\n"
            R"({"type":"turn.started"})"
            "\n");
  fed.write(R"({"type":"error","message":"the stream ended"})"
            "\n");
  fed.end();
  const Graphed now = whole(fed.request());
  CHECK(now.nodes.size() == 1);
  CHECK(fed.shown() == now);
}

TEST_CASE("records with ids of their own need no reading of everything") {
  Folder folder;
  Fed fed(folder.path() + "/spans.jsonl");
  // The parents come last, and two traces by turns.
  for (int id : {4, 3, 2, 1})
    for (int trace : {1, 2})
      fed.write(span(trace, id + 4 * (trace - 1), id > 1 ? id - 1 + 4 * (trace - 1) : 0));
  CHECK(fed.parts() == 2);
  CHECK(fed.shown().nodes.size() == 8);
  CHECK(fed.shown().edges.size() == 6);
  CHECK(fed.shown() == whole(fed.request()));
}

TEST_CASE("a request may open summaries that are in another part, or still to come") {
  Folder folder;
  Fed fed(folder.path() + "/spans.jsonl");
  for (int trace : {1, 2}) fed.write(span(trace, trace, 0));
  const Graphed before = fed.shown();
  CHECK(fed.parts() == 2);
  fed.expand({"summary-nobody"});
  CHECK(fed.shown() == before);
}

TEST_CASE("a document that is written anew takes what it held with it") {
  Folder folder;
  std::string path = folder.write("run.json", project_file("fixtures/trust.json"));
  Fed fed(path);
  fed.write("\n");
  CHECK_FALSE(fed.shown().nodes.empty());
  CHECK(fed.shown() == whole(fed.request()));
  folder.write("run.json", project_file("fixtures/services.json"));
  fed.write("\n");
  CHECK(fed.shown() == whole(fed.request()));
}

TEST_CASE("a session works from the user's message on, not from the reply on") {
  const auto line = [](const char* type, const char* uuid, const char* parent, int second,
                       const char* message) {
    return fmt::format(
        R"({{"type":"{}","uuid":"{}","parentUuid":{},"sessionId":"s-1","version":"2.1.0","cwd":"/code/x","isSidechain":false,"timestamp":"2026-03-01T09:00:{:02}.000Z","message":{}}})"
        "\n",
        type, uuid, parent, second, message);
  };
  Folder folder;
  Fed fed(folder.path() + "/log.jsonl");
  fed.write(line("user", "u1", "null", 1, R"({"role":"user","content":"Count the boats."})"));
  fed.write(line(
      "assistant", "a1", R"("u1")", 5,
      R"({"id":"m1","role":"assistant","model":"claude-haiku-4-5","content":[{"type":"text","text":"Two."}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":2}})"));
  REQUIRE(fed.sessions().size() == 1);
  CHECK(fed.sessions().begin()->second.state.doing == Doing::user);
  fed.write(line("user", "u2", R"("a1")", 30, R"({"role":"user","content":"And the ferries?"})"));
  CHECK(fed.sessions().begin()->second.state.doing == Doing::model);
  CHECK(fed.sessions().begin()->second.tool == "your message");
}
