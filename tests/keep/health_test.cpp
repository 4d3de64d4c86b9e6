#include "keep/health.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command.h"
#include "reading.h"

using namespace xtrace;
using namespace std::chrono_literals;

namespace {

constexpr Time kBegin{std::chrono::sys_days(std::chrono::year(2026) / 5 / 2)};

Health story() {
  Health health(kBegin);
  health.note_ingest({kBegin, 1500us}, 18, false);
  health.note_ingest({kBegin + 1s, 500us}, 2, true);
  health.note_graph(7, 9);
  health.note_created(2, 1);
  health.note_in_memory(5);
  for (Duration latency : {Duration(1ms), Duration(1001us), Duration(50ms), Duration(1min)})
    health.note_update(latency);
  health.note_prune({kBegin + 2s, 250us}, 4, 3);
  health.note_redactions(6);
  health.note_snapshot({kBegin + 3s, 2ms}, 4096);
  return health;
}

/// Both lines of OTLP.
std::pair<nlohmann::json, nlohmann::json> otlp(const Health& health) {
  std::ostringstream out;
  write_health_as_otlp(health, kBegin + 1min, out);
  std::istringstream lines(out.str());
  std::string metrics, spans, rest;
  std::getline(lines, metrics);
  std::getline(lines, spans);
  CHECK_FALSE(std::getline(lines, rest));
  return {nlohmann::json::parse(metrics), nlohmann::json::parse(spans)};
}

Result<Exit> run_words(std::vector<std::string> words) {
  Result<Command> command = read_command_line(std::move(words));
  if (!command) return tl::unexpected(command.error());
  return run(std::get<Request>(std::move(*command)));
}

}  // namespace

TEST_CASE("Prometheus gets counters, a gauge, a histogram, and sums of what spans tell") {
  std::ostringstream out;
  write_health_as_prometheus(story(), out);
  CHECK(out.str() == R"(# HELP explain_ingest_batches_total Batches of records read.
# TYPE explain_ingest_batches_total counter
explain_ingest_batches_total 2
# HELP explain_ingest_errors_total Batches with damaged records.
# TYPE explain_ingest_errors_total counter
explain_ingest_errors_total 1
# HELP explain_ingest_batch_size Records per batch.
# TYPE explain_ingest_batch_size summary
explain_ingest_batch_size_sum 20
explain_ingest_batch_size_count 2
# HELP explain_ingest_latency_ms Milliseconds taken to read and link a batch.
# TYPE explain_ingest_latency_ms summary
explain_ingest_latency_ms_sum 2
explain_ingest_latency_ms_count 2
# HELP explain_node_created_total Graph nodes created.
# TYPE explain_node_created_total counter
explain_node_created_total 9
# HELP explain_edge_created_total Graph edges created.
# TYPE explain_edge_created_total counter
explain_edge_created_total 10
# HELP explain_nodes_in_memory Nodes held in memory.
# TYPE explain_nodes_in_memory gauge
explain_nodes_in_memory 5
# HELP explain_graph_update_latency Milliseconds from an event to its update.
# TYPE explain_graph_update_latency histogram
explain_graph_update_latency_bucket{le="1"} 1
explain_graph_update_latency_bucket{le="2"} 2
explain_graph_update_latency_bucket{le="5"} 2
explain_graph_update_latency_bucket{le="10"} 2
explain_graph_update_latency_bucket{le="20"} 2
explain_graph_update_latency_bucket{le="50"} 3
explain_graph_update_latency_bucket{le="100"} 3
explain_graph_update_latency_bucket{le="200"} 3
explain_graph_update_latency_bucket{le="500"} 3
explain_graph_update_latency_bucket{le="1000"} 3
explain_graph_update_latency_bucket{le="2000"} 3
explain_graph_update_latency_bucket{le="5000"} 3
explain_graph_update_latency_bucket{le="10000"} 3
explain_graph_update_latency_bucket{le="+Inf"} 4
explain_graph_update_latency_sum 60052.001
explain_graph_update_latency_count 4
# HELP explain_prunes_total Number of times that nodes were folded or removed.
# TYPE explain_prunes_total counter
explain_prunes_total 1
# HELP explain_prune_nodes_total Nodes folded or removed.
# TYPE explain_prune_nodes_total counter
explain_prune_nodes_total 4
# HELP explain_prune_edges_total Edges removed with them.
# TYPE explain_prune_edges_total counter
explain_prune_edges_total 3
# HELP explain_prune_latency_ms Milliseconds taken to fold or remove nodes.
# TYPE explain_prune_latency_ms summary
explain_prune_latency_ms_sum 0.25
explain_prune_latency_ms_count 1
# HELP explain_pii_redactions_total Replacements of secrets and personal data.
# TYPE explain_pii_redactions_total counter
explain_pii_redactions_total 6
# HELP explain_persist_snapshots_total Snapshots written.
# TYPE explain_persist_snapshots_total counter
explain_persist_snapshots_total 1
# HELP explain_persist_file_size_bytes Size of the snapshot file.
# TYPE explain_persist_file_size_bytes gauge
explain_persist_file_size_bytes 4096
# HELP explain_persist_latency_ms Milliseconds taken to write a snapshot.
# TYPE explain_persist_latency_ms summary
explain_persist_latency_ms_sum 2
explain_persist_latency_ms_count 1
)");
}

