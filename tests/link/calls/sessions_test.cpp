#include <catch2/catch.hpp>

#include "story.h"

using namespace xtrace;

TEST_CASE("calls with no long pause between them are one session") {
  CallStory story;
  story.call("a").at(0).took(1);
  story.call("b").at(1 + 599.9);
  CHECK(story.sessions() == "s1: a b");
}

TEST_CASE("more than ten minutes from an end to the next start begin a new one") {
  CallStory story;
  story.call("a").at(0).took(1);
  story.call("b").at(1 + 600);
  CHECK(story.sessions() == "s1: a b");
  CallStory later;
  later.call("a").at(0).took(1);
  later.call("b").at(1 + 600.001);
  CHECK(later.sessions() ==
        "s1: a\n"
        "s2: b");
}

TEST_CASE("a call that took long is no pause") {
  CallStory story;
  story.call("a").at(0).took(1200);
  story.call("b").at(1300);
  CHECK(story.sessions() == "s1: a b");
}

TEST_CASE("nor is one that began before and still runs") {
  CallStory story;
  story.call("slow").at(0).took(3000);
  story.call("a").at(10);
  story.call("b").at(3100);
  CHECK(story.sessions() == "s1: slow a b");
}

TEST_CASE("another user is another session") {
  CallStory story;
  story.call("a").at(0).user("anna");
  story.call("b").at(5).user("bert");
  story.call("a2").at(10).user("anna");
  story.call("b2").at(15).user("bert");
  CHECK(story.sessions() ==
        "s1: a a2\n"
        "s2: b b2");
}

TEST_CASE("a session the log names wins over pauses and users") {
  CallStory story;
  story.call("a").at(0).session("night");
  story.call("b").at(5).session("day");
  story.call("a2").at(20000).session("night");
  CHECK(story.sessions() ==
        "night: a a2\n"
        "day: b");
}

TEST_CASE("the session id at the end of a user id is one") {
  CallStory story;
  story.call("a").user("user_12ab_account_34cd_session_0f9e-77");
  story.call("b").user("user_12ab_account_34cd_session_4b3a-11");
  CHECK(story.sessions() ==
        "0f9e-77: a\n"
        "4b3a-11: b");
}

TEST_CASE("so is the one in a user id that is JSON") {
  CallStory story;
  story.call("a").user(R"({"device_id":"d","account_uuid":"","session_id":"0f9e-77"})");
  CHECK(story.sessions() == "0f9e-77: a");
}

TEST_CASE("an exact link carries a session over hours") {
  CallStory story;
  story.call("a").at(0).uses("t1", "Bash");
  story.call("b").at(4 * 3600).after("a").reads("t1");
  CHECK(story.sessions() == "s1: a b");
}

TEST_CASE("so does a conversation that goes on the next day, and a subagent that started late") {
  CallStory story;
  story.call("a").at(0).spawns("t1", "Explore", "look");
  story.call("c").at(5000).says("look");
  story.call("b").at(80000).after("a").reads("t1");
  CHECK(story.sessions() == "s1: a c b");
}

TEST_CASE("a call that does not name its session belongs to the one it is linked with") {
  CallStory story;
  story.call("a").session("night").uses("t1", "Read");
  story.call("b").after("a").reads("t1");
  CHECK(story.sessions() == "night: a b");
}

TEST_CASE("a call that names no session is not pulled into one that stands near") {
  CallStory story;
  story.call("a").session("night");
  story.call("b");
  CHECK(story.sessions() ==
        "night: a\n"
        "s2: b");
}

TEST_CASE("calls without times stay together") {
  CallStory story;
  story.call("a").without_time();
  story.call("b").without_time();
  CHECK(story.sessions() == "s1: a b");
}

TEST_CASE("a call that names no user is of whoever alone was at work then") {
  CallStory story;
  story.call("a").at(0).user("anna").says("one");
  story.call("b").at(30).says("two");
  story.call("c").at(60).user("anna").says("three");
  CHECK(story.graph().sessions().size() == 1);
}

TEST_CASE("of two users at work nobody knows whose a call without a user is") {
  CallStory story;
  story.call("a").at(0).user("anna").says("one");
  story.call("b").at(10).user("bert").says("two");
  story.call("c").at(30).says("three");
  CHECK(story.graph().sessions().size() == 3);
}
