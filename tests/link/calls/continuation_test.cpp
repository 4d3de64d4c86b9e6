#include <catch2/catch.hpp>

#include "story.h"

using namespace xtrace;

TEST_CASE("a request that repeats a conversation and its answer goes on with it") {
  CallStory story;
  story.call("a").says("hi");
  story.call("b").after("a").says("go on");
  story.call("c").after("b").says("and on");
  CHECK(story.links() ==
        "a->b continuation 1.00\n"
        "b->c continuation 1.00");
  CHECK(story.agents() == "main: a b c");
}

TEST_CASE("conversations with nothing in common are not linked") {
  CallStory story;
  story.call("a").says("hi");
  story.call("b").says("hello");
  CHECK(story.links() == "");
}

TEST_CASE("how a client writes its history does not matter") {
  CallStory story;
  story.call("a").says("hi").answers("hello");

  SECTION("the prompt-cache mark moves to the newest message") {
    story.call("b").after("a").marks_cache();
    story.call("c").after("b").marks_cache();
  }
  SECTION("texts as lists of blocks") {
    story.call("b").after("a").writes_lists();
    story.call("c").after("b");
  }
  SECTION("white space around texts") {
    story.call("b").after("a").adds_blanks();
    story.call("c").after("b");
  }
  CHECK(story.links() ==
        "a->b continuation 1.00\n"
        "b->c continuation 1.00");
}

TEST_CASE("thinking that clients leave out of the history does not matter") {
  CallStory story;
  story.call("a").says("hi").thinks();
  story.call("b").after("a").says("go on").thinks();
  story.call("c").after("b");
  CHECK(story.links() ==
        "a->b continuation 1.00\n"
        "b->c continuation 1.00");
}

TEST_CASE("a conversation asked otherwise forks where it parts") {
  CallStory story;
  story.call("a").says("hi");
  story.call("b").after("a").says("tell me of cats");
  story.call("c").after("a").says("tell me of dogs");
  story.call("d").after("b");
  story.call("e").after("c");
  CHECK(story.links() ==
        "a->b continuation 1.00\n"
        "a->c continuation 1.00\n"
        "b->d continuation 1.00\n"
        "c->e continuation 1.00");
  CHECK(story.agents() == "main: a b c d e");
}

TEST_CASE("a conversation whose answer is not on record goes on all the same, less surely") {
  CallStory story;
  story.call("a").says("hi").gets_no_answer();
  story.call("b").after("a").says("go on");
  CHECK(story.links() == "a->b continuation 0.95");
  CHECK(story.link_into("b", LinkKind::continuation).rule == Rule::messages);
}

TEST_CASE("a request that repeats another answer than the one on record is a fork, not a sequel") {
  CallStory story;
  story.call("a").says("hi").answers("hello");
  story.call("x").says("hi").answers("good day").at(1000);
  story.call("b").after("x").at(2000);
  CHECK(story.links("continuation") == "x->b continuation 1.00");
}

TEST_CASE("conversations of different users or sessions are different, word for word or not") {
  CallStory story;
  SECTION("users") {
    story.call("a").user("anna").says("hi").answers("hello");
    story.call("b").user("bert").after("a").says("go on");
  }
  SECTION("sessions") {
    story.call("a").session("one").says("hi").answers("hello");
    story.call("b").session("two").after("a").says("go on");
  }
  CHECK(story.links() == "");
}

TEST_CASE("equal conversations side by side each keep their own thread") {
  CallStory story;
  story.call("a1").says("hi").answers("hello").at(0);
  story.call("b1").says("hi").answers("hello").at(0.5);
  story.call("a2").after("a1").says("one").answers("1").at(10);
  story.call("b2").after("b1").says("two").answers("2").at(11);
  CHECK(story.links("continuation") ==
        "a1->a2 continuation 0.50\n"
        "b1->b2 continuation 0.50");
  CHECK(story.rivals_of(story.link_into("a2", LinkKind::continuation)) == "b1 0.50");
  CHECK(story.rivals_of(story.link_into("b2", LinkKind::continuation)) == "a1 0.50");
}

TEST_CASE("equal conversations are told apart by who asks") {
  CallStory story;
  SECTION("by the system prompt") {
    story.call("a1").at(0).system("You book.").says("hi").answers("hello");
    story.call("b1").at(0.5).system("You judge.").says("hi").answers("hello");
    story.call("b2").at(10).system("You judge.").after("b1").says("one");
    story.call("a2").at(11).system("You book.").after("a1").says("two");
  }
  SECTION("by the agent's type") {
    story.call("a1").at(0).agent("booker").says("hi").answers("hello");
    story.call("b1").at(0.5).agent("guard").says("hi").answers("hello");
    story.call("b2").at(10).agent("guard").after("b1").says("one");
    story.call("a2").at(11).agent("booker").after("a1").says("two");
  }
  CHECK(story.links("continuation") ==
        "b1->b2 continuation 1.00\n"
        "a1->a2 continuation 1.00");
}

TEST_CASE("the same words said again later leave no doubt about what went on before") {
  CallStory story;
  story.call("a1").at(0).says("hi").answers("hello");
  story.call("a2").after("a1").says("one").answers("1");
  story.call("b1").at(100).says("hi").answers("hello");
  story.call("b2").after("b1").says("two").answers("2");
  CHECK(story.links("continuation") ==
        "a1->a2 continuation 1.00\n"
        "b1->b2 continuation 1.00");
}

TEST_CASE("the longest beginning wins") {
  CallStory story;
  story.call("a").says("hi");
  story.call("b").after("a").says("go on");
  story.call("c").after("b").says("go on");
  story.call("late").after("b").says("otherwise").at(100);
  CHECK(story.link_into("late", LinkKind::continuation).gap != kNoDuration);
  CHECK(story.links() ==
        "a->b continuation 1.00\n"
        "b->c continuation 1.00\n"
        "b->late continuation 1.00");
}

TEST_CASE(
    "a call that began before the other had ended is still its sequel if it repeats the answer") {
  CallStory story;  // clocks of request and response may differ by a little
  story.call("a").at(0).took(5).says("hi").answers("hello");
  story.call("b").at(4.9).after("a");
  CHECK(story.links() == "a->b continuation 1.00");
}

TEST_CASE("calls without any message are left alone") {
  CallStory story;
  story.garbage(R"({"id":"a","timestamp":"2026-03-01T10:00:00Z","body":{"messages":[]}})");
  story.garbage(
      R"({"id":"b","timestamp":"2026-03-01T10:00:01Z","body":{"model":"m","messages":[]}})");
  CHECK(story.links() == "");
  CHECK(story.ids() == "a b");
}
