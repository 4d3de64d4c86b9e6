#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "converted.h"
#include "made_secret.h"
#include "reading.h"
#include "render/renderer.h"
#include "reread.h"
#include "transcript.h"
#include "view/common/view.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

Json answer_of(const Graph& graph) {
  Door door(Redaction::all, Door::Level::basic, 200);
  Result<Document> document = find_view("dag")->make()->answer({graph, door, Face::tables});
  std::ostringstream out;
  write_json(document.value(), Paper{}, out);
  return Json::parse(out.str());
}

/// Everything that a graph says, but where its records stand, and how many log records of others
/// tell of them.
Json graph_of(const Graph& graph) {
  Json answer = answer_of(graph);
  for (const char* key : {"inputs", "warnings", "field_descriptions", "redactions"})
    answer.erase(key);
  for (Json& node : answer["nodes"])
    for (const char* key : {"at", "log_index", "observed_at", "log_records", "exemplars"})
      node.erase(key);
  if (answer.contains("unplaced"))
    for (Json& row : answer["unplaced"]) row.erase("at");
  if (answer.contains("summaries"))
    for (Json& summary : answer["summaries"])
      for (Json& step : summary["steps"]) step.erase("at");
  // Whether a result's tokens are an estimate is known from texts, which spans do not have.
  if (answer.contains("tool_flows"))
    for (Json& flow : answer["tool_flows"]) flow.erase("estimated_tokens");
  for (Json& node : answer["nodes"])
    if (node.contains("details")) node["details"].erase("alsoAt");
  for (Json& edge : answer["edges"])
    if (edge.contains("evidence")) edge["evidence"].erase("at");
  return answer;
}
Json graph_of(const std::string& log) {
  return graph_of(link(read_log(log), {}));
}

/// All files of the project's fixtures and all folders of them that hold one session's, in order.
std::vector<std::string> fixtures() {
  namespace fs = std::filesystem;
  const fs::path root = project_path("fixtures");
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root))
    paths.push_back(entry.path().lexically_relative(root).string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// What spans cannot say, whoever writes them.
bool is_beyond_spans(const std::string& path) {
  // Edges that a document tells are no parents, and events no spans. Of calls of several sessions
  // at one moment nothing says which stood first; a session without a name gets one.
  return path == "graph.jsonc" || path == "story" || path == "gateways" || path == "agents" ||
         path == "clearance" || path == "diff";
}

/// A session with a subagent that its end names, one that nobody recorded, a failed attempt and a
/// summary.
std::string transcript() {
  Transcript log;
  log.user("u1", "go");
  log.answer("a1", "m1", uses("t1", "Read", R"({"file_path":"/src/a.cpp"})"), 5);
  log.result("u2", "t1");
  log.answer("a2", "m2", spawns("t2", "Explore", "look around"), 7);
  log.within("t2", "w1", "look around");
  log.user("w1", "look around");
  log.answer("w2", "m3", says("found"), 3);
  return log.text();
}

std::vector<std::string> logs() {
  std::vector<std::string> all = {transcript()};
  for (const char* name : {"trip.jsonl",        "guess.jsonl",         "twins.jsonl",
                           "resume.jsonl",      "sessions.jsonl",      "openai.jsonl",
                           "lost-ids.jsonl",    "streamed.jsonl",      "costs.jsonl",
                           "hostile.jsonl",     "private.jsonl",       "handed.jsonl",
                           "trust.json",        "services.json",       "agents.jsonl",
                           "tickets-otlp.json", "tickets-jaeger.json", "zipkin.json",
                           "sdk-spans.json",    "flat-spans.json",     "rag.json"})
    all.push_back(project_file(std::string("fixtures/") + name));
  return all;
}

/// How the second differs from the first, in words for a failing test.
std::string difference(const Json& before, const Json& after) {
  std::string text;
  for (const Json& change : Json::diff(before, after)) {
    if (text.size() > 2000) return text + "…";
    text += change.dump() + "\n";
  }
  return text;
}

/// All spans of an OTLP document of many lines.
std::vector<Json> spans_of(const std::string& otlp) {
  std::vector<Json> spans;
  std::istringstream in(otlp);
  for (std::string line; std::getline(in, line);) {
    Json request = Json::parse(line);
    for (const Json& resource : request["resourceSpans"])
      for (const Json& scope : resource["scopeSpans"])
        for (const Json& span : scope["spans"]) spans.push_back(span);
  }
  return spans;
}

Json attribute(const Json& span, const std::string& key) {
  for (const Json& one : span["attributes"])
    if (one["key"] == key) return one["value"];
  return {};
}

bool is_hex(const std::string& id, size_t digits) {
  return id.size() == digits && id.find_first_not_of("0123456789abcdef") == std::string::npos &&
         id.find_first_not_of('0') != std::string::npos;
}

}  // namespace

