#include <catch2/catch.hpp>

#include "by_line.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

const std::string kBegin =
    "\n# aider chat started at 2026-01-01 10:00:00\n\n"
    "> Main model: opus with diff edit format  \n\n";

Trace history(const std::string& text) {
  Folder folder;  // the log that is made of the history outlives it
  Progress progress;
  return load({folder.write("history.md", kBegin + text)}, {}, progress).value();
}

}  // namespace

TEST_CASE("an answer in aider's history is a call on the line on which it begins") {
  const Trace trace = history(
      "#### look  \n#### twice  \n\nI look:\n\n#### a.py\n> a quote\n\n"
      "> Tokens: 1,200 sent, 90 received.  \n> Applied edit to a.py  \n");
  REQUIRE(trace.calls.size() == 1);
  const Call& call = trace.calls.front();
  CHECK(trace.sources.front().format == "aider");
  CHECK_FALSE(trace.sources.front().is_document);
  CHECK(trace[call.session] == "aider-2026-01-01T10:00:00");
  CHECK(trace[call.model] == "opus");
  CHECK(call.source.line == 9);
  CHECK(call.start == kNoTime);
  CHECK(call.tokens == Tokens{.input = 1200, .output = 90});
  REQUIRE(trace.tool_uses.size() > 0);
  CHECK(trace[trace.tool_uses.back().name] == "edit");
  CHECK(trace[trace.tool_uses.back().target] == "a.py");
  const Excerpt excerpt = Excerpts(trace).of(call);
  CHECK(excerpt.prompt == "look\ntwice");
  CHECK(excerpt.answer == "I look:\n\n#### a.py\n> a quote");
  CHECK(complaints_of(trace).empty());
}

TEST_CASE("of a line in which aider tells when it started, the time alone names the session") {
  const Trace trace = history(
      "# aider chat started at 2026-01-02 11:30:00 the garden's key\n\n#### look  \n\nI look.\n");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace[trace.calls.front().session] == "aider-2026-01-02T11:30:00");
}

TEST_CASE("an edit of aider's failed if the linter then found errors in that file") {
  const Trace trace = history(
      "#### look  \n\nI change both.\n\n> Tokens: 12 sent, 9 received.  \n"
      "> Applied edit to a.py  \n> Applied edit to b.py  \n"
      "> # Fix any errors below, if possible.  \n>  \n> ## Running: lint.sh a.py  \n"
      "> - exit code: 1  \n\n#### on  \n\nSo.\n\n> Tokens: 7 sent, 3 received.  \n");
  REQUIRE(trace.tool_uses.size() >= 2);
  REQUIRE(trace.tool_results.size() > 0);
  for (const ToolResult& linted : trace.tool_results) CHECK(linted.is_error);
  for (const ToolUse& use : trace.tool_uses)
    CHECK((use.id == trace.tool_results.front().tool_use) == (trace[use.target] == "a.py"));
}

TEST_CASE("aider's counts are rounded, which is told once") {
  const Trace trace = history(
      "#### a  \n\nx\n\n> Tokens: 12k sent, 9.6k cache write, 290 received. Cost: $0.03 message, "
      "$0.03 session.  \n\n#### b  \n\ny\n\n"
      "> Tokens: 1.5M sent, 2.5M cache hit, 12 received. Cost: $0.0012 message, $1.20 session.  "
      "\n");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].tokens == Tokens{.input = 2400, .output = 290, .cache_creation = 9600});
  CHECK(trace.calls[0].cost == 30'000'000);
  CHECK(trace.calls[1].tokens == Tokens{.input = 1'500'000, .output = 12, .cache_read = 2'500'000});
  CHECK(trace.calls[1].cost == 1'200'000);
  REQUIRE(trace.complaints.size() == 1);
  CHECK(trace.complaints.front().at.line == trace.calls.front().source.line);
  CHECK_THAT(trace.complaints.front().what, Catch::Contains("rounded"));
}

TEST_CASE("commands to aider are no prompts, but where they are answered") {
  const Trace trace = history(
      "#### /add a.py  \n> Added a.py to the chat.  \n\n#### /ask why  \n\n####  why  \n\nso\n\n"
      "> Tokens: 10 sent, 2 received.  \n\n#### /ask how  \n\nthus\n\n"
      "> Tokens: 20 sent, 2 received.  \n\n#### /exit  \n");
  REQUIRE(trace.calls.size() == 2);
  Excerpts excerpts(trace);
  CHECK(excerpts.of(trace.calls[0]).prompt == "why");
  CHECK(excerpts.of(trace.calls[1]).prompt == "/ask how");
}

TEST_CASE("an attempt of aider's that fails is a call, told once, and what is stopped is aborted") {
  const Trace trace = history(
      "#### a  \n> litellm.RateLimitError: too fast  \n> Retrying in 0.2 seconds...  \n"
      "> Retrying in 0.4 seconds...  \n\nhalf\n\n>  \n> ^C KeyboardInterrupt  \n\n"
      "#### b  \n> ^C KeyboardInterrupt  \n>  \n> ^C KeyboardInterrupt  \n");
  std::vector<std::string> errors;
  for (const Call& call : trace.calls) errors.emplace_back(trace[call.error]);
  CHECK(errors == std::vector<std::string>{"RateLimitError", "error", "aborted", "aborted"});
}

