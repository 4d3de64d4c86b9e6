#include "link/activities/context_use.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <numeric>

#include "link/activities/call_sizes.h"
#include "reading.h"
#include "reread.h"
#include "story.h"
#include "transcript.h"

using namespace xtrace;

namespace {

std::vector<ContextPart> context_of_last(const std::string& log) {
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("log", log)}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  CallSizeMeter sizes(graph.trace(), &payloads);
  return find_context(graph, sizes, &payloads, graph.timeline().in_order().back());
}

/// `tool_results Read 40, replies 10`; estimates are marked.
std::string words_of(const std::vector<ContextPart>& parts) {
  std::string words;
  for (const ContextPart& part : parts)
    words += fmt::format("{}{}{} {}{}", words.empty() ? "" : ", ", word(part.kind),
                         part.name.empty() ? "" : " " + part.name, part.is_estimated ? "~" : "",
                         part.tokens);
  return words;
}

int64_t sum_of(const std::vector<ContextPart>& parts) {
  return std::accumulate(parts.begin(), parts.end(), int64_t{0},
                         [](int64_t sum, const ContextPart& part) { return sum + part.tokens; });
}

bool has(const std::vector<ContextPart>& parts, ContextPart::Kind kind) {
  return std::ranges::find(parts, kind, &ContextPart::kind) != parts.end();
}

}  // namespace

TEST_CASE("what the only result of a tool brought in is exact") {
  CallStory story;
  story.call("a").says("Read it.").uses("t1", "Read").tokens(100, 10);
  story.call("b").after("a").reads("t1").tokens(150, 5);
  const std::string words = words_of(context_of_last(story.log()));
  CHECK(words.find("tool_results Read 40") != std::string::npos);
  CHECK(words.find("replies 10") != std::string::npos);
}

TEST_CASE("results that come together are divided by their lengths") {
  CallStory story;
  story.call("a").says("Read both.").uses("t1", "Read").uses("t2", "Grep").tokens(100, 10);
  story.call("b").after("a").reads("t1", std::string(300, 'x')).reads("t2", std::string(100, 'y'));
  story.call("c").after("b").says("And now?").tokens(600, 10);
  const std::vector<ContextPart> parts = context_of_last(story.log());
  CHECK(sum_of(parts) == 600);
}

TEST_CASE("the first request is divided into its system prompt, tools and prompt") {
  CallStory story;
  story.call("a").system(std::string(500, 's')).offers_tools().says("Hi.").tokens(400, 10);
  const std::vector<ContextPart> parts = context_of_last(story.log());
  CHECK(sum_of(parts) == 400);
  CHECK(has(parts, ContextPart::Kind::system_prompt));
  CHECK(has(parts, ContextPart::Kind::tool_definitions));
  CHECK(has(parts, ContextPart::Kind::prompts));
  CHECK(std::ranges::all_of(parts, &ContextPart::is_estimated));
}

TEST_CASE("a transcript records neither system prompt nor tools") {
  Transcript log;
  log.user("u", "go").answer("a", "m", says("done"), 9);
  const std::vector<ContextPart> parts = context_of_last(log.text());
  CHECK(has(parts, ContextPart::Kind::not_recorded));
  CHECK_FALSE(has(parts, ContextPart::Kind::system_prompt));
}

TEST_CASE("files of instructions that the client quotes are memory") {
  CallStory story;
  story.call("a")
      .system("Be brief.")
      .says("<system-reminder>Contents of CLAUDE.md: " + std::string(200, 'm') +
            "</system-reminder>")
      .tokens(300, 10);
  CHECK(has(context_of_last(story.log()), ContextPart::Kind::memory));
}

TEST_CASE("what was left out shrinks all parts, and they stay what was sent") {
  CallStory story;
  story.call("a").says("Read it.").uses("t1", "Read").tokens(1000, 100);
  story.call("b").after("a").reads("t1").uses("t2", "Read").tokens(5000, 100);
  story.call("c").after("b").reads("t2").tokens(2000, 100);
  const std::vector<ContextPart> parts = context_of_last(story.log());
  CHECK(sum_of(parts) == 2000);
  CHECK(std::ranges::all_of(parts, &ContextPart::is_estimated));
}
