#include <catch2/catch.hpp>

#include "story.h"

using namespace xtrace;

TEST_CASE("a subagent begins with the prompt of the tool use that started it") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "find the bug");
  story.call("c").says("find the bug").answers("found it");
  story.call("p2").after("p").reads("t1", "found it");
  CHECK(story.links() ==
        "p->c subagent_spawn 0.99 t1\n"
        "p->p2 continuation 1.00\n"
        "p->p2 tool_result 1.00 t1\n"
        "c->p2 subagent_report 0.99 t1");
  CHECK(story.agents() ==
        "main: p p2\n"
        "Explore: c");
}

TEST_CASE("the prompt may stand behind a reminder block") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "find the bug");
  story.call("c").reminds().says("find the bug");
  CHECK(story.links() == "p->c subagent_spawn 0.99 t1");
}

TEST_CASE("white space in the prompt is folded") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "find\n  the bug\n");
  story.call("c").says("  find the\tbug ");
  CHECK(story.links() == "p->c subagent_spawn 0.99 t1");
}

TEST_CASE("a prompt that is only part of the first message starts nothing") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "find the bug");
  story.call("c").says("find the bug, please");
  CHECK(story.links("subagent_spawn") == "");
}

TEST_CASE("the tool may be called Agent") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "find the bug", "Agent");
  story.call("c").says("find the bug");
  CHECK(story.links() == "p->c subagent_spawn 0.99 t1");
}

TEST_CASE("which tools start subagents can be told") {
  CallStory story;
  story.call("p").spawns("t1", "", "find the bug", "hand_over");
  story.call("q").spawns("t2", "", "fix the bug", "Task");
  story.call("c").says("find the bug");
  story.call("d").says("fix the bug");
  CHECK(story.links() == "q->d subagent_spawn 0.99 t2");
  story.spawn_tools({"hand_over"});
  story.call("e").at(1000);
  CHECK(story.links() == "p->c subagent_spawn 0.99 t1");
}

TEST_CASE("subagents started side by side are told apart by their prompts, in whatever order") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "one").spawns("t2", "Plan", "two");
  story.call("b").at(2.0).says("two");
  story.call("a").at(2.1).says("one");
  CHECK(story.links("subagent_spawn") ==
        "p->b subagent_spawn 0.99 t2\n"
        "p->a subagent_spawn 0.99 t1");
  CHECK(story.agents() ==
        "main: p\n"
        "Plan: b\n"
        "Explore: a");
}

TEST_CASE("twins of one answer are shared out one to one, and say so") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "same").spawns("t2", "Explore", "same");
  story.call("c1").at(10).says("same");
  story.call("c2").at(11).says("same").answers("other words");
  story.call("c3").at(12).says("same").answers("uninvited");
  CHECK(story.links() ==
        "p->c1 subagent_spawn 0.50 t1\n"
        "p->c2 subagent_spawn 0.50 t2");
  const Link& link = story.link_into("c1", LinkKind::subagent_spawn);
  CHECK(confidence_in_calls(link) == 0.99);  // whichever of the two it was, it came from p
  CHECK(story.rivals_of(link) == "p 0.50");
}

TEST_CASE("twins of different calls are shared out one to one: who asks first is served first") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "same");
  story.call("q").at(1).spawns("t2", "Explore", "same").says("another talk");
  story.call("c1").at(10).says("same");
  story.call("c2").at(11).says("same").answers("other words");
  CHECK(story.links() ==
        "p->c1 subagent_spawn 0.50 t1\n"
        "q->c2 subagent_spawn 0.50 t2");
  CHECK(story.rivals_of(story.link_into("c1", LinkKind::subagent_spawn)) == "q 0.50");
  CHECK(story.rivals_of(story.link_into("c2", LinkKind::subagent_spawn)) == "p 0.50");
}

TEST_CASE("a twin whose result was read before is not the one that starts now") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "same");
  story.call("q").at(0.5).spawns("t2", "Explore", "same").says("another talk");
  story.call("q2").at(5).after("q").reads("t2");
  story.call("c").at(10).says("same");
  CHECK(story.links("subagent_spawn") == "p->c subagent_spawn 0.99 t1");
}

TEST_CASE("a subagent in the background starts after its tool use was answered for, less surely") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "slow work");
  story.call("p2").at(2).after("p").reads("t1", "launched");
  story.call("c").at(5).says("slow work");
  CHECK(story.links("subagent_spawn") == "p->c subagent_spawn 0.80 t1");
}

