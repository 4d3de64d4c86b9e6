#include "mcp/message.h"

#include <catch2/catch.hpp>

using namespace xtrace;
using namespace xtrace::mcp;

namespace {

ClientMessage message(std::string_view line) {
  Parsers parsers;
  const auto read = read_message(line, parsers);
  REQUIRE(read);
  return *read;
}

std::string message_refusal(std::string_view line) {
  Parsers parsers;
  const auto read = read_message(line, parsers);
  return read ? "accepted" : error_line(read.error());
}

}  // namespace

TEST_CASE("a request is read with what its method may ask for") {
  const ClientMessage call = message(
      R"({"jsonrpc": "2.0", "id": "a\"1", "method": "tools/call", "params": {"name": "cost",
          "arguments": {"session": "last", "max_tokens": 2000.0, "by": null},
          "_meta": {"progressToken": 7, "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {}}}})");
  CHECK(call.is_request());
  CHECK(call.id == R"("a\"1")");
  CHECK(call.tool == "cost");
  REQUIRE(call.arguments.size() == 3);
  CHECK(call.arguments[0].value == "last");
  CHECK(call.arguments[1].kind == GivenArgument::Kind::number);
  CHECK(call.arguments[1].value == "2000");
  CHECK(call.arguments[2].kind == GivenArgument::Kind::other);
  CHECK(call.progress_token == "7");
  CHECK(call.version == "2026-07-28");
  CHECK(call.states_capabilities);
}

TEST_CASE("ids are returned as they were written") {
  CHECK(message(R"({"jsonrpc": "2.0", "id": -1, "method": "ping"})").id == "-1");
  CHECK(message(R"({"jsonrpc": "2.0", "id": 18446744073709551615, "method": "ping"})").id ==
        "18446744073709551615");
  CHECK(message(R"({"jsonrpc": "2.0", "id": "", "method": "ping"})").id == "\"\"");
}

TEST_CASE("a notice and a reply are no requests") {
  CHECK(!message(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})").is_request());
  CHECK(message(R"({"jsonrpc": "2.0", "id": 4, "result": {}})").method.empty());
  CHECK(message(R"({"jsonrpc": "2.0", "method": "notifications/cancelled",
                    "params": {"requestId": 12}})")
            .cancelled == "12");
}

TEST_CASE("what is no message is refused with the code of JSON-RPC and the id if it has one") {
  CHECK(message_refusal("{") ==
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not valid JSON"}})");
  CHECK(message_refusal("\"\xff\"").find("-32700") != std::string::npos);
  CHECK(message_refusal(std::string(5000, '[')).find("-32700") != std::string::npos);
  CHECK(message_refusal("[]").find("-32600") != std::string::npos);
  CHECK(message_refusal("7").find("-32600") != std::string::npos);
  CHECK(message_refusal(R"({"id": 3, "method": "ping"})") ==
        R"({"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"jsonrpc must be \"2.0\""}})");
  CHECK(message_refusal(R"({"jsonrpc": "2.0", "id": null, "method": "ping"})").find("-32600") !=
        std::string::npos);
  CHECK(message_refusal(R"({"jsonrpc": "2.0", "id": 1.5, "method": "ping"})").find("\"id\":null") !=
        std::string::npos);
  CHECK(message_refusal(R"({"jsonrpc": "2.0", "id": 1})").find("-32600") != std::string::npos);
  CHECK(message_refusal(R"({"jsonrpc": "2.0", "id": 1, "method": 2})").find("-32600") !=
        std::string::npos);
  CHECK(message_refusal(R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []})")
            .find("-32602") != std::string::npos);
}
