#include "view/hops/paths.h"

#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

using namespace xtrace;

namespace {

PathId chain(PathTable& table, size_t length) {
  PathId path;
  for (size_t i = 0; i < length; ++i) path = table.join(path, ActorId(i));
  return path;
}

}  // namespace

TEST_CASE("chains that begin alike share their beginning") {
  PathTable table;
  const PathId one = table.join(chain(table, 3), ActorId(7));
  const PathId other = table.join(chain(table, 3), ActorId(8));
  CHECK(table.size() == 5);
  CHECK(table.before(one) == table.before(other));
  CHECK(table.actors(one) == std::vector{ActorId(0), ActorId(1), ActorId(2), ActorId(7)});
}

TEST_CASE("a chain of a hundred actors is written whole, a longer one by its ends") {
  PathTable table;
  const PathTable::Ends whole = table.ends(chain(table, 2 * PathTable::kEnd));
  CHECK(whole.first.size() == 100);
  CHECK(whole.omitted == 0);

  const PathTable::Ends ends = table.ends(chain(table, 130));
  CHECK(ends.first.front() == ActorId(0));
  CHECK(ends.first.back() == ActorId(49));
  CHECK(ends.omitted == 30);
  CHECK(ends.last.front() == ActorId(80));
  CHECK(ends.last.back() == ActorId(129));
}

TEST_CASE("ways through diamonds are counted, and each cause adds one chain") {
  // a and b lead to c, c and d to e: three ways, two of them over c.
  HopStory story;
  story.hop("a", "user:u", "agent:hub", 0, 100).in_trace("1");
  story.hop("b", "user:v", "agent:hub", 1, 100).in_trace("1");
  story.hop("c", "agent:hub", "agent:x", 10, 20).in_trace("1");
  story.below("a").following("b", "1");
  story.hop("d", "user:w", "agent:x", 11, 20).in_trace("1");
  story.hop("e", "agent:x", "resource:db", 15, 5).in_trace("1");
  story.below("c").following("d", "1");
  const Graph graph = story.graph();
  const Paths paths(graph.hops());
  const auto others_of = [&](const std::string& id) {
    return paths.others_of(graph.hops().find(graph.trace(), id));
  };
  CHECK(others_of("a").ways == 1);
  CHECK(others_of("c").ways == 2);
  CHECK(others_of("c").paths.size() == 1);
  CHECK(others_of("e").ways == 3);
  CHECK(others_of("e").paths.size() == 1);
}
