#include "input/spans/plain_value.h"

#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

namespace {

/// A call to a model whose attributes are written so.
std::string call_with_tags(const std::string& attributes, const std::string& id = R"("b1")") {
  return R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"a1","spanId":)" + id +
         R"(,"name":"chat","startTimeUnixNano":"1","endTimeUnixNano":"2","attributes":)" +
         attributes + "}]}]}]}\n";
}

std::string listed_tags(const std::string& model, const std::string& count) {
  return R"([{"key":"gen_ai.request.model","value":)" + model +
         R"(},{"key":"gen_ai.usage.input_tokens","value":)" + count + "}]";
}

std::string shape_of_json(const std::string& text) {
  simdjson::dom::parser parser;
  json::element value;
  REQUIRE_FALSE(parser.parse(text).get(value));
  return shape_of(value);
}

}  // namespace

TEST_CASE("a value is read in whatever wrapping a language's library puts it") {
  const std::string attributes = GENERATE(
      listed_tags(R"({"stringValue":"m"})", R"({"intValue":"7"})"),
      listed_tags(R"({"string_value":"m"})", R"({"int_value":7})"),
      listed_tags(R"({"Value":{"StringValue":"m"}})", R"({"Value":{"IntValue":7}})"),
      listed_tags(R"({"type":"STRING","value":"m"})", R"({"type":"INT64","value":"7"})"),
      listed_tags(R"({"$case":"stringValue","value":"m"})", R"({"$case":"intValue","value":7})"),
      listed_tags(R"({"value":{"$case":"stringValue","stringValue":"m"}})",
                  R"({"value":{"$case":"intValue","intValue":7}})"),
      listed_tags(R"({"value":{"case":"stringValue","value":"m"}})",
                  R"({"value":{"case":"intValue","value":"7"}})"),
      listed_tags(R"({"stringValue":"m","intValue":null})", R"({"stringValue":null,"intValue":7})"),
      listed_tags(R"({"stringValue":"m"})", R"({"intValue":{"low":7,"high":0,"unsigned":false}})"),
      listed_tags(R"({"stringValue":"m"})", R"({"doubleValue":7.0})"),
      listed_tags(R"("m")", R"("7")"),
      std::string(R"([{"Key":"gen_ai.request.model","Value":{"Type":"STRING","Value":"m"}},)"
                  R"({"Key":"gen_ai.usage.input_tokens","Value":{"Type":"INT64","Value":7}}])"),
      std::string(R"([{"key":"gen_ai.request.model","vStr":"m"},)"
                  R"({"key":"gen_ai.usage.input_tokens","vType":"INT64","vInt64":"7"}])"),
      std::string(R"([["gen_ai.request.model","m"],["gen_ai.usage.input_tokens",7]])"),
      std::string(R"({"gen_ai.request.model":"m","gen_ai.usage.input_tokens":7})"),
      std::string(R"({"gen_ai":{"request":{"model":"m"},"usage":{"input_tokens":7}}})"),
      std::string(R"("{\"gen_ai.request.model\":\"m\",\"gen_ai.usage.input_tokens\":7}")"));
  CAPTURE(attributes);
  const Trace trace = read_log(call_with_tags(attributes));
  REQUIRE(trace.gen_ai.size() == 1);
  CHECK(trace[trace.gen_ai[0].model] == "m");
  CHECK(trace.gen_ai[0].tokens.input == 7);
  CHECK(trace.complaints.empty());
}

TEST_CASE("values of a shape that is not read are named once, with their place and shape") {
  struct Case {
    std::string attributes, shape;
  };
  const Case one = GENERATE(Case{listed_tags(R"({"S":"m"})", R"({"N":7})"), R"({"S": text})"},
                            Case{R"({"gen_ai.request.model":{"S":"m"}})", R"({"S": text})"},
                            Case{R"([{"name":"a","val":1}])", R"([{"name": text, "val": number}])"},
                            Case{R"("a=1;b=2")", "text"});
  CAPTURE(one.attributes);
  CHECK(complaints_of(read_log(call_with_tags(one.attributes))) ==
        "field 1: a span with attribute values of an unsupported shape: " + one.shape);
}

TEST_CASE("attributes that no convention knows are nothing to warn of") {
  for (const char* attributes :
       {"{}", "[]", "null", R"({"shop":{"beds":3}})", R"([{"key":"beds","value":{"intValue":3}}])"})
    CHECK(read_log(call_with_tags(attributes)).complaints.empty());
}

TEST_CASE("an id may be a list of its bytes") {
  for (const char* id : {R"("0102030405060708")", "[1,2,3,4,5,6,7,8]",
                         R"({"type":"Buffer","data":[1,2,3,4,5,6,7,8]})",
                         R"({"0":1,"1":2,"2":3,"3":4,"4":5,"5":6,"6":7,"7":8})"}) {
    const Trace trace = read_log(call_with_tags("[]", id));
    REQUIRE(trace.spans.size() == 1);
    CHECK(trace[trace.spans[0].id] == "0102030405060708");
  }
}

TEST_CASE("a shape has names and kinds of values, and nothing that they say") {
  CHECK(shape_of_json(R"({"a":"secret","b":[1,2],"c":{"d":{"e":{"f":1}}},"g":null,"h":true})") ==
        R"({"a": text, "b": [number, …], "c": {"d": {"e": {…}}}, "g": null, …})");
}

}  // namespace xtrace
