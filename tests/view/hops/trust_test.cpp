#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reading.h"
#include "render/renderer.h"
#include "transcript.h"
#include "view/common/view.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

Graph with_two_homes() {
  Transcript log;
  log.user("u1", "look at both");
  log.answer("a1", "m1", uses("t1", "Read", R"({"file_path":"/Users/zoe/a.cpp"})"));
  log.result("u2", "t1");
  log.answer("a2", "m2", uses("t2", "Read", R"({"file_path":"/Users/adam/b.cpp"})"));
  log.result("u3", "t2");
  log.answer("a3", "m3", says("both are there"));
  return link(read_log(log.text()), {});
}

}  // namespace

TEST_CASE("the resources of a chain stand in the order of how they are shown") {
  const Graph graph = with_two_homes();
  Door door(Redaction::all, Door::Level::basic, 200);
  Result<Document> document = find_view("trust")->make()->answer({graph, door, Face::tables});
  std::ostringstream out;
  write_json(document.value(), Paper{}, out);
  const Json resources = Json::parse(out.str())["resources_accessed"];
  CHECK(resources == Json({"resource:file:/Users/[REDACTED:home:1]/a.cpp",
                           "resource:file:/Users/[REDACTED:home:2]/b.cpp"}));
}
