#include "link/activities/critical_path.h"

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// The lines of the calls on it, of all calls: `2 4`.
std::string path_of(const std::string& log) {
  const Graph graph = link(read_log(log), {});
  std::vector<uint32_t> links(graph.links().size());
  for (uint32_t i = 0; i < links.size(); ++i) links[i] = i;
  std::string lines;
  for (CallId id : critical_path(graph, {[](CallId) { return true; }, links}).calls)
    lines += (lines.empty() ? "" : " ") + std::to_string(graph.trace()[id].source.line);
  return lines;
}

}  // namespace

TEST_CASE("what a clock that went back puts before what led to it does not lead there") {
  Transcript log;
  log.at(52).user("u1", "Go.").at(54).answer("a1", "m1", says("Done."));
  log.at(10).user("u2", "On.").at(12).answer("a2", "m2", says("Done."));
  CHECK(path_of(log.text()) == "2");  // which ended last
}
