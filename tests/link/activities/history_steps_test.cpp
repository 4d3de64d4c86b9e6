#include "link/activities/history_steps.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <functional>

#include "ledger_log.h"
#include "story.h"

using namespace xtrace;

namespace {

/// The steps as words: `told 1`, `read t2`, `failed t1`.
std::string words(const Graph& graph, const std::vector<HistoryStep>& steps) {
  std::string text;
  for (const HistoryStep& step : steps) {
    text += text.empty() ? "" : ", ";
    if (step.kind == HistoryStep::Kind::prompt)
      text += fmt::format("{} {}", step.has_no_words ? "went on" : "told", step.turn.number);
    else if (step.kind == HistoryStep::Kind::answer)
      text += step.failed() ? "failed" : step.has_no_result() ? "unanswered" : "answered";
    else
      text += fmt::format("{}{} {}", step.failed() ? "failed, " : "", word(step.deed),
                          graph.trace()[step.use()->id]);
  }
  return text;
}

std::string steps_with_file(CallStory& story, const std::string& path) {
  const Graph& graph = story.graph();
  return words(graph, find_steps_with(graph, graph.sessions().front(),
                                      std::vector<std::string>{"resource:file:" + path}));
}

constexpr const char* kFile = R"({"file_path": "/a.cpp"})";

}  // namespace

TEST_CASE("an edit comes with the user's turn, what failed before, and the file that was read") {
  CallStory story;
  story.call("a").at(0).took(1).says("mend it").uses("t1", "Bash", R"({"command": "make test"})");
  story.call("b").at(5).took(1).after("a").reads_error("t1").uses("t2", "Read", kFile);
  story.call("c").at(10).took(1).after("b").reads("t2").uses("t3", "Edit", kFile);
  story.call("d").at(15).took(1).after("c").reads("t3").answers("mended");
  CHECK(steps_with_file(story, "/a.cpp") == "told 1, failed, ran t1, read t2, edited t3");
  CHECK(steps_with_file(story, "/b.cpp").empty());
}

TEST_CASE("a patch is a step of each file that it changes, also where a shell applies it") {
  constexpr const char* kPatch =
      R"({"input": "*** Begin Patch\n*** Add File: /b.cpp\n*** Update File: /a.cpp"})";
  constexpr const char* kShell =
      R"({"command": "apply_patch <<E\n*** Begin Patch\n*** Add File: /c\n*** Delete File: /a.cpp"})";
  CallStory story;
  story.call("a").at(0).took(1).says("mend it").uses("t1", "Bash", R"({"command": "make test"})");
  story.call("b").at(5).took(1).after("a").reads_error("t1").uses("t2", "apply_patch", kPatch);
  story.call("c").at(10).took(1).after("b").reads("t2").uses("t3", "Bash", kShell);
  story.call("d").at(15).took(1).after("c").reads("t3").answers("mended");
  CHECK(steps_with_file(story, "/a.cpp") == "told 1, failed, ran t1, edited t2, edited t3");
  CHECK(steps_with_file(story, "/b.cpp") == "told 1, failed, ran t1, edited t2");
  CHECK(steps_with_file(story, "/c") == "told 1, failed, ran t1, edited t3");
  const Graph& graph = story.graph();
  const std::vector<HistoryStep> steps = find_steps_with(
      graph, graph.sessions().front(), std::vector<std::string>{"resource:file:/a.cpp"});
  CHECK(graph.trace()[steps.back().target] == "/a.cpp");
}

TEST_CASE("a shell that patches one file and runs something is why another is changed") {
  constexpr const char* kShell =
      R"({"command": "apply_patch <<E\n*** Begin Patch\n*** Add File: /c\nE\nmake test"})";
  CallStory story;
  story.call("a").at(0).took(1).says("mend it").uses("t1", "Bash", R"({"command": "ls"})");
  story.call("b").at(5).took(1).after("a").reads("t1").uses("t2", "Bash", kShell);
  story.call("c").at(10).took(1).after("b").reads("t2").uses("t3", "Edit", kFile);
  story.call("d").at(15).took(1).after("c").reads("t3").answers("mended");
  CHECK(steps_with_file(story, "/a.cpp") == "told 1, ran t2, edited t3");
}

