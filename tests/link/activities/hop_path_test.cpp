#include "link/activities/hop_path.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

using namespace xtrace;

namespace {

/// `id`, the milliseconds of its own that the run waited for if it is on the path, and its slack.
std::string paths(const HopStory& story) {
  Graph graph = story.graph();
  const Hops& hops = graph.hops();
  const HopPath path = critical_path(
      graph, hops,
      {[](HopId) { return true; }, [&](HopId id) { return static_cast<bool>(hops[id].cause); }});
  auto ms = [](Duration length) { return static_cast<double>(length.count()) / 1e6; };
  std::string text;
  for (size_t i = 0; i < path.of.size(); ++i) {
    const HopPath::Of& of = path.of[i];
    text += graph.hops().name_of(graph.trace(), HopId(i));
    text += of.is_on_path ? fmt::format(" waited for {}", ms(of.on_path)) : "";
    text +=
        of.slack == kNoDuration ? ", slack unknown\n" : fmt::format(", slack {}\n", ms(of.slack));
  }
  return text + fmt::format("{} in {}", path.hops, ms(path.took));
}

}  // namespace

TEST_CASE("a span waits for the one below it that ends last, and the one beside that has slack") {
  HopStory story;
  story.span("a", "shop", "", 0, 100);
  story.span("b", "stock", "a", 10, 20);
  story.span("c", "bank", "a", 40, 20);
  story.span("d", "post", "a", 40, 50);
  CHECK(paths(story) ==
        "a waited for 30, slack 0\n"
        "b waited for 20, slack 0\n"
        "d waited for 50, slack 0\n"
        "c, slack 30\n"
        "3 in 100");
}

TEST_CASE("what is below a span with slack has that slack too") {
  HopStory story;
  story.span("a", "shop", "", 0, 100);
  story.span("b", "stock", "a", 0, 60);
  story.span("c", "shelf", "b", 10, 50);
  story.span("d", "post", "a", 0, 90);
  CHECK(paths(story) ==
        "a waited for 10, slack 0\n"
        "d waited for 90, slack 0\n"
        "b, slack 30\n"
        "c, slack 30\n"
        "2 in 100");
}

TEST_CASE("of a span that goes on after its parent has ended, what they share is waited for") {
  HopStory story;
  story.span("a", "shop", "", 0, 50);
  story.span("b", "post", "a", 40, 60);
  CHECK(paths(story) == "a waited for 40, slack 0\nb waited for 10, slack 0\n2 in 50");
}

TEST_CASE("a moment takes no part in a path") {
  HopStory story;
  story.span("a", "shop", "", 0, 50);
  story.span("b", "post", "a", 50, 0);
  CHECK(paths(story) == "a waited for 50, slack 0\nb, slack unknown\n1 in 50");
}
