#include "facts/tool_error.h"

#include <catch2/catch.hpp>
#include <string>

using namespace xtrace;

namespace {

std::string named(std::string_view name) {
  return std::string(word(tool_error_named(name)));
}
std::string in(std::string_view text) {
  return std::string(word(tool_error_in(text)));
}

}  // namespace

TEST_CASE("a tool's errors are told by the names of four classes") {
  CHECK(named("ToolNotFoundError") == "not_found");
  CHECK(named("InvalidArgumentsError") == "invalid_arguments");
  CHECK(named("ToolExecutionError") == "execution");
  CHECK(named("agent.errors.ToolTimeoutError") == "timeout");
  CHECK(named("") == "other");
}

TEST_CASE("a tool that a service failed has run, however that is told") {
  for (const char* name : {"http_503", "503", "ServiceUnavailable", "rate_limit_error",
                           "overloaded_error", "APIConnectionError", "http_404"})
    CHECK(named(name) == "execution");
  for (const char* name : {"http_504", "http_408", "ReadTimeout", "gateway_timeout"})
    CHECK(named(name) == "timeout");
  for (const char* text :
       {"upstream said 503 Service Unavailable", "HTTP 503", "HTTP/1.1 502 Bad Gateway",
        "status code: 500", "503: try later", R"({"error":{"code":503,"message":"x"}})",
        "GET /x returned status 429", "Too Many Requests"}) {
    CAPTURE(text);
    CHECK(in(text) == "execution");
  }
  CHECK(in("error 504") == "timeout");
  for (const char* text : {"it counted 503 rows", "took 503ms", "port 5030 is taken", "200 OK"}) {
    CAPTURE(text);
    CHECK(in(text) == "other");
  }
}

TEST_CASE("a tool that nobody knows is not found, and a file that is not there is a failed run") {
  CHECK(in("<tool_use_error>Error: No such tool available: Fly</tool_use_error>") == "not_found");
  CHECK(in("MCP error -32601: Method not found") == "not_found");
  CHECK(in("Tool \"fly\" not found in registry.") == "not_found");
  CHECK(in("<tool_use_error>File does not exist.</tool_use_error>") == "execution");
  CHECK(in("NotFoundError: no such page") == "execution");
  CHECK(in("ls: cannot access 'x/': No such file or directory") == "execution");
}

TEST_CASE("arguments that do not fit the declaration are told by whoever checks them") {
  CHECK(in("<tool_use_error>InputValidationError: Read failed due to …</tool_use_error>") ==
        "invalid_arguments");
  CHECK(in("MCP error -32602: Invalid params") == "invalid_arguments");
  CHECK(in("failed to parse function arguments: missing field `path`") == "invalid_arguments");
}

TEST_CASE("a command that ended badly failed, whatever it printed, unless it was stopped") {
  CHECK(in("Exit code 1\nrequest timed out after 5s") == "execution");
  CHECK(in("Exit code 143\nCommand timed out after 2m 0s") == "timeout");
  CHECK(in("command timed out after 10000 milliseconds") == "timeout");
  CHECK(in("(no output)\n\nCommand exited with code 1") == "execution");
  CHECK(in("request timed out after 5s\n\nCommand exited with code 1\n") == "execution");
  CHECK(in("half of it\n\nCommand timed out after 30 seconds") == "timeout");
  CHECK(in("Chunk ID: 1\nProcess exited with code 2\nOutput:") == "execution");
}

TEST_CASE("what editors of agents answer to an edit that cannot be made is a failed run") {
  CHECK(in("ERROR:\nNo replacement was performed, old_str `x` did not appear") == "execution");
  CHECK(in("[Your proposed edit has introduced new syntax error(s).]") == "execution");
  CHECK(in("[No exact match found in a.py for\nx]") == "execution");
  CHECK(in("ERROR:\nParameter `old_str` is required for command: str_replace.") ==
        "invalid_arguments");
  CHECK(in("half of it\n\nEXECUTION TIMED OUT\n") == "timeout");
}

TEST_CASE("what somebody did not allow or stopped is no failure of the tool") {
  CHECK(in("The user doesn't want to proceed with this tool use. The tool use was rejected") ==
        "denied");
  CHECK(in("exec command rejected by user") == "denied");
  CHECK(in("Error: This command requires approval") == "denied");
  CHECK(in("PreToolUse:Bash hook error: [./check.sh]: no") == "denied");
  CHECK(in("PostToolUse:Bash hook error: [./check.sh]: no") == "other");
  CHECK(in("<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>") ==
        "cancelled");
  CHECK(in("1 of 9 tests\n<error>Command was aborted before completion</error>") == "cancelled");
  CHECK(in("[Operation Cancelled] Reason: User denied execution.") == "denied");
  CHECK(in("[Operation Cancelled] Reason: User did not allow tool call") == "denied");
  CHECK(in("[Operation Cancelled] Reason: User cancelled the operation.") == "cancelled");
  CHECK(in("[Operation Cancelled]") == "cancelled");
  CHECK(in("The user rejected permission to use this specific tool call.") == "denied");
}

TEST_CASE("what was thrown is told by its name") {
  CHECK(in("TypeError: undefined is no function") == "execution");
  CHECK(in("TimeoutError: 30 s") == "timeout");
  CHECK(in("EISDIR: illegal operation on a directory, read") == "execution");
  CHECK(in("ToolNotFoundError: fly") == "not_found");
}

TEST_CASE("words that tell no class are other, and never guessed") {
  for (const char* text : {"", "Error", "npm warn Unknown env config", "error: target not found",
                           "the user said no such tool available", "Note: Error"})
    CHECK(in(text) == "other");
}