TEST_CASE("where nothing failed, the command that was run last stands before an edit") {
  CallStory story;
  story.call("a").at(0).took(1).says("mend it").uses("t1", "Bash", R"({"command": "ls"})");
  story.call("b").at(5).took(1).after("a").reads("t1").uses("t2", "Bash", R"({"command": "make"})");
  story.call("c").at(10).took(1).after("b").reads("t2").uses("t3", "Edit", kFile);
  story.call("d").at(15).took(1).after("c").reads("t3").uses("t4", "Edit", kFile);
  CHECK(steps_with_file(story, "/a.cpp") == "told 1, ran t2, edited t3, edited t4");
}

TEST_CASE("an edit was made for what its own agent knew, and not for what another one saw later") {
  CallStory story;
  constexpr const char* kTest = R"({"command": "make test"})";
  story.call("m")
      .at(0)
      .took(1)
      .says("mend it")
      .spawns("s1", "fixer", "mend")
      .spawns("s2", "shipper", "ship");
  story.call("a").at(3).took(1).says("mend").uses("t1", "Bash", kTest);
  story.call("x").at(3).took(1).says("ship").uses("t9", "Bash", R"({"command": "ship"})");
  story.call("b").at(8).took(1).after("a").reads_error("t1").uses("t2", "Edit", kFile);
  story.call("y").at(30).took(1).after("x").reads_error("t9").answers("not shipped");
  story.call("c").at(32).took(1).after("b").reads("t2").answers("mended");
  CHECK(steps_with_file(story, "/a.cpp") ==
        "told 1, started s1, told 1, failed, ran t1, edited t2");
}

TEST_CASE("what subagents did comes with who started each, and its task, the turn's words first") {
  CallStory story;
  story.call("m")
      .at(0)
      .took(1)
      .says("build it")
      .spawns("s1", "page", "make the page")
      .spawns("s2", "form", "make the form");
  story.call("a").at(2).took(1).says("make the page").uses("t1", "Write", kFile);
  story.call("x").at(3).took(1).says("make the form").uses("t2", "Read", kFile);
  story.call("b").at(4).took(1).after("a").reads("t1").uses("t3", "Edit", kFile);
  story.call("y").at(5).took(1).after("x").reads("t2").uses("t4", "Edit", kFile);
  CHECK(steps_with_file(story, "/a.cpp") ==
        "told 1, started s1, started s2, told 1, wrote t1, told 1, read t2, edited t3, edited t4");
}

TEST_CASE("a subagent's run of a tool comes of its task and of what it did before, not of others") {
  CallStory story;
  constexpr const char* kTest = R"({"command": "make test"})";
  story.call("m").at(0).took(1).says("build it").uses("t0", "Bash", kTest);
  story.call("n")
      .at(3)
      .took(1)
      .after("m")
      .reads("t0")
      .spawns("s1", "page", "make it")
      .spawns("s2", "form", "make the form");
  story.call("a").at(5).took(1).says("make it").uses("t1", "Write", kFile);
  story.call("x").at(5).took(1).says("make the form").uses("t2", "Bash", kTest);
  story.call("b").at(7).took(1).after("a").reads("t1").uses("t3", "Bash", kTest);
  const Graph& graph = story.graph();
  const Conversation& page = graph.conversation_of(graph.timeline().in_order().back());
  CHECK(words(graph, list_steps_up_to(graph, page.calls)) ==
        "told 1, started s1, told 1, wrote t1, ran t3");
}

TEST_CASE("what failed is no reason any more once the same command went well") {
  CallStory story;
  constexpr const char* kTest = R"({"command": "make test"})";
  story.call("a").at(0).took(1).says("mend it").uses("t1", "Bash", kTest);
  story.call("b").at(5).took(1).after("a").reads_error("t1").uses("t2", "Bash", kTest);
  story.call("c").at(10).took(1).after("b").reads("t2").uses("t3", "Edit", kFile);
  story.call("d").at(15).took(1).after("c").reads("t3").answers("done");
  CHECK(steps_with_file(story, "/a.cpp") == "told 1, ran t2, edited t3");
}

TEST_CASE("what an answer asks for beside an edit is no reason of it, and hides none") {
  CallStory story;
  constexpr const char* kTest = R"({"command": "make test"})";
  constexpr const char* kLint = R"({"command": "make lint"})";
  story.call("a").at(0).took(1).says("mend it").uses("t1", "Bash", kTest);
  story.call("b")
      .at(5)
      .took(1)
      .after("a")
      .reads_error("t1")
      .uses("t2", "Bash", kLint)
      .uses("t3", "Edit", kFile);
  story.call("c").at(10).took(1).after("b").reads_error("t2").reads("t3").uses("t4", "Edit", kFile);
  story.call("d").at(15).took(1).after("c").reads("t4").answers("done");
  CHECK(steps_with_file(story, "/a.cpp") ==
        "told 1, failed, ran t1, edited t3, failed, ran t2, edited t4");
}

