#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

TEST_CASE("what stands behind the log of a HAR file is no record, and nothing is cut off there") {
  const std::string log =
      R"({"log":{"version":"1.2","entries":[{"startedDateTime":"2026-09-01T09:30:00.000Z",)"
      R"("time":2000,"request":{"method":"POST","url":"https://api.anthropic.com/v1/messages",)"
      R"("postData":{"text":"{\"model\":\"m\",\"messages\":[{\"role\":\"user\",)"
      R"(\"content\":\"hi\"}]}"}},"response":{"status":200,"content":{"text":)"
      R"("{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",)"
      R"(\"content\":[{\"type\":\"text\",\"text\":\"yo\"}],\"usage\":{\"input_tokens\":9}}"}}}]})";
  const std::string more = GENERATE(R"(})", R"(,"comment":"}{","more":{"a":[{"b":"]"}]}})");
  const Trace once = read_log(log + more + "\n");
  REQUIRE(once.calls.size() == 1);
  CHECK(once.calls[0].tokens.input == 9);
  CHECK(complaints_of(once) == "");
  CHECK(read_log(log + more + "\n" + log + more + "\n").calls.size() >= 1);
}
