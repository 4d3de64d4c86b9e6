#include <catch2/catch.hpp>

#include "transcript.h"
#include "view/eval/judged.h"

using namespace xtrace;

namespace {

/// A log of which the first count of output is all that is recorded, in a file.
struct FirstCounts {
  explicit FirstCounts(const std::string& model) {
    Transcript log;
    log.user("u", "go")
        .answer("a", "m1", uses("t1", "Bash", R"({"command": "make"})"), 1)
        .result("r", "t1")
        .answer("b", "m2", says(std::string(3300, 'x')), 1);
    std::string text = log.text();
    for (size_t at = 0; (at = text.find("claude-m", at)) != std::string::npos;)
      text.replace(at, 8, model);
    path = folder.write("log.jsonl", text);
  }
  std::string judged(const std::string& limits) {
    Progress progress;
    const Graph graph = link(load({path}, {}, progress).value(), {});
    return verdicts(graph, suite_of("    limits: {" + limits + "}\n"));
  }

  Folder folder;
  std::string path;
};

}  // namespace

TEST_CASE("a limit far above a lower bound is kept by the upper estimate, and one near it is not") {
  FirstCounts log("claude-sonnet-4-5");
  const std::string passed = log.judged("cost_usd: 50");
  CHECK(says(passed, "1 of 1 scenario passed"));
  CHECK(says(passed, "1 limit passed by an upper estimate"));
  // 1,000 tokens of text and 50 of the tool use are estimated at $15 a million, and counted thrice.
  CHECK(says(log.judged("cost_usd: 0.03"), "1 with insufficient evidence"));
  CHECK(says(log.judged("cost_usd: 0.03"), "up to an estimated $0.04"));
  CHECK(says(log.judged("cost_usd: 0"), "1 failed"));
  CHECK(says(log.judged("tokens: 10000"), "1 of 1 scenario passed"));
  CHECK(says(log.judged("tokens: 2000"), "1 with insufficient evidence"));
}

TEST_CASE("without a price no estimate of a cost is known") {
  FirstCounts log("unheard-of");
  CHECK(says(log.judged("cost_usd: 50"), "1 with insufficient evidence"));
  CHECK(says(log.judged("tokens: 10000"), "1 of 1 scenario passed"));
}

TEST_CASE("failures of models and tools are limited together") {
  CallStory story;
  story.call("a").at(0).took(1).says("go").uses("t1", "Read");
  story.call("b").at(2).took(1).after("a").reads_error("t1").fails("api_error");
  story.call("c").at(4).took(1).again("b").answers("done");
  CHECK(says(verdicts(story.graph(), suite_of("    limits: {errors: 2}\n")),
             "1 of 1 scenario passed"));
  const std::string text = verdicts(story.graph(), suite_of("    limits: {errors: 1}\n"));
  CHECK(says(text, "errors: 2 (at most 1 allowed)"));
  CHECK(says(text, "limit exceeded here (b)"));
}

TEST_CASE("a file that the agent wrote counts as read, and another file does not") {
  auto judged = [](const std::string& edited, bool failed) {
    CallStory story;
    story.call("a").says("go").uses("t1", "Write", R"({"file_path": "/x.txt"})");
    auto& next = story.call("b").after("a");
    failed ? next.reads_error("t1") : next.reads("t1");
    next.uses("t2", "Edit", R"({"file_path": ")" + edited + R"("})");
    story.call("c").after("b").reads("t2").answers("done");
    return verdicts(Kept(story).graph,
                    suite_of("    preceded: [{tool: Edit, by: Read, same_target: true}]\n"));
  };
  CHECK(says(judged("/x.txt", false), "1 of 1 scenario passed"));
  CHECK(says(judged("/y.txt", false), "1 failed"));
  CHECK(says(judged("/x.txt", true), "1 failed"));
}
