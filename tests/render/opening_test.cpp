#include "render/html/opening.h"

#include <catch2/catch.hpp>

#include "charted.h"
#include "doc/add_row.h"

using namespace xtrace;

namespace {

constexpr Column kTarget[] = {{"target", "", Role::node}};
constexpr Column kAnswer[] = {{"answer", ""}};
constexpr Column kSteps[] = {{"id", "", Role::node}};
constexpr Column kGroups[] = {{"span_ids", "", CellKind::texts}, {"at", "", CellKind::texts}};
constexpr Column kShow[] = {{"show", ""}};
constexpr Column kPrincipals[] = {{"summary.principals", "", CellKind::integer}};

const Charted kCalls({{"a", 1, 1}, {"b", 2, 1, "a", "main", "a.jsonl:7"}, {"c", 3, 1, "b"}},
                     {{"a", "b"}, {"b", "c"}});

Opening opened(const Document& document) {
  return opening_of(document, kCalls.chart());
}

/// Why something happened, with one chain that ends in an access.
Document explained(Text target, Text access, Text at) {
  Document document("explain");
  document.add(Record{{{}, kTarget, {target}}});
  Table groups{"cause_groups", kGroups};
  add_row(groups, {document.arena().keep(Texts{access}), document.arena().keep(Texts{at})});
  document.add(std::move(groups));
  return document;
}

}  // namespace

TEST_CASE("a page that explains a call opens with why, and with the call chosen") {
  const Opening opening = opened(explained("b", "b", "a.jsonl:7"));
  CHECK(opening.select == "b");
  CHECK(opening.pane == "steps");
}

TEST_CASE("what else an answer says does not hide what it explains") {
  Document document = explained("b", "b", "a.jsonl:7");
  Table steps{"steps", kSteps};
  add_row(steps, {Text("c")});
  document.add(std::move(steps));
  document.add(Record{{{}, kAnswer, {Text("so it was")}}});
  CHECK(opened(document).select == "b");
}

TEST_CASE("a page that explains an agent opens with its first call") {
  const Opening opening = opened(explained("agent:main", "a", "a.jsonl:1"));
  CHECK(opening.select == "a");
  CHECK(opening.pane == "steps");
}

TEST_CASE("a page that explains the use of a tool opens with the call that asked for it") {
  CHECK(opened(explained("toolu_1", "toolu_1", "a.jsonl:7")).select == "b");
}

TEST_CASE("a page that explains what none of its rows is opens with words") {
  const Opening opening = opened(explained("file:/x", "toolu_1", "a.jsonl:99"));
  CHECK(opening.select.empty());
  CHECK(opening.pane == "steps");
}

TEST_CASE("a page of one query opens with its steps and the first of them that is a call") {
  Document document("trace");
  Table steps{"steps", kSteps};
  for (const Text id : {Text("none"), Text("b"), Text("c")}) add_row(steps, {id});
  document.add(std::move(steps));
  const Opening opening = opened(document);
  CHECK(opening.select == "b");
  CHECK(opening.pane == "steps");
}

TEST_CASE("a page of actors opens with them, one of a story with its tree") {
  Document actors("dag"), story("dag");
  actors.add(Record{{{}, kPrincipals, {int64_t{1}}}});
  story.add(Record{{{}, kShow, {Text("summary")}}});
  CHECK(opened(actors).pane == "actors");
  CHECK(opened(story).pane == "tree");
  CHECK(opened(Document("dag")).pane.empty());
}
