#include <catch2/catch.hpp>

#include "link/waste/found_waste.h"
#include "link/waste/wasteful_log.h"

using namespace xtrace;

namespace {

WastefulLog with_a_cache() {
  WastefulLog log;
  log.begins_with(20000).user("do it").reads("src/first.cpp");
  return log;
}

std::string pauses_in(WastefulLog& log) {
  log.loses_cache().runs("ls").says("that is all");
  return wastes_in(log.text(), [](const Waste& one) {
    constexpr std::string_view kWords[] = {"person", "work", "answer", "unknown"};
    return std::string(kWords[static_cast<size_t>(one.pause_for)]) +
           (one.hour_would_do ? ", an hour would do" : "");
  });
}

}  // namespace

TEST_CASE("a pause is told with what would have helped") {
  const auto paused = [](int seconds) {
    WastefulLog log = with_a_cache();
    log.says("done").user("more").waits(seconds);
    return pauses_in(log);
  };
  CHECK(paused(400) == "person, an hour would do");
  CHECK(paused(8 * 3600) == "person");
}

TEST_CASE("a pause in which a tool ran is none of the person's") {
  WastefulLog log = with_a_cache();
  log.runs("make").waits(400);
  CHECK(pauses_in(log) == "work, an hour would do");
}

TEST_CASE("a tool that asks the person something waits for the person") {
  WastefulLog log = with_a_cache();
  log.use("AskUserQuestion", R"({"question":"which?"})", "that one").waits(400);
  CHECK(pauses_in(log) == "person, an hour would do");
}

TEST_CASE("a cache may expire while the model answers") {
  WastefulLog log = with_a_cache();
  log.takes(310).runs("ls -l");
  CHECK(pauses_in(log) == "answer, an hour would do");
}
