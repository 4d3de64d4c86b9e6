#include <catch2/catch.hpp>

#include "base/base64.h"
#include "reading.h"
#include "reread.h"

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

TEST_CASE("an answer that HAR has in base64 is the one that was sent") {
  const auto with_answer = [](const std::string& answer) {
    return R"({"log":{"version":"1.2","entries":[{"startedDateTime":"2026-09-01T09:30:00.000Z",)"
           R"("time":2000,"request":{"method":"POST","url":"https://api.anthropic.com/v1/messages",)"
           R"("postData":{"text":"{\"model\":\"m\",\"messages\":[{\"role\":\"user\",)"
           R"(\"content\":\"hi\"}]}"}},"response":{"status":200,"content":{"encoding":"base64",)"
           R"("text":")" +
           base64(answer) + R"("}}}]}})" + "\n";
  };
  Folder folder;
  Progress progress;
  const std::string path = folder.write(
      "t.har", with_answer(R"({"id":"msg_1","type":"message","role":"assistant","model":"m",)"
                           R"("content":[{"type":"text","text":"yo"}],)"
                           R"("usage":{"input_tokens":9,"output_tokens":1}})"));
  const Trace trace = load({path}, {}, progress).value();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].tokens.input == 9);
  CHECK(complaints_of(trace) == "");
  CHECK(Reread(trace).read(trace.calls[0]).answer == "yo");
  const Trace packed = read_log(with_answer("\x1f\x8b\xff\xfe"));
  CHECK(packed.calls.size() == 1);
  CHECK_THAT(complaints_of(packed), Catch::Contains("is not text"));
}
