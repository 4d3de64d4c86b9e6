#include <catch2/catch.hpp>

#include "story.h"

using namespace xtrace;

TEST_CASE("the same request after a failure is a retry") {
  CallStory story;
  story.call("a").says("hi").fails("overloaded_error");
  story.call("b").again("a");
  CHECK(story.links() == "a->b retry 1.00 attempt 2");
}

TEST_CASE("attempts are counted") {
  CallStory story;
  story.call("a").says("hi").fails("overloaded_error");
  story.call("b").again("a").fails("overloaded_error");
  story.call("c").again("a").gets_no_answer();
  story.call("d").again("a");
  CHECK(story.links() ==
        "a->b retry 1.00 attempt 2\n"
        "b->c retry 1.00 attempt 3\n"
        "c->d retry 1.00 attempt 4");
}

TEST_CASE("a retry wins over the continuation that it repeats") {
  CallStory story;
  story.call("a").says("hi");
  story.call("b").after("a").says("go on").fails("overloaded_error");
  story.call("c").again("b").answers("done");
  CHECK(story.links() ==
        "a->b continuation 1.00\n"
        "b->c retry 1.00 attempt 2");
}

TEST_CASE("the next turn goes on with the attempt that succeeded") {
  CallStory story;
  story.call("a").says("hi").fails("overloaded_error");
  story.call("b").again("a").answers("hello");
  story.call("c").after("b").says("go on");
  CHECK(story.links() ==
        "a->b retry 1.00 attempt 2\n"
        "b->c continuation 1.00");
  CHECK(story.agents() == "main: a b c");
}

TEST_CASE("asking the same again after a success is no retry") {
  CallStory story;
  story.call("a").says("hi");
  story.call("b").again("a");
  CHECK(story.links() == "");
}

TEST_CASE("nor is asking the same while the other still runs") {
  CallStory story;
  story.call("a").at(0).took(10).says("hi").fails("overloaded_error");
  story.call("b").at(5).again("a");
  CHECK(story.links() == "");
}

TEST_CASE("nor the same question of another user") {
  CallStory story;
  story.call("a").user("anna").says("hi").fails("overloaded_error");
  story.call("b").user("bert").again("a");
  CHECK(story.links() == "");
}

TEST_CASE("a retried reader is the first consumer no more: the failed attempt had the result") {
  CallStory story;
  story.call("a").uses("t1", "Read");
  story.call("b").after("a").reads("t1").fails("overloaded_error");
  story.call("c").again("b").answers("done");
  CHECK(story.links() ==
        "a->b continuation 1.00\n"
        "a->b tool_result 1.00 t1\n"
        "b->c retry 1.00 attempt 2");
  CHECK(story.link_into("b", LinkKind::tool_result).repeats == 1);
}

TEST_CASE("two conversations that fail alike retry apart") {
  CallStory story;
  story.call("a").user("anna").says("hi").fails("overloaded_error");
  story.call("b").user("bert").says("hi").fails("overloaded_error");
  story.call("b2").user("bert").again("b");
  story.call("a2").user("anna").again("a");
  CHECK(story.links() ==
        "b->b2 retry 1.00 attempt 2\n"
        "a->a2 retry 1.00 attempt 2");
}

TEST_CASE("another agent that is told the same after a failure tries nothing again") {
  CallStory story;
  SECTION("with a system prompt of its own") {
    story.call("a").system("You book travel.").says("hi").fails("overloaded_error");
    story.call("b").system("You judge whether it is safe.").again("a");
  }
  SECTION("as the log calls it") {
    story.call("a").agent("booker").says("hi").fails("overloaded_error");
    story.call("b").agent("guard").again("a");
  }
  CHECK(story.links() == "");
  CHECK(story.graph().agents().size() == 2);
}

TEST_CASE("an agent that the log names tries again whatever its system prompt says by then") {
  CallStory story;
  story.call("a").agent("booker").system("It is 10:00.").says("hi").fails("overloaded_error");
  story.call("b").agent("booker").system("It is 10:01.").again("a");
  CHECK(story.links() == "a->b retry 1.00 attempt 2");
}

TEST_CASE("of equal requests side by side, each that failed is tried again for itself") {
  CallStory story;
  story.call("a").at(0).says("hi").answers("hello");
  story.call("b").at(0.1).says("hi").fails("rate_limit_error");
  story.call("c").at(0.2).says("hi").fails("rate_limit_error");
  story.call("d").at(0.3).took(3).says("hi").answers("good day");
  story.call("b2").at(5).again("b").answers("hey");
  story.call("c2").at(8).again("c").answers("ahoy");
  CHECK(story.links() ==
        "b->b2 retry 0.50 attempt 2\n"
        "c->c2 retry 0.50 attempt 2");
  CHECK(story.rivals_of(story.link_into("b2", LinkKind::retry)) == "c 0.50");
  CHECK(story.rivals_of(story.link_into("c2", LinkKind::retry)) == "b 0.50");
}

TEST_CASE("a failure that was tried again before the next one is no rival of that") {
  CallStory story;
  story.call("a").says("hi").fails("overloaded_error");
  story.call("a2").again("a").answers("hello");
  story.call("b").says("hi").fails("overloaded_error");
  story.call("b2").again("b").answers("good day");
  CHECK(story.links() ==
        "a->a2 retry 1.00 attempt 2\n"
        "b->b2 retry 1.00 attempt 2");
}

TEST_CASE("what opens a conversation is asked anew on another day, not tried again") {
  CallStory story;
  constexpr double kDay = 24 * 3600;
  SECTION("nothing tells that it is the same conversation") {
    story.call("a").at(0).says("sum up").fails("api_error");
    story.call("b").at(kDay).again("a");
    CHECK(story.links() == "");
    CHECK(story.graph().sessions().size() == 2);
  }
  SECTION("the log tells that it is") {
    story.call("a").at(0).session("one").says("sum up").fails("api_error");
    story.call("b").at(kDay).session("one").again("a");
    CHECK(story.links() == "a->b retry 1.00 attempt 2");
  }
  SECTION("its history does") {
    story.call("o").at(0).says("hi");
    story.call("a").after("o").says("sum up").fails("api_error");
    story.call("b").at(kDay).again("a");
    CHECK(story.links("retry") == "a->b retry 1.00 attempt 2");
  }
}
