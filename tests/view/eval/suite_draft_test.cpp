#include <catch2/catch.hpp>

#include "set.h"
#include "view/eval/judged.h"

using namespace xtrace;

namespace {

std::string draft_of(const Graph& graph, Door::Level level = Door::Level::basic) {
  Eval eval;
  Set options(std::multimap<std::string, std::string>{{"--init", ""}});
  eval.declare(options);
  Door door(RedactPolicy(Redaction::all), level, 200);
  std::unique_ptr<const Payloads> payloads = file_payloads(graph.trace());
  Question question{graph, door, Face::outline, payloads.get()};
  Result<Document> answer = eval.answer(question);
  REQUIRE(answer);
  std::ostringstream out;
  write_text(*answer, {}, out);
  return out.str();
}

Suite suite_in(const std::string& text) {
  Folder folder;
  Result<Suite> suite = read_suite(folder.write("s.yaml", text));
  if (!suite) FAIL(suite.error().what << "\n" << text);
  return *std::move(suite);
}

/// A session whose calls use these tools on `file`, one after the other.
void add_session(CallStory& story, const std::string& id, const std::vector<std::string>& tools,
                 const std::string& file) {
  std::string before, use;
  for (size_t i = 0; i <= tools.size(); ++i) {
    const std::string name = id + std::to_string(i);
    auto& call = story.call(name).session(id).says("go " + id);
    if (!before.empty()) call.after(before).reads(use);
    use = "t" + name;
    if (i < tools.size())
      call.uses(use, tools[i], R"({"file_path": ")" + file + R"(", "limit": 3})");
    else
      call.answers("done");
    before = name;
  }
}

}  // namespace

TEST_CASE("a suite of what runs did is passed by them, and names what another one does else") {
  Kept kept(two_tools());
  CallStory other;
  other.call("a").says("go").uses("t1", "Read", R"({"path": "z.txt", "depth": 3})");
  other.call("b").after("a").reads("t1").answers("done");
  for (Door::Level level : {Door::Level::basic, Door::Level::full}) {
    const std::string text = draft_of(kept.graph, level);
    CHECK(text == draft_of(kept.graph, level));
    CHECK(says(text, "x.txt") == (level == Door::Level::full));
    const Suite suite = suite_in(text);
    CHECK(says(verdicts(kept.graph, suite), "1 of 1 scenario passed"));
    const std::string differs = verdicts(Kept(other).graph, suite);
    CHECK(says(differs, "missing: Write"));
    if (level == Door::Level::full) CHECK(says(differs, "argument path of Read is not 'x.txt'"));
  }
}

TEST_CASE("a suite of several sessions expects what all of them did, in the order that held") {
  CallStory story;
  add_session(story, "s1", {"Glob", "Read", "Edit", "Read"}, "/a");
  add_session(story, "s2", {"Read", "Glob", "Edit", "Bash", "Edit"}, "/b");
  add_session(story, "s3", {"Read", "Edit", "Glob", "Bash"}, "/c");
  Kept kept(story);
  const std::string text = draft_of(kept.graph);
  CHECK(says(text, "A suite that 3 recorded sessions passed"));
  CHECK(says(text, "match: {session: \"*\"}"));
  CHECK(says(text, "order: contains-any-order"));
  CHECK(says(text, "{tool: \"Edit\", by: \"Read\", same_target: true}"));
  CHECK_FALSE(says(text, "by: \"Glob\""));
  CHECK_FALSE(says(text, "- \"Bash\""));
  CHECK(says(text, "used in most of the 3 sessions: Bash (2)"));
  // Five tool uses are the most, and half as many again are allowed.
  CHECK(says(text, "tool_calls: 8"));
  const Suite suite = suite_in(text);
  CHECK(says(verdicts(kept.graph, suite), "1 of 1 scenario passed"));

  CallStory blind;
  add_session(blind, "s4", {"Glob", "Edit", "Read"}, "/a");
  CHECK(says(verdicts(Kept(blind).graph, suite), "came before any Read of the same target"));
  CallStory endless;
  add_session(endless, "s5",
              {"Glob", "Read", "Edit", "Read", "Read", "Read", "Read", "Read", "Read"}, "/a");
  CHECK(says(verdicts(Kept(endless).graph, suite), "tool_calls: 9 (at most 8 allowed)"));
}

TEST_CASE("tools that came in one order in all sessions are expected in it") {
  CallStory story;
  add_session(story, "s1", {"Glob", "Read", "Edit"}, "/a");
  add_session(story, "s2", {"Glob", "Glob", "Read", "Grep", "Edit"}, "/b");
  const std::string text = draft_of(Kept(story).graph, Door::Level::full);
  CHECK(says(text, "order: contains-in-order"));
  // What never differed is expected at level full.
  CHECK(says(text, "\"limit\": \"3\""));
  CHECK_FALSE(says(text, "\"/a\""));
  CHECK(says(verdicts(Kept(story).graph, suite_in(text)), "1 of 1 scenario passed"));
}

TEST_CASE("a limit on what some sessions do not record is a comment") {
  CallStory story;
  story.call("a").session("s1").says("go").model("claude-sonnet-4-5").tokens(1000, 10).answers("x");
  story.call("b").session("s2").says("go on").model("unheard-of").tokens(500, 10).answers("y");
  const Kept kept(story);
  const std::string text = draft_of(kept.graph);
  CHECK(says(text, "# cost_usd: "));
  CHECK(says(text, "not fully recorded in 1 of 2 sessions"));
  CHECK(says(text, "      tokens: 1600"));
  CHECK(says(verdicts(kept.graph, suite_in(text)), "1 of 1 scenario passed"));
}