TEST_CASE("a log that was converted is the same graph, and so is that converted again") {
  const char* format = GENERATE("otlp", "jaeger");
  CAPTURE(format);
  size_t nth = 0;
  for (const std::string& log : logs()) {
    CAPTURE(nth++);
    Json expected = graph_of(log);
    REQUIRE_FALSE(expected["nodes"].empty());
    std::string once = converted(log, format);
    Json back = graph_of(once);
    CHECK(back["nodes"] == expected["nodes"]);
    CHECK(back["edges"] == expected["edges"]);
    CHECK(back == expected);
    CHECK(graph_of(converted(once, format)) == expected);
  }
}

TEST_CASE("whatever is read is the same graph when it was converted and is read again") {
  size_t compared = 0;
  for (const std::string& path : fixtures()) {
    if (is_beyond_spans(path)) continue;
    CAPTURE(path);
    Progress progress;
    Result<Trace> trace = load({project_path("fixtures/" + path)}, {}, progress);
    if (!trace || (trace->calls.empty() && trace->spans.empty())) continue;
    const Graph graph = link(*std::move(trace), {});
    CHECK(difference(graph_of(graph), graph_of(converted(graph, "otlp"))) == "");
    ++compared;
  }
  CHECK(compared > 150);
}

TEST_CASE("trajectories are read back as the same calls, links and tokens") {
  for (const std::string& log :
       {transcript(), project_file("fixtures/trip.jsonl"), project_file("fixtures/costs.jsonl"),
        project_file("fixtures/waits.jsonl")}) {
    Json before = graph_of(log), after = graph_of(converted(log, "atif"));
    auto ends_of = [](const Json& graph) {
      std::map<std::string, Json> ends;
      for (const Json& node : graph["nodes"])
        for (const char* key : {"tokens", "status", "error", "stop_reason", "timestamp"})
          if (node.contains(key)) ends[node["id"]][key] = node[key];
      for (auto& [id, end] : ends)
        if (end.contains("tokens")) end["tokens"].erase("cache_creation_1h");  // has no word
      return ends;
    };
    CHECK(ends_of(after) == ends_of(before));
    auto spawns_of = [](const Json& graph) {
      std::set<std::pair<std::string, std::string>> spawns;
      for (const Json& edge : graph["edges"])
        if (edge["type"] == "subagent_spawn")
          spawns.emplace(edge["source"].get<std::string>(), edge["target"].get<std::string>());
      return spawns;
    };
    CHECK(spawns_of(after) == spawns_of(before));
  }
}

