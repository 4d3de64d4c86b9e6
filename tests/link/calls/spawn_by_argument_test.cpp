#include <catch2/catch.hpp>

#include "story.h"

using namespace xtrace;

TEST_CASE("a call that asks about a command belongs to the tool use that runs it") {
  CallStory story;
  story.call("p").uses("t1", "Bash", R"({"command": "rm -rf /tmp/build"})");
  story.call("h").says("Command: rm -rf /tmp/build\nOutput: \n").answers("<filepaths>");
  story.call("p2").after("p").reads("t1");
  CHECK(story.links() ==
        "p->h subagent_spawn 0.99 t1\n"
        "p->p2 continuation 1.00\n"
        "p->p2 tool_result 1.00 t1");
  CHECK(story.link_into("h", LinkKind::subagent_spawn).rule == Rule::tool_argument);
  CHECK(story.agents() ==
        "main: p p2\n"
        "helper: h");
}

TEST_CASE("the command may stand behind instructions, and be written as a list of words") {
  CallStory story;
  story.call("p").uses("t1", "shell", R"({"command": ["git", "push", "--force"]})");
  story.call("h").says("Is this command safe?\nCommand: git push --force");
  CHECK(story.links("subagent_spawn") == "p->h subagent_spawn 0.99 t1");
}

TEST_CASE("one command may be looked at more than once") {
  CallStory story;
  story.call("p").uses("t1", "Bash", R"({"command": "make"})");
  story.call("h").says("Is this safe?\nCommand: make");
  story.call("i").says("Command: make\nOutput: done");
  CHECK(story.links("subagent_spawn") ==
        "p->h subagent_spawn 0.99 t1\n"
        "p->i subagent_spawn 0.99 t1");
}

TEST_CASE("of two runs of a command, the one that goes on is asked about") {
  CallStory story;
  story.call("p").uses("t1", "Bash", R"({"command": "make"})");
  story.call("q").after("p").reads("t1").uses("t2", "Bash", R"({"command": "make"})");
  story.call("h").says("Command: make");
  story.call("r").after("q").reads("t2");
  CHECK(story.links("subagent_spawn") == "q->h subagent_spawn 0.99 t2");
  CHECK(story.rivals_of(story.link_into("h", LinkKind::subagent_spawn)) == "p 0.50");
}

TEST_CASE("two agents that run one command at once leave it open which was asked about") {
  CallStory story;
  story.call("p").at(0).uses("t1", "Bash", R"({"command": "make"})");
  story.call("q").at(0.5).uses("t2", "Bash", R"({"command": "make"})");
  story.call("h").at(2).says("Command: make");
  story.call("p2").after("p").at(4).reads("t1");
  story.call("q2").after("q").at(5).reads("t2");
  CHECK(story.links("subagent_spawn") == "q->h subagent_spawn 0.50 t2");
}

TEST_CASE("long after its result was read, a command is not what is asked about") {
  CallStory story;
  story.call("p").at(0).uses("t1", "Bash", R"({"command": "make"})");
  story.call("p2").after("p").at(3).reads("t1");
  story.call("h").at(90).says("Command: make");
  CHECK(story.links("subagent_spawn") == "");
}

TEST_CASE("another command is another matter") {
  CallStory story;
  story.call("p").uses("t1", "Bash", R"({"command": "make"})");
  story.call("h").says("Command: make install");
  CHECK(story.links() == "");
}
