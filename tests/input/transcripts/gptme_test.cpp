#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

/// A message said at that second.
std::string said(const char* role, const std::string& content, int second, Json more = {}) {
  Json line = {{"role", role},
               {"content", content},
               {"timestamp", "2026-01-01T10:00:" + std::to_string(second) + ".000250"}};
  if (!more.is_null()) line.update(more);
  return line.dump() + "\n";
}

const std::string kPrompt = said("system", "You help.", 10, {{"pinned", true}});

Json usage(int input, int output, int read) {
  return {{"metadata",
           {{"model", "anthropic/claude-sonnet-4-6"},
            {"cost", 0.5},
            {"usage",
             {{"input_tokens", input}, {"output_tokens", output}, {"cache_read_tokens", read}}}}}};
}

}  // namespace

TEST_CASE("a block of code in an answer of gptme is a tool use, and a system message its result") {
  const std::string log =
      kPrompt + said("user", "Which day?", 11) +
      said("assistant", "I ask:\n```shell\ndate\n```\n", 14, usage(40, 18, 5200)) +
      said("system", "Ran command: `date`\n\n```stdout\nMonday\n```", 15) +
      said("assistant", "Monday.", 17, usage(70, 5, 5300));
  Folder folder;  // excerpts are read from the log again
  Progress progress;
  const Graph graph =
      link(load({folder.write("conversation.jsonl", log)}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace).empty());
  CHECK(trace.sources.front().format == "gptme");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].tokens == Tokens{.input = 40, .output = 18, .cache_read = 5200});
  CHECK(trace.calls[0].cost == 500'000'000);
  CHECK(trace[trace.calls[0].model] == "anthropic/claude-sonnet-4-6");
  CHECK(trace.calls[0].duration == std::chrono::seconds(3));
  CHECK(links_by_line(graph) == "3->5 transcript\n3->5 transcript");
  REQUIRE(trace.tool_uses.size() > 0);
  CHECK(trace[trace.tool_uses.back().name] == "shell");
  CHECK(Excerpts(trace).of(trace.calls[0]).prompt == "Which day?");
}

TEST_CASE("a tool use of gptme with an id is of the result that names it, failed or not") {
  const char* given = GENERATE("Return code: 1", "Return code: 0");
  const std::string log = kPrompt + said("user", "go", 11) +
                          said("assistant", "@shell(call-9): {\"command\": \"a { \\\" b\"}\n", 12) +
                          said("system", given, 13, {{"call_id", "call-9"}}) +
                          said("assistant", "so", 14);
  const Graph graph = link(read_log(log), {});
  const bool failed = std::string_view(given).ends_with('1');
  CHECK(links_by_line(graph) ==
        (failed ? "3->5 tool_use_id error\n3->5 transcript" : "3->5 tool_use_id\n3->5 transcript"));
}

TEST_CASE("a file that gptme saves may contain fences, and its path is the target") {
  const std::string log =
      kPrompt + said("user", "go", 11) +
      said("assistant", "```save notes.md\n# a\n```sh\nls\n```\nend\n```\ndone", 12) +
      said("system", "Saved to notes.md", 13) + said("assistant", "```py", 14);
  Folder folder;
  Progress progress;
  const Trace trace = load({folder.write("conversation.jsonl", log)}, {}, progress).value();
  REQUIRE(trace.calls.size() == 2);
  const auto arguments = [&](const Call& call) {
    std::string text;
    for (const Quote& quote : Excerpts(trace).quotes(call))
      if (quote.kind == Quote::Kind::tool_use && quote.is_answer) text += quote.text;
    return text;
  };
  CHECK(arguments(trace.calls[0]) == R"({"path":"notes.md","content":"# a\n```sh\nls\n```\nend"})");
  CHECK(arguments(trace.calls[1]).empty());  // nothing closes it
}

TEST_CASE("older counts of gptme are in the metadata, and what only the user saw asks nobody") {
  const std::string log =
      kPrompt + said("user", "go", 11) +
      said("assistant", "yes", 12, {{"metadata", {{"input_tokens", 7}, {"output_tokens", 3}}}}) +
      said("system", "42 tokens left", 13, {{"ui_only", true}});
  const Trace trace = read_log(log);
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].tokens == Tokens{.input = 7, .output = 3});
}

TEST_CASE("lines with nothing but a role, words and a time are gptme's only next to its others") {
  const std::string plain = said("user", "go", 11) + said("assistant", "yes", 12);
  CHECK(read_log(kPrompt + plain).calls.size() == 1);
  const Result<Trace> refused = load_log(plain);
  CHECK((!refused || refused->calls.empty()));
}

TEST_CASE("a branch of a conversation of gptme counts what it took over once") {
  Folder folder;
  const std::string shared = kPrompt + said("user", "go", 11) + said("assistant", "yes", 12);
  folder.write("talk/conversation.jsonl",
               shared + said("user", "on", 13) + said("assistant", "one", 14));
  folder.write("talk/branches/other.jsonl",
               shared + said("user", "no", 15) + said("assistant", "two", 16));
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  std::vector<std::string> sessions;
  for (const Call& call : trace.calls) sessions.emplace_back(trace[call.session]);
  std::ranges::sort(sessions);
  CHECK(sessions == std::vector<std::string>{"talk", "talk", "talk/branches/other"});
}
