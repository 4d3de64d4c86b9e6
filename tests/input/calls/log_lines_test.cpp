#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

TEST_CASE("a log line with a body that asks no model is no call") {
  const std::string time = R"({"timestamp":"2026-03-01T10:00:00Z",)";
  for (
      const char* line :
      {R"("severity":"INFO","body":"user logged in"})", R"("body":{"content":"hi"}})",
       R"("body":"{\"input\":1}"})", R"("url":"https://x/login","body":{"user":"u"}})",
       R"("trace_id":"0x1","span_id":"0x2","attributes":{},"body":{"message":{"role":"user"}}})"}) {
    CAPTURE(line);
    CHECK(read_log(time + line + "\n").calls.empty());
  }
  for (const char* line :
       {R"("body":{"messages":[]}})", R"("body":{"model":"m","input":"hi"}})",
        R"("body":"{\"model\":\"m\",\"prompt\":\"hi\"}"})",
        R"("url":"https://x/model/m/invoke","body":{"inputText":"hi"}})",
        R"("url":"https://x/v1/models/m:generateContent","body":{"contents":[]}})"}) {
    CAPTURE(line);
    CHECK(read_log(time + line + "\n").calls.size() == 1);
  }
}
