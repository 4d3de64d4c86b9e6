#include "run/page_size.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

constexpr Column kNodes[] = {{"id", ""}};

Stream nodes(size_t many) {
  return {"nodes", kNodes, [many](const Stream::Write& write) {
            const std::vector<Cell> row{Cell(Text("a"))};
            for (size_t i = 0; i < many; ++i) write(row);
          }};
}

}  // namespace

TEST_CASE("an answer is written only to a page that has room for all its nodes") {
  const Renderer page{
      .name = "html", .summary = "", .face = Face::tables, .write = nullptr, .most_nodes = 10};
  Document ten("dag"), eleven("diff");
  ten.add(nodes(10));
  CHECK(check_page_size(ten, page, 10));
  // Those of the graph behind an answer count too.
  eleven.add(nodes(10));
  eleven.add(Group{kGraphBehind, [](const Group::Each& each) {
                     Document graph("dag");
                     graph.add(nodes(1));
                     each(graph);
                   }});
  CHECK(count_rows(eleven, "nodes") == 11);
  const Status told = check_page_size(eleven, page, 11);
  REQUIRE_FALSE(told);
  CHECK(told.error().exit == Exit::usage);
  CHECK(told.error().what ==
        "-f html: too many calls (11); a browser can show 10; select fewer with --session ID, "
        "--agent TYPE, --since 1h or --min-cost 0.01, or use -f json");
}

TEST_CASE("any number of nodes goes where there is no end of room") {
  const Renderer json{.name = "json", .summary = "", .face = Face::tables, .write = nullptr};
  Document many("dag");
  many.add(nodes(100));
  CHECK(check_page_size(many, json, 100));
}