TEST_CASE("a subagent never starts before it was asked for, nor for another user") {
  CallStory story;
  story.call("early").at(-10).says("find the bug");
  story.call("p").at(0).user("anna").spawns("t1", "Explore", "find the bug");
  story.call("other").at(5).user("bert").says("find the bug").answers("not hers");
  CHECK(story.links() == "");
}

TEST_CASE("subagents of subagents") {
  CallStory story;
  story.call("p").spawns("t1", "Plan", "plan it");
  story.call("c").says("plan it").spawns("t2", "Explore", "look around");
  story.call("d").says("look around");
  CHECK(story.links() ==
        "p->c subagent_spawn 0.99 t1\n"
        "c->d subagent_spawn 0.99 t2");
}

TEST_CASE("a later turn of a subagent is no start of it") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "find the bug");
  story.call("c").says("find the bug").uses("r1", "Grep");
  story.call("c2").after("c").reads("r1");
  CHECK(story.links("subagent_spawn") == "p->c subagent_spawn 0.99 t1");
}

TEST_CASE("a subagent whose first calls are not on record is found by the root of its history") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "find the bug");
  story.call("c").says("find the bug").unlogged();
  story.call("c2").after("c").says("more");
  CHECK(story.links() == "p->c2 subagent_spawn 0.99 t1");
}

TEST_CASE("a retried start of a subagent starts it once") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "find the bug");
  story.call("c").says("find the bug").fails("overloaded_error");
  story.call("c2").again("c");
  CHECK(story.links() ==
        "p->c subagent_spawn 0.99 t1\n"
        "c->c2 retry 1.00 attempt 2");
}

TEST_CASE("a resumed subagent goes on with the instance it was") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "find the bug");
  story.call("c").says("find the bug").answers("it is in the parser");
  story.call("p2").after("p").reads("t1", "it is in the parser\nagentId: a1f8104 (for resuming)");
  Told& p3 = story.call("p3").after("p2").resumes("t2", "a1f8104", "Explore", "now mend it");
  story.call("c2").after("c").says("now mend it");
  CHECK(p3.name() == "p3");
  CHECK(story.links("subagent_spawn") ==
        "p->c subagent_spawn 0.99 t1\n"
        "p3->c2 subagent_spawn 0.99 t2 resumed");
  CHECK(story.link_into("c2", LinkKind::continuation).from ==
        story.link_into("c", LinkKind::subagent_spawn).to);
  CHECK(story.agents() ==
        "main: p p2 p3\n"
        "Explore: c c2");
}

TEST_CASE("a resumed subagent is found though its earlier conversation is missing") {
  CallStory story;
  story.call("c").says("find the bug").unlogged();
  story.call("p").resumes("t2", "a1f8104", "Explore", "now mend it");
  story.call("c2").after("c").says("now mend it");
  CHECK(story.links() == "p->c2 subagent_spawn 0.99 t2 resumed");
}

TEST_CASE(
    "a resumed subagent is not taken for the first start, though that one's calls are missing") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "find the bug");
  story.call("c").says("find the bug").unlogged();
  story.call("p2").after("p").reads("t1").resumes("t2", "a1f8104", "Explore", "now mend it");
  story.call("c2").after("c").says("now mend it");
  CHECK(story.links("subagent_spawn") == "p2->c2 subagent_spawn 0.99 t2 resumed");
}

TEST_CASE("a log that names the tool use leaves no doubt") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "same").spawns("t2", "Explore", "same");
  story.call("c1").says("same").spawned_by("t2");
  story.call("c2").says("same").spawned_by("t1").answers("other words");
  CHECK(story.links() ==
        "p->c1 subagent_spawn 1.00 t2\n"
        "p->c2 subagent_spawn 1.00 t1");
}

TEST_CASE("only the first call of a subagent is linked, though all of them name the tool use") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "look");
  story.call("c").says("look").spawned_by("t1").uses("r1", "Grep");
  story.call("c2").after("c").reads("r1").spawned_by("t1");
  CHECK(story.links("subagent_spawn") == "p->c subagent_spawn 1.00 t1");
}

TEST_CASE("a tool use that lost its id starts its subagent by the history's word") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "find the bug").loses_ids();
  story.call("c").at(5).says("find the bug");
  story.call("p2").at(20).after("p").reads("t1");
  CHECK(story.links("subagent_spawn") == "p->c subagent_spawn 0.99 t1");
}

TEST_CASE("without the prompt, the next subagent of the type is a guess") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "find the bug");
  story.call("c").at(3).agent("Explore").says("in other words");
  CHECK(story.links() == "p->c subagent_spawn 0.95 t1");
  CHECK(story.link_into("c", LinkKind::subagent_spawn).rule == Rule::type_and_time);
}

