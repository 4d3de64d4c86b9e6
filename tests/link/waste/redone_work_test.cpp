#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/waste/found_waste.h"
#include "transcript.h"

using namespace xtrace;

TEST_CASE("work is redone of the subagent that shares most of it, though others had a part first") {
  Transcript log("S");
  const auto works = [&](const std::string& agent, std::initializer_list<int> files) {
    log.within("t" + agent, agent, "look for " + agent);
    log.user(agent + "u", "look for " + agent);
    for (int at : files) {
      const std::string use = fmt::format("{}{}", agent, at);
      log.answer(use + "a", use + "m",
                 xtrace::uses(use, "Read", fmt::format(R"({{"file_path":"src/part{}.cpp"}})", at)));
      log.result(use + "r", use);
    }
    log.answer(agent + "e", agent + "em", says("found it"));
  };
  log.user("u", "go");
  log.answer("a", "m",
             spawns("tx", "Explore", "look for x") + "," + spawns("ty", "Explore", "look for y") +
                 "," + spawns("tz", "Explore", "look for z"));
  works("x", {1, 2});
  works("y", {1, 2, 3, 4, 5});
  works("z", {1, 2, 3, 4, 5});
  CHECK(found_in(log.text()) == "redone_work 5");
  find_waste_in(log.text(), [](const Graph&, const std::vector<Waste>& found) {
    REQUIRE(found.size() == 1);
    CHECK(found[0].tool.empty());  // all that the subagent did, not what it began with
    CHECK_FALSE(found[0].target);
  });
}
