#include <catch2/catch.hpp>

#include "story.h"

using namespace xtrace;

TEST_CASE("a result leads from the call that asked for it to the one that reads it") {
  CallStory story;
  story.call("a").says("hi").uses("t1", "Read");
  story.call("b").after("a").reads("t1");
  CHECK(story.links() ==
        "a->b continuation 1.00\n"
        "a->b tool_result 1.00 t1");
}

TEST_CASE("a history that repeats a result makes no further links") {
  CallStory story;
  story.call("a").uses("t1", "Read");
  story.call("b").after("a").reads("t1").uses("t2", "Grep");
  story.call("c").after("b").reads("t2");
  story.call("d").after("c").says("and now?");
  CHECK(story.links("tool_result") ==
        "a->b tool_result 1.00 t1\n"
        "b->c tool_result 1.00 t2");
  CHECK(story.link_into("b", LinkKind::tool_result).repeats == 2);
  CHECK(story.link_into("c", LinkKind::tool_result).repeats == 1);
}

TEST_CASE("a conversation of many turns has one link a turn") {
  CallStory story;
  constexpr int kTurns = 60;
  for (int i = 0; i < kTurns; ++i) {
    Told& told = story.call("c" + std::to_string(i)).uses("t" + std::to_string(i), "Read");
    if (i > 0) told.after("c" + std::to_string(i - 1)).reads("t" + std::to_string(i - 1));
  }
  size_t results = 0;
  for (const Link& link : story.graph().links())
    if (link.kind == LinkKind::tool_result) ++results;
  CHECK(results == kTurns - 1);  // and not the 1770 of all pairs
  CHECK(story.graph().links().size() == 2 * results);
}

TEST_CASE("several tools of one answer are read one by one") {
  CallStory story;
  story.call("a").uses("t1", "Read").uses("t2", "Read").uses("t3", "Bash");
  story.call("b").after("a").reads("t1").reads_error("t2").reads("t3");
  CHECK(story.links("tool_result") ==
        "a->b tool_result 1.00 t1\n"
        "a->b tool_result 1.00 t2 error\n"
        "a->b tool_result 1.00 t3");
}

TEST_CASE("latency is what the tool took: from the end of the asking to the start of the reading") {
  CallStory story;
  story.call("a").at(0).took(2).uses("t1", "Bash");
  story.call("b").at(5.5).after("a").reads("t1");
  CHECK(story.link_into("b", LinkKind::tool_result).gap == std::chrono::milliseconds(3500));
}

TEST_CASE("latency is unknown without times") {
  CallStory story;
  story.call("a").uses("t1", "Bash").without_time();
  story.call("b").after("a").reads("t1").without_time();
  CHECK(story.links() ==
        "a->b continuation 1.00\n"
        "a->b tool_result 1.00 t1");
  CHECK(story.link_into("b", LinkKind::tool_result).gap == kNoDuration);
}

TEST_CASE("a result that nobody asked for is an orphan, told once where it first stands") {
  CallStory story;
  story.call("a").reads("t9");
  story.call("b").after("a");
  CHECK(story.links() == "a->b continuation 1.00");
  CHECK(story.orphans() == "a t9");
}

TEST_CASE("a tool that ran for hours still has its result") {
  CallStory story;
  story.call("a").at(0).uses("t1", "Bash");
  story.call("b").at(3 * 3600).after("a").reads("t1");
  CHECK(story.links("tool_result") == "a->b tool_result 1.00 t1");
  CHECK(story.sessions() == "s1: a b");
}

TEST_CASE("an id used again in another conversation belongs to that conversation") {
  CallStory story;
  story.call("a").says("one").uses("call_1", "Read").answers("first");
  story.call("b").says("two").uses("call_1", "Read").answers("second");
  story.call("a2").after("a").reads("call_1");
  story.call("b2").after("b").reads("call_1");
  CHECK(story.links("tool_result") ==
        "a->a2 tool_result 1.00 call_1\n"
        "b->b2 tool_result 1.00 call_1");
}

