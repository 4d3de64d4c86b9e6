#include <fmt/format.h>

#include <set>

#include "cypher_base.h"
#include "link/graph/queries.h"
#include "view/query/query_answers.h"

using namespace xtrace;

namespace {

/// The database that holds what `xtrace trace --all -f cypher` writes of a log.
CypherBase base_of(std::string_view log, std::multimap<std::string, std::string> options = {},
                   Door::Level level = Door::Level::basic) {
  Folder folder;
  Progress progress;
  LoadOptions loading;
  loading.cleared = cleared_by(options);
  Graph graph = link(load({folder.write("log.jsonl", log)}, loading, progress).value(), {});
  Reread payloads(graph.trace());
  Door door(policy_of(loading.cleared), level, 200);
  std::unique_ptr<View> view = find_view("trace")->make();
  options.emplace("--all", "");
  Set set(std::move(options));
  view->declare(set);
  Question question{graph, door, Face::drawing, &payloads};
  question.with_properties = true;
  Document document("trace");
  CypherBase base;
  for (size_t query = 0; query < find_queries(graph).size(); ++query) {
    Result<Document> one = view->answer_query(question, query);
    REQUIRE(one);
    std::ostringstream out;
    write_cypher(*one, Paper{}, out);
    base.run(out.str());
  }
  return base;
}

using NodeNames = std::set<std::string>;

/// Keys of what a relation leads to, or comes from.
NodeNames to(const CypherBase& base, const NodeNames& from, std::string_view type) {
  NodeNames found;
  for (const auto& [ends, properties] : base.edges)
    if (std::get<1>(ends) == type && from.contains(std::get<0>(ends)))
      found.insert(std::get<2>(ends));
  return found;
}
NodeNames from(const CypherBase& base, const NodeNames& to, std::string_view type) {
  NodeNames found;
  for (const auto& [ends, properties] : base.edges)
    if (std::get<1>(ends) == type && to.contains(std::get<2>(ends)))
      found.insert(std::get<0>(ends));
  return found;
}
NodeNames labelled(const CypherBase& base, const char* label, std::string_view id = {}) {
  NodeNames found;
  for (const auto& [key, node] : base.nodes)
    if (node.at("labels").contains(label) && (id.empty() || node.at("id") == id)) found.insert(key);
  return found;
}
NodeNames each(const CypherBase& base, const NodeNames& keys, const char* property) {
  NodeNames values;
  for (const std::string& key : keys)
    values.insert(base.nodes.at(key).value(property, std::string("?")));
  return values;
}
NodeNames both(NodeNames some, const NodeNames& others) {
  some.insert(others.begin(), others.end());
  return some;
}

/// One query cites a unit of D10, one has used another unit of it and cites nothing, one rests on
/// another document after it tried twice.
constexpr std::string_view kLog =
    R"({"queryId":"Q1","stepId":"a","node":"Search","timestamp":"2026-03-01T10:00:00Z","params":{"k":8,"deep":true},"metrics":{"latency_ms":5,"cost_usd":0.25},"evidenceRefs":[{"type":"document","doc_id":"D10","unit_id":"U77","page":4,"score":0.5},{"type":"document","doc_id":"D11","unit_id":"U90"}],"citations":[{"id":"[1]","doc_id":"D10","unit_id":"U77"}],"subgraph":{"nodes":[{"id":"E1","label":"Entity","type":"System","name":"BackupService"},{"id":"E2","label":"Entity","name":"Disk"},{"id":"C9","label":"Claim","evidence":["U77"],"text":"nobody should read this"},{"id":"U77","label":"text_unit"}],"edges":[{"from":"E1","to":"U77","type":"MENTIONED_IN"},{"from":"E2","to":"C9","type":"founded by"}]}}
{"queryId":"Q1","stepId":"b","node":"Answer","timestamp":"2026-03-01T10:00:02Z","metrics":{"latency_ms":5,"cost_usd":0.5}}
{"queryId":"Q2","stepId":"c","node":"Search","timestamp":"2026-03-01T10:01:00Z","metrics":{"cost_usd":0.125},"evidenceRefs":[{"type":"document","doc_id":"D10","unit_id":"U78"}],"subgraph":{"nodes":[{"id":"E1","label":"Entity","type":"System","name":"BackupService"}],"edges":[{"from":"E1","to":"U78","type":"MENTIONED_IN"}]}}
{"queryId":"Q3","stepId":"d","node":"Search","timestamp":"2026-03-01T10:02:00Z","status":"error","attempt":1,"metrics":{"latency_ms":5}}
{"queryId":"Q3","stepId":"e","node":"Search","timestamp":"2026-03-01T10:02:01Z","attempt":2,"metrics":{"latency_ms":5},"evidenceRefs":[{"type":"document","doc_id":"D11","unit_id":"U77x"}]}
)";

}  // namespace

TEST_CASE("a database tells an auditor which answers rest on a document") {
  CypherBase base = base_of(kLog);
  auto answers = [&](const char* document) {
    NodeNames documents = labelled(base, "Document", document);
    CHECK(documents.size() == 1);  // of all queries
    NodeNames units = both(from(base, documents, "PART_OF"), documents);
    return each(base, from(base, units, "RESTS_ON"), "query_id");
  };
  CHECK(answers("D10") == NodeNames{"Q1", "Q2"});
  CHECK(answers("D11") == NodeNames{"Q3"});  // Q1 used it, and cites another
  NodeNames citations = labelled(base, "Citation");
  CHECK(each(base, to(base, citations, "REFERS_TO"), "id") == NodeNames{"U77"});
  CHECK(each(base, from(base, citations, "CITES"), "query_id") == NodeNames{"Q1"});
}