TEST_CASE("what failed counts in the turn that is told of it") {
  CallStory story;
  story.call("a").at(0).took(1).says("test it").uses("t1", "Bash", R"({"command": "make test"})");
  story.call("b")
      .at(5)
      .took(1)
      .after("a")
      .reads_error("t1")
      .says("and the docs")
      .uses("t2", "Edit", kFile);
  story.call("c").at(10).took(1).after("b").reads("t2").answers("done");
  const std::string steps = steps_with_file(story, "/a.cpp");
  CHECK(steps.find("failed, ran t1, edited t2") != std::string::npos);
}

TEST_CASE("a page that was not found is no reason where tests were run since") {
  CallStory story;
  story.call("a").at(0).took(1).says("mend it").uses("t1", "WebFetch", R"({"url": "http://a/b"})");
  story.call("b").at(5).took(1).after("a").reads_error("t1").uses("t2", "Bash",
                                                                  R"({"command": "make"})");
  story.call("c").at(10).took(1).after("b").reads("t2").uses("t3", "Edit", kFile);
  story.call("d").at(15).took(1).after("c").reads("t3").answers("done");
  CHECK(steps_with_file(story, "/a.cpp") == "told 1, ran t2, edited t3");
}

TEST_CASE("of an edit without a result nothing tells that it was done") {
  CallStory story;
  story.call("a").at(0).took(1).says("mend it").uses("t1", "Edit", kFile);
  const Graph& graph = story.graph();
  const auto steps = find_steps_with(graph, graph.sessions().front(),
                                     std::vector<std::string>{"resource:file:/a.cpp"});
  REQUIRE(steps.size() == 2);
  CHECK(steps[1].has_no_result());
}

TEST_CASE("of an agent the task, each tool and the last words are told") {
  CallStory story;
  story.call("a").at(0).took(1).says("look").uses("t1", "Grep");
  story.call("b").at(5).took(1).after("a").reads("t1").uses("t2", "Read", kFile).uses("t3", "Glob");
  story.call("c").at(10).took(1).after("b").reads("t2").reads("t3").answers("found");
  const Graph& graph = story.graph();
  CHECK(words(graph, list_steps(graph, graph.conversations().front().calls)) ==
        "told 1, searched t1, read t2, searched t3, answered");
}

TEST_CASE("of an agent whose last call failed nobody says that it answered") {
  const auto end = [](const std::function<void(Told&)>& how) {
    CallStory story;
    how(story.call("a").at(0).took(1).says("look"));
    const Graph& graph = story.graph();
    return words(graph, list_steps(graph, graph.conversations().front().calls));
  };
  CHECK(end([](Told& call) { call.fails("overloaded_error"); }) == "told 1, failed");
  CHECK(end([](Told& call) { call.gets_no_answer(); }) == "told 1, unanswered");
}

TEST_CASE("tools of any agent are told by what they do") {
  CHECK(deed_of("read_file") == Deed::read);
  CHECK(deed_of("Read") == Deed::read);
  CHECK(deed_of("apply_patch") == Deed::edited);
  CHECK(deed_of("write_to_file") == Deed::wrote);
  CHECK(deed_of("run_shell_command") == Deed::ran);
  CHECK(deed_of("deploy") == Deed::used);
}

TEST_CASE("of a turn that no words of a user are on record for nobody says that it was told any") {
  LedgerLog log;
  log.user("go").call("a", 0, 1, {}).call("b", 9, 10, {}, "t1");
  const Graph graph = log.graph();
  const Conversation& only = graph.conversations().front();
  CHECK(words(graph, list_steps(graph, only.calls)) == "told 1, ran t1");
  CHECK(words(graph, list_steps_up_to(graph, std::span(only.calls).last(1))) ==
        "went on 2, ran t1");
}

TEST_CASE("a tool that searches the web opens a page if it is given one") {
  CallStory story;
  constexpr const char* kPage = R"({"type": "open_page", "url": "https://a.example/b"})";
  story.call("a")
      .at(0)
      .took(1)
      .says("look")
      .uses("t1", "web_search", R"({"query": "b"})")
      .uses("t2", "web_search", kPage);
  const Graph& graph = story.graph();
  CHECK(words(graph, list_steps(graph, graph.conversations().front().calls)) ==
        "told 1, searched t1, opened t2");
}
