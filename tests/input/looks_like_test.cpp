#include "input/looks_like.h"

#include <catch2/catch.hpp>

namespace xtrace {

namespace {

std::string_view what_it_resembles(const std::string& record) {
  simdjson::dom::parser parser;
  json::element value;
  REQUIRE_FALSE(parser.parse(record).get(value));
  return looks_like(value);
}

bool resembles(const std::string& record, std::string_view maker) {
  CAPTURE(record);
  return what_it_resembles(record).find(maker) != std::string_view::npos;
}

}  // namespace

TEST_CASE("a record of a known tool that is not read is named") {
  CHECK(resembles(R"({"kind":0,"v":{"version":3,"sessionId":"s","requests":[]}})",
                  "Visual Studio Code"));
  CHECK(resembles(R"({"kind":2,"k":["requests"],"v":[]})", "Visual Studio Code"));
  CHECK(resembles(R"({"content":[{"id":"t","start_time":"x","span_count":3}]})", "Opik"));
  CHECK(resembles(R"({"TraceSummaries":[{"Id":"1-5759e988-bd862e3fe1be46a994272793"}]})", "X-Ray"));
  CHECK(resembles(R"({"meta":[],"data":[["a"]],"rows":1})", "JSONEachRow"));
  CHECK(resembles(R"({"columns":[{"name":"trace_id","values":["a"]}]})", "json_rows"));
  CHECK(resembles(R"({"data":{"result":[{"list":[{"data":{"spanID":"a"}}]}]}})", "SigNoz"));
  CHECK(resembles(R"({"hits":{"hits":[{"_id":"1","fields":{"span.id":["a"]}}]}})", "_source"));
  CHECK(resembles(R"({"data":null,"errors":[{"code":404,"msg":"trace not found"}]})", "Jaeger"));
  CHECK(resembles(R"({"trajectoryId":"t","cascadeId":"c","steps":[]})", "Antigravity"));
  CHECK(resembles(R"({"items":[{"event_id":"e","source":"user"}],"has_next_page":false})",
                  "Devin's API"));
  CHECK(resembles(R"({"type":"message","turnId":"t","createdAt":1,"state":{"status":"completed"}})",
                  "Mistral Vibe"));
}

TEST_CASE("any other record is named by what its keys have most in common with") {
  CHECK(resembles(R"({"SpanId":"a","TraceId":"b","parent_id":null,"Duration":4})",
                  "spans in an unsupported shape"));
  CHECK(resembles(R"({"export":{"items":[{"trace_id":"a","span_id":"b","start_time":1}]}})",
                  "spans in an unsupported shape"));
  CHECK(resembles(R"({"model":"m","prompt_tokens":5,"completion_tokens":2})", "model calls"));
  CHECK(resembles(R"({"author":"user","text":"dig","created_at":"2026-03-01"})", "conversation"));
  CHECK(what_it_resembles(R"({"bed":"south","state":"dug"})").empty());
  CHECK(what_it_resembles("{}").empty());
  CHECK(what_it_resembles("[]").empty());
}

}  // namespace xtrace