TEST_CASE("spans that are written have ids, names and times that tracing systems take") {
  for (const std::string& log : logs()) {
    std::set<std::pair<std::string, std::string>> ids;
    std::vector<Json> spans = spans_of(converted(log, "otlp"));
    REQUIRE_FALSE(spans.empty());
    std::map<std::pair<std::string, std::string>, std::string> parents;
    for (const Json& span : spans) {
      CHECK(is_hex(span["traceId"], 32));
      CHECK(is_hex(span["spanId"], 16));
      CHECK_FALSE(span["name"].get<std::string>().empty());
      CHECK(ids.emplace(span["traceId"], span["spanId"]).second);
      uint64_t start = std::stoull(span["startTimeUnixNano"].get<std::string>());
      uint64_t end = std::stoull(span["endTimeUnixNano"].get<std::string>());
      CHECK(start <= end);
      if (span.contains("parentSpanId"))
        parents[{span["traceId"], span["spanId"]}] = span["parentSpanId"];
    }
    for (const Json& span : spans) {
      std::pair<std::string, std::string> at(span["traceId"], span["spanId"]);
      size_t steps = 0;
      for (; parents.contains(at) && steps <= spans.size(); ++steps) {
        at.second = parents[at];
        REQUIRE(ids.contains(at));
      }
      CHECK(steps <= spans.size());
      if (span.contains("links"))
        for (const Json& link : span["links"])
          CHECK(ids.contains({link["traceId"].get<std::string>(), link["spanId"]}));
    }
  }
}

TEST_CASE("Jaeger gets typed tags, and processes that its spans name") {
  for (const std::string& log : logs()) {
    Json answer = Json::parse(converted(log, "jaeger"));
    REQUIRE_FALSE(answer["data"].empty());
    for (const Json& trace : answer["data"])
      for (const Json& span : trace["spans"]) {
        CHECK(span["traceID"] == trace["traceID"]);
        CHECK(trace["processes"].contains(span["processID"].get<std::string>()));
        CHECK(span["duration"].get<int64_t>() >= 0);
        std::set<std::string> keys;
        for (const Json& tag : span["tags"]) {
          CHECK(keys.insert(tag["key"]).second);
          const Json& value = tag["value"];
          std::string type = tag["type"];
          bool fits = type == "string"    ? value.is_string()
                      : type == "bool"    ? value.is_boolean()
                      : type == "int64"   ? value.is_number_integer()
                      : type == "float64" ? value.is_number()
                                          : false;
          CHECK(fits);
        }
      }
  }
}

TEST_CASE("what surely led to a span is its parent, what may have is a link with its confidence") {
  std::vector<Json> spans = spans_of(converted(project_file("fixtures/guess.jsonl"), "otlp"));
  size_t links = 0;
  for (const Json& span : spans) {
    if (!span.contains("links")) continue;
    for (const Json& link : span["links"]) {
      ++links;
      CHECK_FALSE(attribute(link, "xtrace.link.type").is_null());
      CHECK_FALSE(attribute(link, "xtrace.link.confidence").is_null());
    }
  }
  CHECK(links > 0);
  size_t sure = 0;
  for (const Json& span : spans_of(converted(project_file("fixtures/trust.json"), "otlp"))) {
    if (!span.contains("parentSpanId")) continue;
    ++sure;
    Json confidence = attribute(span, "xtrace.cause.confidence");
    if (!confidence.is_null()) CHECK(confidence["doubleValue"].get<double>() > 0.98);
  }
  CHECK(sure > 0);
}

TEST_CASE("input tokens of a span are with those of the cache, as OpenTelemetry counts them") {
  std::string log = project_file("fixtures/costs.jsonl");
  Json dag = answer_of(link(read_log(log), {}));
  std::map<std::string, Json> tokens;
  for (const Json& node : dag["nodes"]) tokens[node["id"]] = node.value("tokens", Json::object());
  size_t cached = 0;
  for (const Json& span : spans_of(converted(log, "otlp"))) {
    Json id = attribute(span, "xtrace.id"), input = attribute(span, "gen_ai.usage.input_tokens");
    if (id.is_null() || input.is_null()) continue;
    const Json& of = tokens[id["stringValue"]];
    int64_t cache = of.value("cache_read", 0) + of.value("cache_creation", 0);
    cached += cache > 0;
    CHECK(std::stoll(input["intValue"].get<std::string>()) == of.value("input", 0) + cache);
  }
  CHECK(cached > 0);
}

