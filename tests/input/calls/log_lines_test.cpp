#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

TEST_CASE("a log line with a body that asks no model is no call") {
  const std::string time = R"({"timestamp":"2026-03-01T10:00:00Z",)";
  for (
      const char* line :
      {R"("severity":"INFO","body":"user logged in"})", R"("body":{"content":"hi"}})",
       R"("body":"{\"input\":1}"})", R"("url":"https://x/login","body":{"user":"u"}})",
       R"("body":{"messages":["disk full"]}})", R"("body":"{\"messages\":[\"deployed\"]}"})",
       R"("url":"https://x/blog","body":{"contents":"a page"}})",
       R"("url":"https://x/graphql","body":{"query":"q","input":{"a":1}}})",
       R"("url":"https://x/batch","body":{"messages":[{"id":"1"}]}})",
       R"("url":"https://x/api/password/generate","method":"POST","body":{"length":12}})",
       R"("url":"https://x/v1/chat/completions","method":"OPTIONS","body":null})",
       R"("url":"https://x/functions/f/invoke","method":"POST","body":{"id":1}})",
       R"("trace_id":"0x1","span_id":"0x2","attributes":{},"body":{"message":{"role":"user"}}})"}) {
    CAPTURE(line);
    CHECK(read_log(time + line + "\n").calls.empty());
  }
  for (const char* line :
       {R"("body":{"messages":[{"role":"user","content":"hi"}]}})",
        R"("body":"{\"messages\":[{\"role\":\"user\"}]}"})",
        R"("body":{"model":"m","messages":[]}})", R"("body":{"model":"m","input":"hi"}})",
        R"("body":"{\"model\":\"m\",\"prompt\":\"hi\"}"})",
        R"("url":"https://x/model/m/invoke","body":{"inputText":"hi"}})",
        R"("url":"https://x/v1/models/m:generateContent","body":{"contents":[]}})"}) {
    CAPTURE(line);
    CHECK(read_log(time + line + "\n").calls.size() == 1);
  }
}

TEST_CASE("what is sent to a model's address is a call, whatever is left of it") {
  const std::string time = R"({"timestamp":"2026-03-01T10:00:00Z","status":500,)";
  for (const char* line :
       {R"("url":"https://api.openai.com/v1/chat/completions","body":"{\"model\":\"m\",\"mess"})",
        R"("url":"https://api.anthropic.com/v1/messages?beta=true","body":""})",
        R"("url":"https://api.openai.com/v1/responses","body":{"prompt":{"id":"p"}}})",
        R"("url":"https://api.cohere.com/v1/chat","body":{"message":"hi"}})",
        R"("url":"http://tgi/generate","body":{"inputs":"hi"}})",
        R"("url":"http://llama/completion","body":{"prompt":"hi","n_predict":9}})",
        R"("url":"https://w/ml/v1/text/generation","body":{"model_id":"g","input":"hi"}})",
        R"("url":"https://e.huggingface.cloud/","body":{"inputs":"hi"}})",
        R"("url":"https://api.replicate.com/v1/predictions","body":{"input":{"prompt":"hi"}}})"}) {
    CAPTURE(line);
    CHECK(read_log(time + line + "\n").calls.size() == 1);
  }
}

TEST_CASE("a line may hold a list of records") {
  const auto call = [](const std::string& id) {
    return R"({"id":")" + id +
           R"(","request":{"model":"m","messages":[{"role":"user","content":"hi"}]}})";
  };
  const Trace trace = read_log("[" + call("a") + "," + call("b") + "]\n[" + call("c") + "]\n");
  CHECK(trace.calls.size() == 3);
}
