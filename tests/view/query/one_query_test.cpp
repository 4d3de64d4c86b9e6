#include "query_answers.h"

using namespace xtrace;

namespace {

/// A span of a query, in one trace with those of the others.
std::string span_of(const std::string& query, const std::string& id, const std::string& parent,
                    int second) {
  return fmt::format(
      R"({{"trace_id":"5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b","span_id":"000000000000000{}",)"
      R"("parent_span_id":"{}","name":"work","start_time":"2026-01-01T10:00:0{}Z",)"
      R"("end_time":"2026-01-01T10:00:09Z","attributes":{{"queryId":"{}"}}}})"
      "\n",
      id, parent.empty() ? "" : "000000000000000" + parent, second, query);
}

Json asked(const char* view, const std::string& log,
           std::multimap<std::string, std::string> options) {
  Folder folder;
  Progress progress;
  Graph graph = link(load({folder.write("log.jsonl", log)}, {}, progress).value(), {});
  Reread payloads(graph.trace());
  Door door(Redaction::all, Door::Level::basic, 200);
  std::unique_ptr<View> of = find_view(view)->make();
  Set set(std::move(options));
  of->declare(set);
  Result<Document> document = of->answer({graph, door, Face::tables, &payloads});
  if (!document) return document.error().what;
  std::ostringstream out;
  write_json(*document, Paper{}, out);
  return Json::parse(out.str());
}

const std::string kCalls = [] {
  CallStory story;
  story.call("a").session("s").says("first").uses("t1", "Read");
  story.call("a2").session("s").after("a").reads("t1").answers("done");
  story.call("b").session("s").after("a2").says("second").uses("t2", "Bash");
  story.call("b2").session("s").after("b").reads_error("t2").answers("failed");
  return story.log();
}();

}  // namespace

TEST_CASE("effects within a query end where the next one begins") {
  const Json whole = asked("impact", kCalls, {{"--node", "t1"}});
  const Json one = asked("impact", kCalls, {{"--node", "t1"}, {"--query", "a"}});
  CHECK(whole["reached"]["nodes"] == Json::array({"a2", "b", "t2", "b2"}));
  CHECK(one["reached"]["nodes"] == Json::array({"a2"}));
  CHECK(one["filtered"] == Json{{"nodes", 0}, {"edges", 0}});
}

TEST_CASE("without a node, effects are those of the first step of the query") {
  const Json one = asked("impact", kCalls, {{"--query", "b"}});
  CHECK(one["target"] == "b");
  CHECK(one["reached"]["nodes"] == Json::array({"t2", "b2"}));
}

TEST_CASE("a failure of another query is no symptom of this one") {
  CHECK(asked("blame", kCalls, {})["symptom"]["id"] == "t2");
  CHECK(asked("blame", kCalls, {{"--query", "a"}})["symptom"]["id"] == "a2");
}

TEST_CASE("a query that nobody asked is none") {
  CHECK(asked("impact", kCalls, {{"--query", "z9"}}).get<std::string>().find("no query 'z9'") == 0);
}

TEST_CASE("a span of another query is no cause within this one") {
  const std::string log = span_of("Q1", "1", "", 1) + span_of("Q1", "2", "1", 2) +
                          span_of("Q2", "3", "2", 3) + span_of("Q2", "4", "3", 4);
  const Json first = asked("impact", log, {{"--query", "Q1"}});
  CHECK(first["reached"]["nodes"] == Json::array({"0000000000000002"}));
  const Json second = asked("impact", log, {{"--query", "Q2"}});
  CHECK(second["target"] == "0000000000000003");
  CHECK(second["dominators"] == Json::array());
  CHECK(second["reached"]["nodes"] == Json::array({"0000000000000004"}));
}
