#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <deque>

#include "render/drawn.h"

using namespace xtrace;

namespace {

Drawing call(Text title, Text from, Text to) {
  Drawing drawing;
  drawing.title = title;
  drawing.nodes = {{from, {from}, "agent"}, {to, {to}, "agent"}};
  drawing.edges = {edge(0, 1, "1")};
  return drawing;
}

std::string sequence_of(const std::vector<Drawing>& runs) {
  Document document("trust");
  for (const Drawing& run : runs) document.add(run);
  std::ostringstream out;
  write_sequence(document, {}, out);
  return out.str();
}

size_t times_in(const std::string& text, std::string_view part) {
  size_t times = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++times;
  return times;
}

}  // namespace

TEST_CASE("a guess and a failure have arrows of their own, and a message says of what kind it is") {
  Drawing drawing = call({}, "a", "b");
  drawing.edges[0].detail = "agent_to_agent (unsure 0.75)";
  drawing.edges[0].stroke = Drawing::Stroke::dotted;
  CHECK(contains(drawn(drawing, write_sequence), "p1--)p2: 1 agent_to_agent (unsure 0.75)\n"));
  drawing.edges[0].error = true;
  CHECK(contains(drawn(drawing, write_sequence), "p1--xp2: "));
  drawing.edges[0].stroke = Drawing::Stroke::solid;
  CHECK(contains(drawn(drawing, write_sequence), "p1-xp2: "));
  drawing.edges[0].error = false;
  CHECK(contains(drawn(drawing, write_sequence), "p1->>p2: "));
}

TEST_CASE("each of several runs has its name and its own numbers, and actors stand there once") {
  CHECK(sequence_of({call("run r1", "a", "b"), call("run r2", "b", "c")}) ==
        "sequenceDiagram\n"
        "  participant p1 as a\n"
        "  participant p2 as b\n"
        "  participant p3 as c\n"
        "  Note over p1,p2: 1: run r1\n"
        "  p1->>p2: 1.1\n"
        "  Note over p2,p3: 2: run r2\n"
        "  p2->>p3: 2.1\n");
}

TEST_CASE("of many runs the first are drawn whole, with those who take part in them") {
  Door door(Redaction::off, Door::Level::basic, 100);
  std::vector<Drawing> runs;
  runs.reserve(2000);
  for (int i = 0; i < 2000; ++i)
    runs.push_back(call("run", "a", door.composed(fmt::format("{:0>180}", i))));
  std::string text = sequence_of(runs);
  CHECK(text.size() <= 50'000);
  CHECK(times_in(text, "->>") > 100);
  CHECK(times_in(text, "->>") == times_in(text, ": run"));
  CHECK(times_in(text, "participant") == times_in(text, "->>") + 1);
  CHECK(contains(text, fmt::format("{} more runs omitted", 2000 - times_in(text, "->>"))));
}

TEST_CASE("of one long run the first calls are drawn, with those who take part in them") {
  Door door(Redaction::off, Door::Level::basic, 100);
  Drawing drawing;
  for (int i = 0; i < 600; ++i) {
    Text name = door.composed(fmt::format("n{}", i));
    drawing.nodes.push_back({name, {name}, "agent"});
    if (i > 0)
      drawing.edges.push_back(edge(static_cast<uint32_t>(i - 1), static_cast<uint32_t>(i)));
  }
  std::string text = drawn(drawing, write_sequence);
  CHECK(times_in(text, "->>") == 500);
  CHECK(times_in(text, "participant") == 501);
  CHECK(contains(text, "Note over p1,p501: 99 more calls omitted"));
}
