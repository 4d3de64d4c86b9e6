#include "view/common/names.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

/// How answers name a place of a file.
std::string place(bool in_document, uint64_t offset, uint32_t line) {
  Trace trace;
  Source& source = trace.sources.emplace_back();
  source.path = "run.json";
  source.is_document = in_document;
  Graph graph = link(std::move(trace), {});
  Door door(Redaction::all, Door::Level::basic, 200);
  return std::string(Names(graph, door).at({offset, 10, 0, line}).view());
}

}  // namespace

TEST_CASE("a place is a line, or in a document an offset") {
  CHECK(place(false, 52, 3) == "run.json:3");
  CHECK(place(true, 52, 3) == "run.json@52");
}

TEST_CASE("what is said of a whole file names the file alone") {
  CHECK(place(false, 0, 0) == "run.json");
  CHECK(place(true, 0, 0) == "run.json");
}