TEST_CASE("and which steps used a unit") {
  CypherBase base = base_of(kLog);
  NodeNames evidence = from(base, labelled(base, "TextUnit", "U77"), "REFERS_TO");
  NodeNames steps = from(base, evidence, "USED");
  CHECK(each(base, steps, "step_id") == NodeNames{"a"});
  for (const std::string& key : labelled(base, "Evidence")) {
    const Json& node = base.nodes.at(key);
    if (node["unit_id"] != "U77") continue;
    CHECK(node["doc_id"] == "D10");
    CHECK(node["page"] == 4);
  }
}

TEST_CASE("and what a query cost, step by step") {
  CypherBase base = base_of(kLog);
  double sum = 0;
  for (const std::string& step : to(base, labelled(base, "Query", "Q1"), "HAS_STEP"))
    sum += base.nodes.at(step).at("cost_usd").get<double>();
  CHECK(sum == 0.75);
  const Json& query = base.nodes.at(*labelled(base, "Query", "Q1").begin());
  CHECK(query["total_cost_usd"] == 0.75);
  for (const std::string& step : to(base, labelled(base, "Query", "Q1"), "HAS_STEP"))
    if (base.nodes.at(step).at("step_id") == "a") {
      CHECK(base.nodes.at(step).at("params_k") == 8);
      CHECK(base.nodes.at(step).at("params_deep") == true);
    }
}

TEST_CASE("and which entities are mentioned in a unit, whichever query met them") {
  CypherBase base = base_of(kLog);
  auto entities = [&](const char* unit) {
    return each(base, from(base, labelled(base, "TextUnit", unit), "MENTIONED_IN"), "name");
  };
  CHECK(entities("U77") == NodeNames{"BackupService"});
  CHECK(entities("U78") == NodeNames{"BackupService"});
  CHECK(labelled(base, "Entity", "E1").size() == 1);
  CHECK(each(base, to(base, labelled(base, "Claim"), "DRAWN_FROM"), "id") == NodeNames{"U77"});
  CHECK(each(base, to(base, labelled(base, "Entity", "E2"), "RELATED founded by"), "id") ==
        NodeNames{"C9"});
}

TEST_CASE("and which steps came after one that failed") {
  CypherBase base = base_of(kLog);
  NodeNames failed;
  for (const std::string& step : labelled(base, "Step"))
    if (base.nodes.at(step).at("status") == "error") failed.insert(step);
  CHECK(each(base, failed, "step_id") == NodeNames{"d"});
  CHECK(each(base, to(base, failed, "RETRY"), "step_id") == NodeNames{"e"});
}

TEST_CASE("payload gets into a database at level full alone") {
  auto text = [](Door::Level level) {
    CypherBase base = base_of(kLog, {}, level);
    return base.nodes.at(*labelled(base, "Claim").begin()).value("text", "");
  };
  CHECK(text(Door::Level::basic).empty());
  CHECK(text(Door::Level::full) == "nobody should read this");
}

TEST_CASE("what is withheld is in a database under a stand-in, and nothing refers to it") {
  std::string log =
      R"({"queryId":"Q1","node":"A","timestamp":"2026-03-01T10:00:00Z","evidenceRefs":[{"type":"document","doc_id":"D66","unit_id":"U66","sensitivity":"secret"}],"citations":[{"doc_id":"D66","unit_id":"U66","sensitivity":"secret"}],"subgraph":{"nodes":[{"id":"E66","label":"Entity","name":"Hidden","sensitivity":"secret"},{"id":"C1","label":"Claim","evidence":["U66"]}],"edges":[{"from":"C1","to":"E66","type":"ABOUT"}]}})"
      "\n";
  CypherBase base =
      base_of(log, {{"--clearance", "internal"}, {"--unlabelled", "public"}}, Door::Level::full);
  for (const auto& [key, node] : base.nodes)
    for (const char* hidden : {"D66", "U66", "E66", "Hidden"}) {
      CAPTURE(key, node.dump());
      CHECK_FALSE((key + node.dump()).find(hidden) != std::string::npos);
    }
  CHECK(labelled(base, "Document").empty());
  CHECK(labelled(base, "Entity").size() == 1);
  CHECK(base.nodes.at(*labelled(base, "Entity").begin()).at("withheld") == true);
}

TEST_CASE("a log's own node passes for no query, and hostile words stay in literals") {
  CypherBase base = base_of(
      R"({"queryId":"Q1","node":"A","timestamp":"2026-03-01T10:00:00Z","subgraph":{"nodes":[{"id":"Q1","label":"Query"},{"id":"x\"}) DETACH DELETE n //","label":"Chunk`) DELETE n //"}],"edges":[{"from":"Q1","to":"x\"}) DETACH DELETE n //","type":"X`]->() DETACH DELETE n //"}]}})"
      "\n");
  CHECK(labelled(base, "Query").size() == 1);
  CHECK(labelled(base, "Other").size() == 2);
}