TEST_CASE("a guess is worth less the longer it took") {
  CallStory story;
  story.call("p").at(0).took(1).session("s").spawns("t1", "Explore", "find the bug");
  SECTION("half an hour and six minutes") {
    story.call("c").at(1 + 36 * 60).session("s").agent("Explore").says("in other words");
    CHECK(story.links() == "p->c subagent_spawn 0.92 t1");
  }
  SECTION("an hour") {
    story.call("c").at(1 + 3600).session("s").agent("Explore").says("in other words");
    CHECK(story.links() == "p->c subagent_spawn 0.90 t1");
  }
  SECTION("longer than an hour is no guess") {
    story.call("c").at(2 + 3600).session("s").agent("Explore").says("in other words");
    CHECK(story.links() == "");
  }
}

TEST_CASE("a guess is worth less with every rival, and takes the nearest") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "find the bug");
  story.call("c1").at(3).agent("Explore").says("one");
  story.call("c2").at(4).agent("Explore").says("two");
  story.call("c3").at(5).agent("Explore").says("three");
  CHECK(story.links() == "p->c1 subagent_spawn 0.90 t1");
  CHECK(story.link_into("c1", LinkKind::subagent_spawn).rivals == 2);
}

TEST_CASE("two tool uses guess two subagents") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "one").spawns("t2", "Explore", "two");
  story.call("c1").at(3).agent("Explore").says("in other words");
  story.call("c2").at(4).agent("Explore").says("in still other words");
  CHECK(story.link_into("c1", LinkKind::subagent_spawn).tool_use !=
        story.link_into("c2", LinkKind::subagent_spawn).tool_use);
  CHECK(story.graph().links().size() == 2);
}

TEST_CASE("a guess keeps to the type, the session and the user") {
  CallStory story;
  story.call("p").at(0).user("anna").session("s").spawns("t1", "Explore", "find the bug");
  SECTION("another type") {
    story.call("c").agent("Plan").user("anna").session("s");
  }
  SECTION("another session") {
    story.call("c").agent("Explore").user("anna").session("z");
  }
  SECTION("another user") {
    story.call("c").agent("Explore").user("bert");
  }
  SECTION("no type known") {
    story.call("c").user("anna").session("s");
  }
  CHECK(story.links() == "");
}

TEST_CASE("nothing is guessed once the result was read") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "find the bug");
  story.call("p2").at(5).after("p").reads("t1");
  story.call("c").at(8).agent("Explore").says("in other words");
  CHECK(story.links("subagent_spawn") == "");
}

TEST_CASE("a proven start is never guessed a second time") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "find the bug");
  story.call("c1").at(3).agent("Explore").says("find the bug");
  story.call("c2").at(4).agent("Explore").says("in other words");
  CHECK(story.links() == "p->c1 subagent_spawn 0.99 t1");
}

TEST_CASE("a system prompt learnt from one subagent tells the type of the next") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "one").spawns("t2", "Explore", "two");
  story.call("c1").at(3).system("You explore.").says("one");
  story.call("c2").at(4).system("You explore.").says("in other words");
  CHECK(story.links() ==
        "p->c1 subagent_spawn 0.99 t1\n"
        "p->c2 subagent_spawn 0.95 t2");
}

TEST_CASE("prompts with quotes, backslashes and heredocs are found") {
  CallStory story;
  const char* prompt = "run `grep \"a\\b\" 2> /dev/null` and\ncat <<'EOT'\n$x\nEOT\n";
  story.call("p").spawns("t1", "Bash", prompt);
  story.call("c").says(prompt);
  CHECK(story.links() == "p->c subagent_spawn 0.99 t1");
}

TEST_CASE("of two tool uses that would fit, a guess takes the nearest and names the other") {
  CallStory story;
  story.call("p").at(0).session("s").spawns("t1", "Explore", "one");
  story.call("q").at(60).session("s").says("another talk").spawns("t2", "Explore", "two");
  story.call("c").at(63).session("s").agent("Explore").says("in other words");
  CHECK(story.links().starts_with("q->c subagent_spawn 0.9"));
  CHECK(story.rivals_of(story.link_into("c", LinkKind::subagent_spawn)).starts_with("p "));
}

