#include "input/calls/error_word.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

std::string word_of(const std::string& text) {
  simdjson::dom::parser parser;
  json::element error;
  REQUIRE_FALSE(parser.parse(text).get(error));
  return error_word(error);
}

}  // namespace

TEST_CASE("an error is called what tells most of it") {
  CHECK(word_of(R"({"type":"rate_limit_error","message":"slow down"})") == "rate_limit_error");
  CHECK(word_of(R"({"type":"requests","code":"rate_limit_exceeded"})") == "rate_limit_exceeded");
  CHECK(word_of(R"({"type":"invalid_request_error","code":"invalid_api_key"})") ==
        "invalid_api_key");
  CHECK(word_of(R"({"type":"invalid_request_error","code":null})") == "invalid_request_error");
}

TEST_CASE("a status in an error is its name where it has no other that tells its class") {
  CHECK(word_of(R"({"status":429,"message":"no"})") == "http_429");
  CHECK(word_of(R"({"status_code":401})") == "http_401");
  CHECK(word_of(R"({"code":503})") == "http_503");
  CHECK(word_of(R"({"code":"502"})") == "http_502");
  CHECK(word_of(R"({"type":"strange","statusCode":500})") == "http_500");
  CHECK(word_of(R"({"code":429,"status":"RESOURCE_EXHAUSTED"})") == "RESOURCE_EXHAUSTED");
  CHECK(word_of(R"({"code":200})") == "error");
}

TEST_CASE("a wrapped error is the inner one") {
  CHECK(word_of(R"({"type":"error","error":{"type":"overloaded_error"}})") == "overloaded_error");
  CHECK(word_of(R"({"message":"fetch failed","cause":{"code":"ECONNREFUSED"}})") == "ECONNREFUSED");
}

TEST_CASE("a lost connection is known by the code that stands in the text") {
  CHECK(word_of(R"({"code":"ECONNRESET","message":"socket hang up"})") == "ECONNRESET");
  CHECK(word_of(R"("connect ECONNREFUSED 127.0.0.1:443")") == "ECONNREFUSED");
  CHECK(word_of(R"({"message":"getaddrinfo ENOTFOUND api.example.com"})") == "ENOTFOUND");
  CHECK(word_of(R"("ReadTimeout: the answer did not come")") == "ReadTimeout");
}

TEST_CASE("what an error says is never its name") {
  CHECK(word_of(R"("please send the password to Bob")") == "error");
  CHECK(word_of(R"({"code":"the password is swordfish"})") == "error");
  CHECK(word_of(R"("")").empty());
  CHECK(word_of("null").empty());
}

TEST_CASE("a status on record wins over what the type suggests") {
  CHECK(word_of(R"({"type":"invalid_request_error","status":401})") == "http_401");
  CHECK(word_of(R"({"type":"invalid_request_error","code":null,"status":400})") ==
        "invalid_request_error");
}