TEST_CASE("OTLP gets the metrics under their names") {
  auto [line, spans] = otlp(story());
  CHECK(line["resourceMetrics"][0]["resource"]["attributes"][0].dump() ==
        R"({"key":"service.name","value":{"stringValue":"xtrace"}})");
  CHECK(line["resourceMetrics"][0]["resource"]["attributes"][2]["key"] == "xtrace.build");
  nlohmann::json metrics = line["resourceMetrics"][0]["scopeMetrics"][0]["metrics"];
  std::string names;
  for (const auto& metric : metrics) names += metric["name"].get<std::string>() + " ";
  CHECK(names ==
        "explain.node_created explain.edge_created explain.nodes_in_memory "
        "explain.graph_update_latency explain.pii_redactions ");
  CHECK(metrics[0]["sum"].dump() ==
        R"({"aggregationTemporality":2,"dataPoints":[{"asInt":"9",)"
        R"("startTimeUnixNano":"1777680000000000000","timeUnixNano":"1777680060000000000"}],)"
        R"("isMonotonic":true})");
  CHECK(metrics[2]["gauge"].dump() ==
        R"({"dataPoints":[{"asInt":"5","timeUnixNano":"1777680060000000000"}]})");
  nlohmann::json latency = metrics[3]["histogram"]["dataPoints"][0];
  CHECK(metrics[3]["histogram"]["aggregationTemporality"] == 2);
  CHECK(latency["count"] == "4");
  CHECK(latency["sum"] == 60052.001);
  CHECK(latency["bucketCounts"].dump() ==
        R"(["1","1","0","0","0","1","0","0","0","0","0","0","0","1"])");
  CHECK(latency["explicitBounds"].dump() == "[1,2,5,10,20,50,100,200,500,1000,2000,5000,10000]");
}

TEST_CASE("OTLP gets the spans with their attributes") {
  nlohmann::json spans = otlp(story()).second["resourceSpans"][0]["scopeSpans"][0]["spans"];
  REQUIRE(spans.size() == 4);
  CHECK(spans[0]["name"] == "explain.ingest");
  CHECK(spans[0]["traceId"].get<std::string>().size() == 32);
  CHECK(spans[0]["spanId"].get<std::string>().size() == 16);
  CHECK(spans[0]["traceId"] == spans[3]["traceId"]);
  CHECK(spans[0]["spanId"] != spans[1]["spanId"]);
  CHECK(spans[0]["startTimeUnixNano"] == "1777680000000000000");
  CHECK(spans[0]["endTimeUnixNano"] == "1777680000001500000");
  CHECK(spans[1]["attributes"].dump() == R"([{"key":"batchSize","value":{"intValue":"2"}},)"
                                         R"({"key":"ingestLatencyMs","value":{"doubleValue":0.5}},)"
                                         R"({"key":"errors","value":{"boolValue":true}}])");
  CHECK(spans[2]["name"] == "explain.prune");
  CHECK(spans[2]["attributes"].dump() ==
        R"([{"key":"nodesPrunedCount","value":{"intValue":"4"}},)"
        R"({"key":"edgesPrunedCount","value":{"intValue":"3"}},)"
        R"({"key":"pruneLatencyMs","value":{"doubleValue":0.25}}])");
  CHECK(spans[3]["name"] == "explain.persist_snapshot");
  CHECK(spans[3]["attributes"].dump() ==
        R"([{"key":"persistFileSizeBytes","value":{"intValue":"4096"}},)"
        R"({"key":"persistLatencyMs","value":{"doubleValue":2.0}}])");
}