TEST_CASE("an id used again later in one conversation belongs to the nearest use") {
  CallStory story;
  story.call("a").uses("call_1", "Read");
  story.call("b").after("a").reads("call_1").uses("call_1", "Grep");
  story.call("c").after("b").reads("call_1");
  CHECK(story.links("tool_result") ==
        "a->b tool_result 1.00 call_1\n"
        "b->c tool_result 1.00 call_1");
}

TEST_CASE("an id of another user is another id") {
  CallStory story;
  story.call("a").user("anna").uses("call_1", "Read");
  story.call("b").user("bert").reads("call_1");
  CHECK(story.links() == "");
  CHECK(story.orphans() == "b call_1");
}

TEST_CASE("a result read by two branches of a conversation leads to both") {
  CallStory story;
  story.call("a").uses("t1", "Read");
  story.call("b").after("a").reads("t1");
  story.call("c").after("a").reads("t1").says("and be quick");
  CHECK(story.links("tool_result") ==
        "a->b tool_result 1.00 t1\n"
        "a->c tool_result 1.00 t1");
  CHECK(story.link_into("b", LinkKind::tool_result).repeats == 0);
  CHECK_FALSE(story.link_into("b", LinkKind::tool_result).is_again);
  CHECK(story.link_into("c", LinkKind::tool_result).is_again);
}

TEST_CASE("ids that a proxy forgot come back from the next request's history") {
  CallStory story;
  story.call("a").uses("t1", "Read").uses("t2", "Grep").loses_ids();
  story.call("b").after("a").reads("t1").reads_error("t2").uses("t3", "Bash").loses_ids();
  story.call("c").after("b").reads("t3");
  CHECK(story.links("tool_result") ==
        "a->b tool_result 0.95 t1\n"
        "a->b tool_result 0.95 t2 error\n"
        "b->c tool_result 0.95 t3");
  CHECK(story.links("continuation") ==
        "a->b continuation 0.95\n"
        "b->c continuation 0.95");
  CHECK(story.link_into("c", LinkKind::tool_result).rule == Rule::echoed_history);
}

TEST_CASE("so do tool uses that were lost altogether") {
  CallStory story;
  story.call("a").answers("let me look").uses("t1", "Read").loses_uses();
  story.call("b").after("a").reads("t1");
  CHECK(story.links() ==
        "a->b continuation 0.95\n"
        "a->b tool_result 0.95 t1");
  CHECK(story.orphans() == "");
}

TEST_CASE("a whole answer is never taken for one that lost its ids") {
  CallStory story;
  story.call("a").says("same question").answers("no need of a tool");
  // Somebody else's history, with the same question and another answer.
  story.call("x").says("same question").uses("t1", "Read").at(-100);
  Told& b = story.call("b").after("x").reads("t1").at(10);
  CHECK(b.name() == "b");
  CHECK(story.links("tool_result") == "x->b tool_result 1.00 t1");
}

TEST_CASE("results lost with the answer of a failed call are found by its messages") {
  CallStory story;
  story.call("a").says("look").uses("t1", "Read").gets_no_answer();
  story.call("b").after("a").reads("t1");
  CHECK(story.links() ==
        "a->b continuation 0.95\n"
        "a->b tool_result 0.95 t1");
}

TEST_CASE("a result that was read before it was asked for is linked, and the clock blamed") {
  CallStory story;
  story.call("a").at(100).uses("t1", "Read");
  story.call("b").at(50).after("a").reads("t1");
  CHECK(story.links() ==
        "a->b continuation 0.99\n"
        "a->b tool_result 0.99 t1");
  CHECK(story.clock() == "a->b\na->b");
}

TEST_CASE(
    "where twins forgot their ids, results come from the call whose conversation they go on with") {
  CallStory story;
  story.call("a").at(0).says("same").uses("t1", "Read").loses_ids();
  story.call("b").at(0.5).says("same").uses("t2", "Read").loses_ids();
  story.call("a2").at(10).after("a").reads("t1");
  story.call("b2").at(11).after("b").reads("t2");
  // Which of the twins is which nobody knows, but one answer cannot come from both.
  CHECK(story.links() ==
        "a->a2 continuation 0.48\n"
        "a->a2 tool_result 0.48 t1\n"
        "b->b2 continuation 0.48\n"
        "b->b2 tool_result 0.48 t2");
}
