#include "serve/routes.h"

#include <catch2/catch.hpp>

using namespace xtrace;
using namespace xtrace::serve;

namespace {

using Words = std::vector<std::string>;

Answered<Asked> ask(std::string_view text, Door::Level level = Door::Level::basic,
                    bool is_upgrade = false) {
  const Answered<Target> target = read_target(text);
  REQUIRE(target);
  return read_asked(*target, is_upgrade, level);
}

/// The words of a command line that answers a target, with its format.
Words words_of(std::string_view text) {
  Answered<Asked> asked = ask(text);
  REQUIRE(asked);
  Words words = asked->words;
  words.push_back("-f " + std::string(asked->format));
  return words;
}

Refusal refusal_of(std::string_view text) {
  const Answered<Asked> asked = ask(text);
  REQUIRE(!asked);
  return asked.error();
}

}  // namespace

TEST_CASE("each path is a question of the command line") {
  CHECK(words_of("/dag") == Words{"dag", "-f json"});
  CHECK(words_of("/dag?format=dot&token=1") == Words{"dag", "-f dot"});
  CHECK(words_of("/trust?format=text") == Words{"trust", "-f text"});
  CHECK(words_of("/explain?node=resource:mock-database") ==
        Words{"explain", "--node=resource:mock-database", "-f json"});
  CHECK(words_of("/impact?node=toolu_1&edge=tool_result") ==
        Words{"impact", "--node=toolu_1", "--edge=tool_result", "-f json"});
  CHECK(words_of("/impact?query=Q-1&format=mermaid") ==
        Words{"impact", "--query=Q-1", "-f mermaid"});
  CHECK(words_of("/taint?run=run-1") == Words{"taint", "--run=run-1", "-f json"});
  CHECK(words_of("/blame?symptom=toolu_1&format=text") ==
        Words{"blame", "--symptom=toolu_1", "-f text"});
  CHECK(words_of("/whatif?speed=tool:Bash%3D2x&format=csv") ==
        Words{"whatif", "--speed=tool:Bash=2x", "-f csv"});
  CHECK(words_of("/lineage/all") == Words{"list", "--events", "-f json"});
  CHECK(words_of("/lineage/run-1") == Words{"list", "--events", "--run=run-1", "-f json"});
  CHECK(words_of("/lineage/run-1/dag?format=dot") ==
        Words{"dag", "--view=actors", "--run=run-1", "-f dot"});
  CHECK(words_of("/lineage/run-1/explain?node=database&format=text") ==
        Words{"explain", "--node=database", "--run=run-1", "-f text"});
  CHECK(words_of("/lineage/all/trust") == Words{"trust", "-f json"});
  CHECK(words_of("/v1/queries/Q-2024-09-01-001/trace?format=mermaid&level=basic") ==
        Words{"trace", "--query=Q-2024-09-01-001", "-f mermaid"});
  CHECK(words_of("/v1/queries/Q/trace?limit_nodes=2&limit_evidences_per_step=1") ==
        Words{"trace", "--query=Q", "--limit-nodes=2", "--limit-evidence=1", "-f json"});
}

TEST_CASE("a value is never an option or an input") {
  CHECK(words_of("/explain?node=--output=x") == Words{"explain", "--node=--output=x", "-f json"});
  CHECK(words_of("/lineage/--strict") == Words{"list", "--events", "--run=--strict", "-f json"});
}

TEST_CASE("one path is answered once, or subscribed to") {
  CHECK(ask("/explain?node=x")->route->reply == Reply::answer);
  CHECK(ask("/explain", Door::Level::basic, true)->route->reply == Reply::socket);
  CHECK(ask("/dag", Door::Level::basic, true).error().status == 404);
}

TEST_CASE("texts are shown only by a server that was started to show them") {
  CHECK(refusal_of("/v1/queries/Q/trace?level=full").status == 403);
  CHECK(ask("/dag?level=full", Door::Level::full)->level == Door::Level::full);
  CHECK(ask("/dag", Door::Level::full)->level == Door::Level::full);
  CHECK(ask("/dag?level=basic", Door::Level::full)->level == Door::Level::basic);
}

TEST_CASE("what nobody answers is refused with what is answered") {
  CHECK(refusal_of("/dags").status == 404);
  CHECK(refusal_of("/dags").what.find("did you mean '/dag'") != std::string::npos);
  CHECK(refusal_of("/lineage").status == 404);
  CHECK(refusal_of("/lineage/a/b/c").status == 404);
  CHECK(refusal_of("/dag?format=exe").what.find("json, dot") != std::string::npos);
  CHECK(refusal_of("/dag?formt=dot").what.find("did you mean 'format'") != std::string::npos);
  CHECK(refusal_of("/explain").what == "node is missing: /explain?node=…");
  CHECK(refusal_of("/dag?level=high").status == 400);
  CHECK(refusal_of("/dag?output=x").status == 400);
  CHECK(refusal_of("/taint?rules=/etc/passwd").status == 400);
  CHECK(refusal_of("/blame?suite=suite.yaml").status == 400);
  CHECK(refusal_of("/events?format=json").status == 400);
}
