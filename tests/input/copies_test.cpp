#include <catch2/catch.hpp>

#include "made_log.h"
#include "reading.h"
#include "story.h"

using namespace xtrace;

TEST_CASE("a record that stands twice, byte for byte, is one and is counted") {
  CallStory story;
  story.call("a").uses("t1", "Read");
  story.call("b").after("a").reads("t1");
  std::string log = story.log();
  Trace trace = read_log(log + story.lines()[0] + "\n" + log);
  CHECK(trace.calls.size() == 2);
  CHECK(trace.sources.front().copies == 3);
  Graph graph = link(std::move(trace), {});
  CHECK(links_of(graph) ==
        "a->b continuation 1.00\n"
        "a->b tool_result 1.00 t1");
}

TEST_CASE("other records of the same id are numbered in order of time") {
  CallStory story;
  story.call("a").at(10).says("second");
  story.call("a").at(0).says("first");
  story.call("a").at(20).says("third");
  CHECK(story.ids() == "a a~2 a~3");
}

TEST_CASE("the numbers do not depend on the order of the lines, nor on what comes later") {
  CallStory story;
  for (int i = 0; i < 6; ++i) story.call("a").at(i).says("words " + std::to_string(i));
  std::vector<std::string> lines = story.lines();
  auto names = [](const std::vector<std::string>& log) {
    Trace trace = read_log(joined(log));
    std::set<std::string> names;
    for (const Call& call : trace.calls)
      names.insert(std::string(trace[call.id]) + " at " +
                   std::to_string(call.start.time_since_epoch().count()));
    return names;
  };
  std::set<std::string> all = names(lines);
  CHECK(all.size() == 6);
  CHECK(names(shuffled(lines, 5)) == all);
  std::vector<std::string> part(lines.begin(), lines.begin() + 4);
  for (const std::string& name : names(part)) CHECK(all.contains(name));
}

TEST_CASE("a copy in another file is a copy") {
  Folder folder;
  CallStory story;
  story.call("a");
  std::string first = folder.write("1.jsonl", story.log());
  std::string second = folder.write("2.jsonl", story.log());
  Progress progress;
  Trace trace = load({first, second}, {}, progress).value();
  CHECK(trace.calls.size() == 1);
  CHECK(trace.sources[1].copies == 1);
}
