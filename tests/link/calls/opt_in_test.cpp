#include <catch2/catch.hpp>

#include "story.h"

using namespace xtrace;

namespace {

/// 102 characters that nobody says by chance.
const std::string kFinding =
    "The cache is never cleared when the user logs out, so the next one who logs in sees old "
    "messages of 7.";

}  // namespace

TEST_CASE("what one conversation answers and another is told is reuse, for whoever asks for it") {
  CallStory story;
  story.call("a").says("why does it fail?").answers("I looked: (" + kFinding + ")");
  story.call("b").says("Please fix this:\n" + kFinding);
  CHECK(story.links() == "");
  CallStory asked;
  asked.with("content_reuse");
  asked.call("a").says("why does it fail?").answers("I looked: (" + kFinding + ")");
  asked.call("b").says("Please fix this:\n" + kFinding);
  CHECK(asked.links() == "a->b content_reuse 0.69 102 characters");
}

TEST_CASE("tool outputs and the arguments of tool uses carry passages, white space folded") {
  CallStory story;
  story.with("content_reuse");
  story.call("a").uses("t1", "Write",
                       R"({"file_path": "notes.md", "content": ")" + kFinding + "\"}");
  story.call("b").says("read the notes").uses("t2", "Read", R"({"file_path": "notes.md"})");
  std::string wrapped = kFinding;
  wrapped.replace(wrapped.find(" the user"), 1, "\n  ");
  story.call("b2").after("b").reads("t2", "1\t" + wrapped + "\n");
  CHECK(story.links("content_reuse") == "a->b2 content_reuse 0.69 102 characters");
}

TEST_CASE("a passage is at least eighty characters long, whatever stands around it") {
  for (size_t length : {79, 80, 81}) {
    CallStory story;
    story.with("content_reuse");
    story.call("a").answers("x" + kFinding.substr(0, length) + "y");
    story.call("b").says("z" + kFinding.substr(0, length) + "z");
    CHECK(story.links("content_reuse") == (length < 80 ? ""
                                           : length < 81
                                               ? "a->b content_reuse 0.60 80 characters"
                                               : "a->b content_reuse 0.60 81 characters"));
  }
}

TEST_CASE("what a conversation repeats of itself, or what a user said first, is no reuse") {
  CallStory story;
  story.with("content_reuse");
  story.call("a").says("look: " + kFinding).answers("You say: " + kFinding);
  story.call("a2").after("a").says("again: " + kFinding);
  story.call("b").says("and: " + kFinding);
  CHECK(story.links("content_reuse") == "");
}

TEST_CASE("where two said it, the first is believed, less, and the other named") {
  CallStory story;
  story.with("content_reuse");
  story.call("a").says("one").answers(kFinding);
  story.call("b").says("two").answers(kFinding);
  story.call("c").says(kFinding);
  CHECK(story.links("content_reuse") == "a->c content_reuse 0.34 102 characters");
  CHECK(story.rivals_of(story.link_into("c", LinkKind::content_reuse)) == "b 0.34");
}

TEST_CASE("who said most of it told it on, whoever said a part of it first") {
  const std::string more =
      " " + kFinding + " It happens on Mondays alone, when the night shift ends.";
  CallStory story;
  story.with("content_reuse");
  story.call("a").says("one").answers(kFinding);
  story.call("b").says("sum up: " + kFinding).answers("In short:" + more);
  story.call("c").says("Please fix:" + more);
  CHECK(story.links("content_reuse") ==
        "a->b content_reuse 0.69 102 characters\n"
        "b->c content_reuse 0.80 160 characters");
}

TEST_CASE("the prompt of a subagent is no further link") {
  CallStory story;
  story.with("content_reuse");
  story.call("p").spawns("t1", "Explore", kFinding);
  story.call("c").says(kFinding);
  CHECK(story.links() == "p->c subagent_spawn 0.99 t1");
}

TEST_CASE("calls of one type of agent that nothing else links follow one another") {
  CallStory story;
  story.with("sequential");
  story.call("a").at(0).agent("checker");
  story.call("b").at(2).agent("writer");
  story.call("c").at(151).agent("checker");
  story.call("d").at(460).agent("checker");
  CHECK(story.links() == "a->c sequential 0.50");
}

TEST_CASE("what a conversation goes on with, and what was spawned, follows nothing else") {
  CallStory story;
  story.with("sequential");
  story.call("a").agent("main").spawns("t1", "main", "look");
  story.call("s").agent("main").says("look");
  story.call("a2").after("a").agent("main").reads("t1");
  story.call("b").agent("main");
  CHECK(story.links("sequential") == "a2->b sequential 0.55");
  CHECK(story.rivals_of(story.link_into("b", LinkKind::sequential)) == "s 0.50");
}