namespace {

/// All agent steps of a trajectory and of those below it.
void collect(const Json& trajectory, std::vector<Json>& steps, std::set<std::string>& spawned) {
  CHECK(trajectory["schema_version"] == "ATIF-v1.7");
  int64_t number = 0;
  std::set<std::string> below;
  for (const Json& step : trajectory["steps"]) {
    CHECK(step["step_id"] == ++number);
    CHECK((step["source"] == "user" || step["source"] == "agent"));
    if (step["source"] == "agent") steps.push_back(step);
    if (step.contains("observation"))
      for (const Json& result : step["observation"]["results"])
        if (result.contains("subagent_trajectory_ref"))
          for (const Json& reference : result["subagent_trajectory_ref"])
            below.insert(reference["trajectory_id"]);
  }
  if (trajectory.contains("subagent_trajectories"))
    for (const Json& other : trajectory["subagent_trajectories"]) {
      below.erase(other["trajectory_id"]);
      collect(other, steps, spawned);
      spawned.insert(other["trajectory_id"]);
    }
  CHECK(below.empty());
}

}  // namespace

TEST_CASE("trajectories hold every call with its model, its tokens, its tools and its subagents") {
  for (const char* name : {"trip.jsonl", "guess.jsonl", "twins.jsonl", "resume.jsonl",
                           "sessions.jsonl", "openai.jsonl", "costs.jsonl", "hostile.jsonl"}) {
    CAPTURE(name);
    std::string log = project_file(std::string("fixtures/") + name);
    Json dag = answer_of(link(read_log(log), {}));
    std::map<std::string, Json> nodes;
    for (const Json& node : dag["nodes"]) nodes[node["id"]] = node;
    std::vector<Json> steps;
    std::set<std::string> spawned;
    std::istringstream in(converted(log, "atif"));
    size_t trajectories = 0;
    for (std::string line; std::getline(in, line); ++trajectories)
      collect(Json::parse(line), steps, spawned);
    CHECK(trajectories == dag["sessions"].size());
    REQUIRE(steps.size() == nodes.size());
    for (const Json& step : steps) {
      const Json& node = nodes.at(step["extra"]["xtrace.id"]);
      if (node.contains("model")) CHECK(step["model_name"] == node["model"]);
      if (node.contains("timestamp")) CHECK(step["timestamp"] == node["timestamp"]);
      if (node.contains("tokens") && node["tokens"].contains("output"))
        CHECK(step["metrics"]["completion_tokens"] == node["tokens"]["output"]);
      if (node.contains("cost_usd")) CHECK(step["metrics"]["cost_usd"] == node["cost_usd"]);
      size_t uses = node.contains("tool_uses") ? node["tool_uses"].size() : 0;
      REQUIRE((step.contains("tool_calls") ? step["tool_calls"].size() : 0) == uses);
      for (size_t i = 0; i < uses; ++i)
        if (node["tool_uses"][i].contains("name"))
          CHECK(step["tool_calls"][i]["function_name"] == node["tool_uses"][i]["name"]);
    }
    size_t known = 0;
    for (const Json& edge : dag["edges"])
      known += edge["type"] == "subagent_spawn" && !edge.contains("resumed");
    CHECK(spawned.size() >= known);
  }
}

