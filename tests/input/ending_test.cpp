#include "input/common/ending.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

/// What a record of these fields comes to; `end`: it has an end as well.
Outcome outcome_of(const std::string& record, bool end = true) {
  simdjson::dom::parser parser;
  json::element root;
  Ending ending;
  ending.has_end = end;
  REQUIRE_FALSE(parser.parse(record).get(root));
  json::fields(root,
               [&](std::string_view key, json::element value) { read_ending(key, value, ending); });
  return ending.outcome();
}

}  // namespace

TEST_CASE("what ended without an error is ok, and what has no end is not") {
  CHECK(outcome_of("{}") == Outcome::ok);
  CHECK(outcome_of("{}", false) == Outcome::unfinished);
  CHECK(outcome_of(R"({"status":"UNSET"})", false) == Outcome::unfinished);
  CHECK(outcome_of(R"({"status":{"code":0}})", false) == Outcome::unfinished);
  CHECK(outcome_of(R"({"status":"OK"})", false) == Outcome::ok);
}

TEST_CASE("an error is one in every spelling, in any field, with an end or without") {
  for (const char* record : {R"({"status":"ERROR"})",
                             R"({"status":"error"})",
                             R"({"status":"Failed"})",
                             R"({"status":2})",
                             R"({"status":"2"})",
                             R"({"status":{"code":2}})",
                             R"({"status":{"code":"STATUS_CODE_ERROR","message":"x"}})",
                             R"({"status":{"status_code":"ERROR"}})",
                             R"({"status_code":"StatusCode.ERROR"})",
                             R"({"statusCode":"STATUS_CODE_ERROR"})",
                             R"({"statusCode":503})",
                             R"({"otel_status_code":"ERROR"})",
                             R"({"level":"ERROR"})",
                             R"({"level":"fatal"})",
                             R"({"is_exception":true})",
                             R"({"success":false})",
                             R"({"success":"false"})",
                             R"({"failed":true})",
                             R"({"error":"no"})",
                             R"({"error":{"message":"no"}})",
                             R"({"error":true})",
                             R"({"error":1})",
                             R"({"isError":true})",
                             R"({"status":"DEADLINE_EXCEEDED"})",
                             R"({"status":"timed out"})"}) {
    CAPTURE(record);
    CHECK(outcome_of(record) == Outcome::error);
    CHECK(outcome_of(record, false) == Outcome::error);
  }
}

TEST_CASE("fields that say that nothing went wrong state nothing else") {
  for (const char* record :
       {R"({"error":null})", R"({"error":""})", R"({"error":false})", R"({"error":{}})",
        R"({"error":0})", R"({"is_error":false})", R"({"ended":true})", R"({"level":"WARNING"})",
        R"({"level":"info"})", R"({"is_exception":false})", R"({"success":true})",
        R"({"pending":false})", R"({"status":null})"}) {
    CAPTURE(record);
    CHECK(outcome_of(record) == Outcome::ok);
    CHECK(outcome_of(record, false) == Outcome::unfinished);
  }
}

TEST_CASE("a status of something under way is no end") {
  for (const char* status :
       {"pending", "running", "in_progress", "IN_PROGRESS", "queued", "input-required"}) {
    CAPTURE(status);
    CHECK(outcome_of(std::string(R"({"status":")") + status + "\"}") == Outcome::unfinished);
  }
  CHECK(outcome_of(R"({"pending":true})") == Outcome::unfinished);
  CHECK(outcome_of(R"({"ended":false})") == Outcome::unfinished);
}

TEST_CASE("a word that nobody knows states neither success nor failure") {
  CHECK(outcome_of(R"({"status":"sideways"})") == Outcome::unknown);
  CHECK(outcome_of(R"({"status":"sideways","error":"no"})") == Outcome::error);
}

TEST_CASE("our own words are read as they are") {
  for (size_t i = 1; i < std::size(kOutcomeWords); ++i)
    CHECK(outcome_named(kOutcomeWords[i]) == static_cast<Outcome>(i));
}

TEST_CASE("by gRPC's code a call failed for who made it, and for its server by fewer") {
  simdjson::dom::parser parser;
  const auto of = [&](const char* code, bool is_served) {
    json::element value;
    REQUIRE_FALSE(parser.parse(std::string(code)).get(value));
    return outcome_of_grpc(value, is_served);
  };
  CHECK(of("0", false) == Outcome::ok);
  CHECK(of("5", false) == Outcome::error);
  CHECK(of("5", true) == Outcome::unknown);
  CHECK(of("14", true) == Outcome::error);
  CHECK(of("\"14\"", true) == Outcome::error);
  CHECK(of("\"UNAVAILABLE\"", true) == Outcome::error);
  CHECK(of("\"OK\"", true) == Outcome::ok);
  CHECK(of("99", false) == Outcome::unknown);
}

TEST_CASE("of two records of one thing a failure stands, and an end before none") {
  CHECK(joined(Outcome::ok, Outcome::error) == Outcome::error);
  CHECK(joined(Outcome::unfinished, Outcome::ok) == Outcome::ok);
  CHECK(joined(Outcome::unknown, Outcome::unfinished) == Outcome::unfinished);
}

TEST_CASE("who asks for the unknown is shown all of which nothing is known") {
  for (Outcome outcome : {Outcome::unknown, Outcome::unanswered, Outcome::unfinished}) {
    CHECK(has_status(outcome, "unknown"));
    CHECK(has_status(outcome, word(outcome)));
  }
  CHECK_FALSE(has_status(Outcome::ok, "unknown"));
  CHECK_FALSE(has_status(Outcome::error, "unknown"));
  CHECK_FALSE(has_status(Outcome::unrecorded, "unknown"));
}
