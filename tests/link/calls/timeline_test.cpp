#include "link/calls/timeline.h"

#include <catch2/catch.hpp>

#include "reading.h"
#include "story.h"
#include "transcript.h"

using namespace xtrace;

TEST_CASE("calls stand in the order of their starts, whatever the order of the lines") {
  CallStory story;
  story.call("c").at(3);
  story.call("a").at(1);
  story.call("b").at(2);
  CHECK(story.ids() == "a b c");
}

TEST_CASE("at one moment, the order of the lines decides") {
  CallStory story;
  story.call("x").at(1);
  story.call("a").at(1);
  CHECK(story.ids() == "x a");
}

TEST_CASE("at one moment, who starts a subagent stands before it if an id says so") {
  CallStory story;
  story.call("below").at(1).spawned_by("t2").says("dig");
  story.call("sub").at(1).spawned_by("t1").says("look").uses("t2", "Task");
  story.call("main").at(1).uses("t1", "Task");
  CHECK(story.ids() == "main sub below");
  CHECK(story.links("subagent_spawn") ==
        "main->sub subagent_spawn 1.00 t1\n"
        "sub->below subagent_spawn 1.00 t2");
}

TEST_CASE("at one moment, a subagent's calls stay before the one that reads its report") {
  CallStory story;
  story.call("main").at(1).uses("t1", "Task");
  story.call("sub").at(1).spawned_by("t1").says("look").uses("t2", "Read");
  story.call("untimed").without_time().says("look").uses("t3", "Read");
  story.call("reader").at(1).says("go on");
  CHECK(story.ids() == "main sub untimed reader");
}

TEST_CASE("of calls that name each other as their subagents none is left out") {
  CallStory story;
  story.call("a").at(1).spawned_by("t2").says("dig").uses("t1", "Task");
  story.call("b").at(1).spawned_by("t1").says("look").uses("t2", "Task");
  CHECK(story.ids() == "b a");
}

TEST_CASE("a call without a time stands behind the line before it") {
  CallStory story;
  story.call("a").at(1);
  story.call("b").without_time();
  story.call("c").at(100);
  story.call("first").at(0);
  CHECK(story.ids() == "first a b c");
}

TEST_CASE("in a transcript a call stands behind what it goes on from, whatever the clock says") {
  const Graph graph = link(read_log(Transcript()
                                        .at(20)
                                        .user("u1", "go")
                                        .answer("a1", "m1", uses("t1", "Read"))
                                        .result("r1", "t1")
                                        .answer("a2", "m2", uses("t2", "Edit"))
                                        .at(3)
                                        .result("r2", "t2")
                                        .answer("a3", "m3", says("done"))
                                        .text()),
                           {});
  CHECK(ids_of(graph) == "req_m1 req_m2 req_m3");
  CHECK(links_of(graph) ==
        "req_m1->req_m2 continuation 1.00\n"
        "req_m1->req_m2 tool_result 1.00 t1\n"
        "req_m2->req_m3 continuation 0.99\n"
        "req_m2->req_m3 tool_result 0.99 t2");
  const Link& back = graph.links().back();
  CHECK(graph.starts_before_cause(back));
  CHECK_FALSE(graph.against_the_clock(back));
}

TEST_CASE("links that agree with the clock are no reason to warn") {
  CallStory story;
  story.call("a").uses("t1", "Read");
  story.call("b").after("a").reads("t1");
  CHECK(story.clock() == "");
}

TEST_CASE("a history is believed against the clock, a prompt is not") {
  CallStory story;
  story.call("c").at(0).says("look");
  story.call("p").at(50).spawns("t1", "Explore", "look");
  story.call("b").at(10).after("p").says("go on");
  CHECK(story.links() == "p->b continuation 0.99");
  CHECK(story.clock() == "p->b");
}