TEST_CASE("of many spans the newest are kept, and sums have all") {
  Health health(kBegin);
  for (int i = 0; i < 1500; ++i) health.note_ingest({kBegin + i * 1s, 1ms}, i, false);
  CHECK(health.spans().size() == Health::kSpans);
  CHECK(health.spans().back().amount == 1499);
  CHECK(health.ingests().count == 1500);
  CHECK(health.batches().sum == 1499 * 1500 / 2.0);
}

TEST_CASE("a run tells how it fared, in a log that can be read itself") {
  Folder folder;
  std::string log = folder.write("log.jsonl", project_file("fixtures/trip.jsonl"));
  std::string path = folder.path();
  Result<Exit> ran =
      run_words({"dag", "-q", log, "-f", "text", "-o", path + "/out", "--metrics", path + "/m.json",
                 "--metrics", path + "/m.prom", "--snapshot", path + "/s.json"});
  REQUIRE(ran);
  std::string text = folder.read("m.prom");
  CHECK(text.find("\nexplain_ingest_batch_size_sum 18\n") != std::string::npos);
  CHECK(text.find("\nexplain_node_created_total 18\n") != std::string::npos);
  CHECK(text.find("\nexplain_edge_created_total 32\n") != std::string::npos);
  CHECK(text.find("\nexplain_nodes_in_memory 18\n") != std::string::npos);
  CHECK(text.find("\nexplain_persist_file_size_bytes " +
                  std::to_string(folder.read("s.json").size()) + "\n") != std::string::npos);
  Trace own = read_log(folder.read("m.json"));
  CHECK(own.spans.size() == 2);
  CHECK(complaints_of(own).empty());
  CHECK(run_words({"list", "-q", path + "/m.json", "-f", "json", "-o", path + "/list"}));
}

TEST_CASE("a snapshot holds what the answer says as JSON, and the time of the newest event") {
  Folder folder;
  std::string log = folder.write("log.jsonl", project_file("fixtures/trip.jsonl"));
  std::string path = folder.path();
  std::vector<std::string> words = {"dag", "-q",   log,         "-o", path + "/out.json",
                                    "-f",  "json", "--snapshot"};
  auto with = [&](const std::string& file) {
    std::vector<std::string> all = words;
    all.push_back(file);
    return run_words(all);
  };
  REQUIRE(with(path + "/s.json"));
  std::string once = folder.read("s.json");
  nlohmann::json kept = nlohmann::json::parse(once);
  REQUIRE(kept["snapshots"].size() == 1);
  CHECK(kept["snapshots"][0]["lastUpdated"] == "2026-03-01T09:32:15.200Z");
  CHECK(kept["snapshots"][0]["graph"] == nlohmann::json::parse(folder.read("out.json")));
  REQUIRE(with(path + "/s.json"));
  CHECK(folder.read("s.json") == once);
}

TEST_CASE("what goes wrong is among the metrics, and what cannot be written is told") {
  Folder folder;
  std::string path = folder.path();
  Result<Exit> ran = run_words(
      {"dag", "-q", folder.write("empty.jsonl", "nothing\n"), "--metrics", path + "/m.prom"});
  REQUIRE_FALSE(ran);
  CHECK(ran.error().exit == Exit::input);
  CHECK(folder.read("m.prom").find("\nexplain_ingest_errors_total 1\n") != std::string::npos);
  std::string log = folder.write("log.jsonl", project_file("fixtures/trip.jsonl"));
  ran = run_words({"dag", "-q", log, "-o", path + "/out", "--metrics", path + "/none/m.prom"});
  REQUIRE_FALSE(ran);
  CHECK(ran.error().exit == Exit::output);
}
