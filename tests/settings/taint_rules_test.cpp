#include "settings/taint_rules.h"

#include <catch2/catch.hpp>
#include <string>

#include "reading.h"

using namespace xtrace;

namespace {

/// What is wrong with rules of this text; empty: nothing.
std::string fault_of(const std::string& text) {
  Folder folder;
  const Result<TaintRules> rules = read_taint_rules(folder.write("rules.yaml", text));
  return rules ? std::string() : rules.error().what;
}

}  // namespace

TEST_CASE("the built-in rules are read like those of a file") {
  const Result<TaintRules> rules = read_taint_rules({});
  REQUIRE(rules);
  CHECK(rules->from == "built-in");
  CHECK(rules->digest.size() == 64);
  CHECK_FALSE(rules->sources.empty());
  CHECK_FALSE(rules->secrets.empty());
  CHECK_FALSE(rules->sinks.empty());
  CHECK(fault_of(std::string(built_in_taint_rules())) == "");
}

TEST_CASE("a rule that cannot be heeded is an error with its line and the nearest word") {
  const std::string sinks = "sinks: [{kind: shell, tools: [Bash]}]\n";
  CHECK(fault_of(sinks + "sources: [{kind: web, tools: [WebFetch]}]\n") == "");
  CHECK(fault_of(sinks + "source: []\n").find("did you mean 'sources'") != std::string::npos);
  CHECK(fault_of(sinks + "sources: [{kind: web, tool: [x]}]\n").find(":2:") != std::string::npos);
  for (const char* wrong :
       {"sources: []\n", "sources: [{tools: [x]}]\n", "sources: [{kind: web}]\n",
        "sources: [{kind: Two words, tools: [x]}]\n",
        "sources: [{kind: web, result_matches: \"(\"}]\n",
        "sources: [{kind: file, paths: {outside: home}}]\n",
        "sources: [{kind: web, tools: [x], arguments: [y]}]\n", "", "private: 7\n"})
    CHECK(fault_of(sinks + wrong) != "");
  CHECK(fault_of("sources: [{kind: web, tools: [x]}]\n") != "");
}