TEST_CASE("of twins the result of the tool use tells which subagent it started") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "same").spawns("t2", "Explore", "same");
  story.call("c1").at(3).says("same").answers("the second answer");
  story.call("c2").at(4).says("same").answers("the first answer");
  story.call("p2")
      .at(9)
      .after("p")
      .reads("t1", "the first answer")
      .reads("t2", "the second answer");
  CHECK(story.links("subagent_spawn") ==
        "p->c1 subagent_spawn 0.99 t2\n"
        "p->c2 subagent_spawn 0.99 t1");
  CHECK(story.links("subagent_report") ==
        "c1->p2 subagent_report 0.99 t2\n"
        "c2->p2 subagent_report 0.99 t1");
}

TEST_CASE("a subagent whose prompt was rewritten is known by what it said in the end") {
  CallStory story;
  story.call("p").at(0).session("s").spawns("t1", "Explore", "look");
  story.call("c").at(3).session("s").says("in other words").answers("nine boxes");
  story.call("p2").at(9).session("s").after("p").reads("t1", "nine boxes");
  CHECK(story.links("subagent_spawn") == "p->c subagent_spawn 0.95 t1");
  CHECK(story.link_into("c", LinkKind::subagent_spawn).rule == Rule::result_text);
}

TEST_CASE("types of agents are the same however they are written") {
  CallStory story;
  story.call("p").at(0).session("s").spawns("t1", "general-purpose", "look");
  story.call("c").at(3).session("s").agent("General Purpose").says("in other words");
  CHECK(story.links("subagent_spawn").starts_with("p->c subagent_spawn 0.9"));
}

TEST_CASE("a subagent reports to the call that reads its result, not before it has ended") {
  CallStory story;
  story.call("p").at(0).took(1).spawns("t1", "Explore", "look");
  story.call("c").at(2).took(20).says("look").answers("found it");
  story.call("p2").at(5).took(1).after("p").reads("t1", "works in the background");
  CHECK(story.links("subagent_spawn") == "p->c subagent_spawn 0.99 t1");
  CHECK(story.links("subagent_report") == "");
}

TEST_CASE("a result that is an error is not the report of a subagent that was stopped") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "look");
  story.call("c").at(2).says("look").uses("r1", "Read");
  story.call("p2").at(9).after("p").reads_error("t1");
  CHECK(story.links("subagent_report") == "");
}

TEST_CASE("who begins with the prompt of a tool use that was refused was not started by it") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "look");
  story.call("p2").at(3).after("p").reads_error("t1");
  story.call("c").at(60).says("look");
  CHECK(story.links("subagent_spawn") == "");
}

TEST_CASE("a prompt that is given again on another day starts nothing the day before") {
  constexpr double kDay = 24 * 3600;
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "look");
  SECTION("its tool use was answered") {
    story.call("p2").at(9).after("p").reads("t1");
  }
  SECTION("nobody answered it") {}
  story.call("c").at(kDay).says("look");
  CHECK(story.links("subagent_spawn") == "");
  CHECK(story.graph().sessions().size() == 2);
}

TEST_CASE("a prompt that is given again hours later starts nothing where no session is told") {
  const auto starts = [](double seconds) {
    CallStory story;
    story.call("p").at(0).spawns("t1", "Explore", "look");
    story.call("c").at(seconds).says("look");
    return story.links("subagent_spawn");
  };
  CHECK(starts(50 * 60) != "");
  CHECK(starts(70 * 60) == "");
}

TEST_CASE("what took long to start is the subagent of a tool use that still waited for it") {
  constexpr double kHour = 3600;
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "look");
  story.call("c").at(3 * kHour).says("look").answers("nine boxes");
  story.call("p2").at(4 * kHour).after("p").reads("t1", "nine boxes");
  CHECK(story.links("subagent_spawn") == "p->c subagent_spawn 0.99 t1");
}

TEST_CASE("what an agent of another type says in the end is no word of the subagent") {
  CallStory story;
  story.call("p").at(0).session("s").spawns("t1", "test-fixer", "mend the tests");
  story.call("x").at(3).session("s").agent("smart-home").says("lights off").answers("Done.");
  story.call("p2").at(9).session("s").after("p").reads("t1", "Done.");
  CHECK(story.links("subagent_spawn") == "");
  CHECK(story.links("subagent_report") == "");
}

TEST_CASE("what two say in the end tells less of which was the subagent") {
  CallStory story;
  story.call("p").at(0).session("s").spawns("t1", "test-fixer", "mend the tests");
  story.call("x").at(3).session("s").says("lights off").answers("Done.");
  story.call("y").at(5).session("s").says("doors shut").answers("Done.");
  story.call("p2").at(9).session("s").after("p").reads("t1", "Done.");
  CHECK(story.links("subagent_spawn") == "p->x subagent_spawn 0.48 t1");
}
