#include "link/activities/component_agent.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("a component that is an agent is called as ExplanationGraph does") {
  CHECK(agent_name_of("coder-agent") == "CoderAgent");
  CHECK(agent_name_of("reflexion-engine") == "ReflexionEngine");
  CHECK(agent_name_of("net/http") == "net/http");
}

TEST_CASE("a text that ends like an agent's component keeps its spelling") {
  CHECK(agent_name_of("key-aB3-x for my-agent") == "key-aB3-x for my-agent");
  CHECK(agent_name_of("a-text-that-is-longer-than-any-name-of-an-agent") ==
        "a-text-that-is-longer-than-any-name-of-an-agent");
  CHECK(agent_name_of("Key-agent") == "Key-agent");
}
