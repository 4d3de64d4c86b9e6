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
