#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "base/protobuf.h"
#include "render/exported.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

/// The fields of a message by their numbers; texts of each as they come.
std::multimap<uint32_t, ProtobufField> fields_of(std::string_view message) {
  std::multimap<uint32_t, ProtobufField> found;
  ProtobufFields fields(message);
  for (ProtobufField field; fields.next(field);) found.emplace(field.number, field);
  REQUIRE(!fields.is_broken());
  return found;
}

Json list_of(const std::multimap<uint32_t, ProtobufField>& fields, uint32_t number,
             Json (*read)(std::string_view)) {
  Json list = Json::array();
  const auto [first, last] = fields.equal_range(number);
  for (auto field = first; field != last; ++field) list.push_back(read(field->second.bytes));
  return list;
}

const ProtobufField* one(const std::multimap<uint32_t, ProtobufField>& fields, uint32_t number) {
  REQUIRE(fields.count(number) <= 1);
  const auto found = fields.find(number);
  return found == fields.end() ? nullptr : &found->second;
}

std::string digits(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    text += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

// By the numbers of opentelemetry-proto, as its JSON has the same.

Json value(std::string_view message) {
  const auto fields = fields_of(message);
  REQUIRE(fields.size() == 1);
  const auto& [number, field] = *fields.begin();
  switch (number) {
    case 1: return {{"stringValue", std::string(field.bytes)}};
    case 2: return {{"boolValue", field.integer != 0}};
    case 3: return {{"intValue", std::to_string(static_cast<int64_t>(field.integer))}};
    case 4: return {{"doubleValue", std::bit_cast<double>(field.integer)}};
    case 5: return {{"arrayValue", {{"values", list_of(fields_of(field.bytes), 1, value)}}}};
    default: FAIL("no value has the number " << number);
  }
  return {};
}

Json attribute(std::string_view message) {
  const auto fields = fields_of(message);
  return {{"key", std::string(one(fields, 1)->bytes)}, {"value", value(one(fields, 2)->bytes)}};
}

Json link_to(std::string_view message) {
  const auto fields = fields_of(message);
  return {{"traceId", digits(one(fields, 1)->bytes)},
          {"spanId", digits(one(fields, 2)->bytes)},
          {"attributes", list_of(fields, 4, attribute)}};
}

Json span(std::string_view message) {
  const auto fields = fields_of(message);
  Json span = {{"traceId", digits(one(fields, 1)->bytes)},
               {"spanId", digits(one(fields, 2)->bytes)},
               {"name", std::string(one(fields, 5)->bytes)},
               {"kind", one(fields, 6)->integer},
               {"startTimeUnixNano", std::to_string(one(fields, 7)->integer)},
               {"endTimeUnixNano", std::to_string(one(fields, 8)->integer)},
               {"attributes", list_of(fields, 9, attribute)},
               {"status", Json::object()}};
  CHECK(one(fields, 1)->bytes.size() == 16);
  CHECK(one(fields, 2)->bytes.size() == 8);
  if (const ProtobufField* parent = one(fields, 4)) span["parentSpanId"] = digits(parent->bytes);
  if (fields.contains(13)) span["links"] = list_of(fields, 13, link_to);
  if (const ProtobufField* status = one(fields, 15)) {
    const auto told = fields_of(status->bytes);
    if (const ProtobufField* code = one(told, 3)) span["status"]["code"] = code->integer;
    if (const ProtobufField* words = one(told, 2))
      span["status"]["message"] = std::string(words->bytes);
  }
  return span;
}

/// Each span, with the attributes of its resource.
Json spans_of(std::string_view request) {
  Json spans = Json::array();
  const auto services = fields_of(request);
  CHECK(services.count(1) == services.size());
  for (const auto& [number, service] : services) {
    const auto parts = fields_of(service.bytes);
    const Json resource = list_of(fields_of(one(parts, 1)->bytes), 1, attribute);
    const auto scope = fields_of(one(parts, 2)->bytes);
    CHECK(one(fields_of(one(scope, 1)->bytes), 1)->bytes == "xtrace");
    for (Json& one_span : list_of(scope, 2, span)) {
      one_span["resource"] = resource;
      spans.push_back(one_span);
    }
  }
  return spans;
}

Json spans_of_json(const std::string& text) {
  Json spans = Json::array();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const Json request = Json::parse(line);
    for (const Json& service : request["resourceSpans"])
      for (Json span : service["scopeSpans"][0]["spans"]) {
        span["resource"] = service["resource"]["attributes"];
        spans.push_back(span);
      }
  }
  return spans;
}

}  // namespace

TEST_CASE("the spans of Protocol Buffers are those of OpenTelemetry's JSON") {
  for (const char* fixture :
       {"trip.jsonl", "guess.jsonl", "retries.jsonl", "trust.json", "hostile.jsonl", "mesh.json"}) {
    INFO(fixture);
    const std::string log = project_file(std::string("fixtures/") + fixture);
    const Json expected = spans_of_json(exported("convert", "otlp", log));
    REQUIRE(!expected.empty());
    CHECK(spans_of(exported("convert", "otlp-proto", log)) == expected);
  }
}

TEST_CASE("a log of Protocol Buffers is known by its first bytes and named with the way to one") {
  const std::string log = project_file("fixtures/trip.jsonl");
  const Result<Trace> read = load_log(exported("convert", "otlp-proto", log));
  REQUIRE(!read);
  CHECK_THAT(read.error().what,
             Catch::Contains("Protocol Buffers") && Catch::Contains("--to otlp"));
}

TEST_CASE("a message that was cut ends where its last whole field does") {
  const std::string log = project_file("fixtures/guess.jsonl");
  const std::string all = exported("convert", "otlp-proto", log);
  for (size_t size = 1; size < all.size(); ++size) {
    ProtobufFields fields(std::string_view(all).substr(0, size));
    size_t end = 0;
    for (ProtobufField field; fields.next(field);) end = size - fields.rest().size();
    CHECK(fields.is_broken() == (end != size));
  }
}