TEST_CASE("each start of aider is a session, with the model that it tells") {
  const Trace trace = history(
      "#### a  \n\nx\n\n> Tokens: 10 sent, 2 received.  \n\n> Model: haiku with whole edit format  "
      "\n"
      "\n#### b  \n\ny\n\n> Tokens: 10 sent, 2 received.  \n\n"
      "# aider chat started at 2026-01-02 10:00:00\n\n#### c  \n\nz\n");
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace[trace.calls[0].model] == "opus");
  CHECK(trace[trace.calls[1].model] == "haiku");
  CHECK_FALSE(trace.calls[2].model);
  CHECK(trace[trace.calls[2].session] == "aider-2026-01-02T10:00:00");
  CHECK(trace.calls[2].tokens == Tokens{});
}

TEST_CASE("what aider says in several lines is no answer") {
  const std::string lines = GENERATE(
      "> Commit 12ab plant beans  \n> export BED=3\nexport ROW=4   \n./plant.sh  \n> Run it? n  \n",
      "> # 1 block failed to match!\n\n## No match\nbeans\n\nlook again  \n",
      "> half of a command\nthat was never ended\n");
  const Trace trace = history("#### a  \n\nx\n\n> Tokens: 10 sent, 2 received.  \n" + lines +
                              "\n#### b  \n\ny\n\n> Tokens: 20 sent, 2 received.  \n");
  REQUIRE(trace.calls.size() == 2);
  CHECK(Excerpts(trace).of(trace.calls[0]).answer == "x");
  CHECK(trace.calls[1].tokens.input == 20);
}

TEST_CASE("an error of several lines is told behind the prompt, and an answer is not lost in it") {
  const Trace trace = history(
      "#### a  \n> litellm.BadRequestError: no\n{\"why\": \"so\"}\n\nx\n\n"
      "> Tokens: 10 sent, 2 received.  \n");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].error] == "BadRequestError");
  CHECK(Excerpts(trace).of(trace.calls[1]).answer == "x");
  CHECK(trace.calls[1].tokens.input == 10);
}

TEST_CASE("an answer of aider without words keeps what it used up") {
  const Trace trace = history(
      "#### look  \n\n> Empty response received from LLM. Check your provider account?  \n"
      "> Tokens: 1,200 sent, 0 received. Cost: $0.02 message, $0.02 session.  \n\n"
      "#### again  \n\nYes.\n\n> Tokens: 1,300 sent, 9 received. Cost: $0.02 message, $0.04 "
      "session.  \n"
      "> Tokens: 1,400 sent, 8 received. Cost: $0.25 message, $0.29 session.  \n");
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace.calls[0].tokens == Tokens{.input = 1200, .output = 0});
  CHECK(trace.calls[0].cost == 20'000'000);
  CHECK(trace.calls[1].tokens == Tokens{.input = 1300, .output = 9});
  CHECK(trace.calls[2].cost == 250'000'000);
}

TEST_CASE("aider's history is read though an editor took away the blanks at the ends of lines") {
  Folder folder;
  Progress progress;
  const Trace trace =
      load({folder.write("history.md",
                         "# aider chat started at 2026-01-01 10:00:00\n\n"
                         "> Main model: opus with diff edit format\n> Repo-map: off\n\n"
                         "#### look\n#### twice\n\nI look:\n\n#### a.py\n> a quote\n"
                         "# aider chat started at 2020-01-01 00:00:00\n\n"
                         "> Tokens: 1,200 sent, 90 received.\n> Applied edit to a.py\n\n"
                         "#### on\n\nSo.\n\n> Tokens: 7 sent, 3 received.\n")},
           {}, progress)
          .value();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "aider-2026-01-01T10:00:00");
  CHECK(trace[trace.calls[0].model] == "opus");
  CHECK(trace.calls[0].tokens == Tokens{.input = 1200, .output = 90});
  CHECK(trace.calls[1].tokens == Tokens{.input = 7, .output = 3});
  const Excerpt excerpt = Excerpts(trace).of(trace.calls[0]);
  CHECK(excerpt.prompt == "look\ntwice");
  CHECK_THAT(excerpt.answer, Catch::StartsWith("I look:\n\n#### a.py\n> a quote"));
}

TEST_CASE("what aider prints that the model was not asked for is no answer") {
  const std::string printed = "Here are summaries of some files.\nDo not change them.\n\na.py:\n\n";
  const std::string before = GENERATE("> Repo-map: using 1024 tokens  \n> ", "#### /map  \n> ",
                                      "#### /map  \n\n", "#### !ls  \n\n");
  const Trace trace =
      history(before + printed + "#### look  \n\nI look.\n\n> ^C again to exit  \n");
  REQUIRE(trace.calls.size() == 1);
  CHECK(Excerpts(trace).of(trace.calls[0]).prompt == "look");
  CHECK(Excerpts(trace).of(trace.calls[0]).answer == "I look.");
}

TEST_CASE("where aider counts the tokens of what stands behind a command, that is its answer") {
  const Trace trace =
      history("#### /run make  \n\nAll is made.\n\n> Tokens: 10 sent, 2 received.  \n");
  REQUIRE(trace.calls.size() == 1);
  CHECK(Excerpts(trace).of(trace.calls[0]).prompt == "/run make");
  CHECK(trace.calls[0].tokens == Tokens{.input = 10, .output = 2});
}

TEST_CASE("who stops what aider prints stops no call") {
  CHECK(history("#### /map  \n\na.py:\n\n> ^C KeyboardInterrupt  \n").calls.empty());
}