TEST_CASE("what was said is converted at level full alone, and secrets never") {
  std::string secret = "sk-ant-" + std::string("api03-") + body(93) + "AA";
  std::string log = R"({"id":"c1","timestamp":"2026-01-01T10:00:00Z","request":{"model":"m",)"
                    R"("messages":[{"role":"user","content":"open the door with )" +
                    secret +
                    R"("}]},"response":{"id":"r1","content":[{"type":"text",)"
                    R"("text":"a door is open"}],"usage":{"output_tokens":3}}})";
  for (const char* format : {"otlp", "jaeger", "atif"}) {
    CAPTURE(format);
    std::string basic = converted(log, format);
    CHECK(basic.find("door") == std::string::npos);
    CHECK(basic.find(secret) == std::string::npos);
    std::string full = converted(log, format, Door::Level::full);
    CHECK(full.find("open the door with [REDACTED:") != std::string::npos);
    CHECK(full.find("a door is open") != std::string::npos);
    CHECK(full.find(secret) == std::string::npos);
  }
}

TEST_CASE("the conversation that spans name goes with them") {
  const std::string spans =
      R"({"data": [{"traceID": "t1", "spans": [{"traceID": "t1", "spanID": "a1",
          "operationName": "chat", "startTime": 1000000, "duration": 5000, "processID": "p1",
          "references": [], "tags": [{"key": "gen_ai.conversation.id", "value": "trip-7"},
                                     {"key": "gen_ai.operation.name", "value": "chat"}]}],
          "processes": {"p1": {"serviceName": "guide"}}}]})";
  CHECK(converted(spans, "jaeger").find(R"("gen_ai.conversation.id")") != std::string::npos);
  CHECK(converted(spans, "jaeger").find("trip-7") != std::string::npos);
}

TEST_CASE("that a call made a summary is converted with it") {
  const std::string log =
      R"({"type":"session.start","data":{"sessionId":"s","version":1,"producer":"copilot-agent"},"id":"e1","timestamp":"2026-01-01T10:00:00Z","parentId":null})"
      "\n"
      R"({"type":"user.message","data":{"content":"go"},"id":"e2","timestamp":"2026-01-01T10:00:01Z","parentId":"e1"})"
      "\n"
      R"({"type":"session.compaction_complete","data":{"success":true,"summaryContent":"all went well","compactionTokensUsed":{"inputTokens":100,"outputTokens":9,"duration":5000,"model":"small"}},"id":"e5","timestamp":"2026-01-01T10:00:10Z","parentId":"e2"})"
      "\n";
  const char* format = GENERATE("otlp", "jaeger", "atif");
  CAPTURE(format);
  const auto sums_up = [](const Call& call) { return call.sums_up; };
  const Trace before = read_log(log), after = read_log(converted(log, format));
  CHECK(std::count_if(before.calls.begin(), before.calls.end(), sums_up) == 1);
  CHECK(std::count_if(after.calls.begin(), after.calls.end(), sums_up) == 1);
}

TEST_CASE("where a summary stands for what was said before is converted with the call") {
  Transcript log;
  log.user("u1", "go");
  log.answer("a1", "m1", says("on it"));
  log.line("c1", "system", R"("subtype":"compact_boundary","compactMetadata":{"trigger":"auto"})");
  log.user("u2", "This session is being continued");
  log.answer("a2", "m2", says("done"));
  log.line("c2", "system", R"("subtype":"microcompact_boundary")");
  log.user("u3", "and now");
  log.answer("a3", "m3", says("done again"));
  const char* format = GENERATE("otlp", "jaeger", "atif");
  CAPTURE(format);
  const Trace before = read_log(log.text());
  const Trace after = read_log(converted(log.text(), format));
  REQUIRE(before.calls.size() == 3);
  REQUIRE(after.calls.size() == 3);
  CHECK(before.calls[1].is_compacted);
  CHECK(before.calls[2].is_pruned);
  for (size_t i = 0; i < 3; ++i) {
    CHECK(after.calls[i].is_compacted == before.calls[i].is_compacted);
    CHECK(after.calls[i].is_pruned == before.calls[i].is_pruned);
  }
}

TEST_CASE("a log and what it was converted to are the same run, as far as both tell") {
  Graph was = link(read_log(project_file("fixtures/trip.jsonl"), {}), {});
  Graph is = link(read_log(converted(was, "otlp")), {});
  ComparedRun earlier{was};
  Door door(Redaction::all, Door::Level::basic, 200);
  Question question{is, door};
  question.before = &earlier;
  std::ostringstream out;
  write_json(find_view("diff")->make()->answer(question).value(), Paper{}, out);
  const Json answer = Json::parse(out.str());
  CHECK(answer["equal"] == true);
  CHECK(answer["texts_compared"] == false);
  CHECK(answer["steps"] == Json::array());
}
