#include <catch2/catch.hpp>
#include <set>

#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

struct Sample {
  const char *request, *response;
  Tokens tokens;
  const char *model, *stop, *answer;
};

std::string line_of(const Sample& sample) {
  std::string line = R"({"id":"1","timestamp":"2026-05-01T09:00:00Z","request":)" +
                     std::string(sample.request) + R"(,"response":)" + sample.response + "}";
  std::erase(line, '\n');
  return line + "\n";
}

}  // namespace

TEST_CASE(
    "a request to go on with a text is a call: its prompt a message, what came back its answer") {
  const Sample kSamples[] = {
      // OpenAI and vLLM
      {R"({"model":"m","prompt":"Dig","max_tokens":5})",
       R"({"id":"cmpl-1","object":"text_completion","model":"m","choices":[{"index":0,"text":" deep",
           "finish_reason":"length"}],"usage":{"prompt_tokens":7,"completion_tokens":9}})",
       {.input = 7, .output = 9},
       "m",
       "length",
       " deep"},
      {R"({"model":"m","prompt":["Dig"]})",
       R"("data: {\"model\":\"m\",\"choices\":[{\"text\":\" de\"}]}\n\ndata: {\"choices\":[{\"text\":\"ep\",\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":\"7\",\"completion_tokens\":2}}\n\ndata: [DONE]\n")",
       {.input = 7, .output = 2},
       "m",
       "stop",
       " deep"},
      // Ollama
      {R"({"model":"m","prompt":"Dig","options":{"num_predict":5}})",
       R"({"model":"m","response":" deep","done":true,"done_reason":"stop","prompt_eval_count":26,
           "eval_count":30})",
       {.input = 26, .output = 30},
       "m",
       "stop",
       " deep"},
      {R"({"prompt":"Dig"})",
       R"({"model":"m","response":" deep","prompt_eval_count":"26","eval_count":30})",
       {.input = 26, .output = 30},
       "m",
       "",
       " deep"},
      {R"({"model":"m","prompt":"Dig"})",
       R"("{\"model\":\"m\",\"response\":\" de\",\"done\":false}\n{\"model\":\"m\",\"response\":\"ep\",\"done\":false}\n{\"model\":\"m\",\"response\":\"\",\"done\":true,\"prompt_eval_count\":26,\"eval_count\":3}\n")",
       {.input = 26, .output = 3},
       "m",
       "",
       " deep"},
      // llama.cpp
      {R"({"prompt":"Dig","n_predict":5})",
       R"({"content":" deep","stop":true,"stop_type":"limit","model":"m","tokens_predicted":30,
           "tokens_evaluated":26,"timings":{"cache_n":20,"prompt_n":6,"predicted_n":30}})",
       {.input = 6, .output = 30, .cache_read = 20},
       "m",
       "limit",
       " deep"},
      {R"({"prompt":"Dig"})",
       R"({"content":" deep","model":"m","stopped_eos":true,
           "timings":{"prompt_n":26,"predicted_n":30}})",
       {.input = 26, .output = 30},
       "m",
       "eos",
       " deep"},
      {R"({"prompt":[1,2],"n_predict":5,"stream":true})",
       R"("data: {\"content\":\" de\",\"stop\":false}\n\ndata: {\"content\":\"ep\",\"stop\":false}\n\ndata: {\"content\":\"\",\"stop\":true,\"model\":\"m\",\"tokens_predicted\":2,\"tokens_evaluated\":4}\n")",
       {.input = 4, .output = 2},
       "m",
       "",
       " deep"},
      // text-generation-inference, SGLang, Bedrock
      {R"({"inputs":"Dig","model":"m","parameters":{"max_new_tokens":5}})",
       R"([{"generated_text":" deep","details":{"finish_reason":"length","generated_tokens":5}}])",
       {.output = 5},
       "m",
       "length",
       " deep"},
      {R"({"model":"m","prompt":"Dig"})",
       R"({"text":" deep","meta_info":{"prompt_tokens":9,"cached_tokens":4,"completion_tokens":2,
           "finish_reason":{"type":"stop"}}})",
       {.input = 5, .output = 2, .cache_read = 4},
       "m",
       "stop",
       " deep"},
      {R"({"prompt":"Dig","max_gen_len":5,"model":"m"})",
       R"({"generation":" deep","prompt_token_count":3,"generation_token_count":4,
           "stop_reason":"stop"})",
       {.input = 3, .output = 4},
       "m",
       "stop",
       " deep"},
  };
  for (const Sample& sample : kSamples) {
    CAPTURE(sample.response);
    const Folder folder;
    Progress progress;
    const Trace trace = load({folder.write("a.jsonl", line_of(sample))}, {}, progress).value();
    REQUIRE(trace.calls.size() == 1);
    const Call& call = trace.calls.front();
    CHECK(call.outcome == Outcome::ok);
    CHECK(call.tokens == sample.tokens);
    CHECK(trace[call.model] == sample.model);
    CHECK(trace[call.stop_reason] == sample.stop);
    CHECK(call.message_count == 1);
    const bool is_text = std::string_view(sample.request).find("Dig") != std::string_view::npos;
    Excerpts excerpts(trace);
    const Excerpt excerpt = excerpts.of(call);
    CHECK(excerpt.prompt == (is_text ? "Dig" : ""));
    CHECK(excerpt.answer == sample.answer);
  }
}

TEST_CASE("a prompt of several texts is one message, and tokens tell prompts apart as texts do") {
  const char* kEmpty = R"({"content":"x","tokens_predicted":1})";
  std::string lines;
  for (const char* prompt :
       {R"(["a","b"])", R"("a")", "[1,2]", "[1,3]", R"({"prompt_string":"c"})"})
    lines += line_of({(R"({"n_predict":1,"prompt":)" + std::string(prompt) + "}").c_str(),
                      kEmpty,
                      {},
                      "",
                      "",
                      ""});
  const Trace trace = read_log(lines);
  REQUIRE(trace.calls.size() == 5);
  std::set<uint64_t> keys;
  for (const Call& call : trace.calls) {
    CHECK(call.message_count == 1);
    CHECK(call.max_tokens == 1);
    keys.insert(trace[call.request].key);
  }
  CHECK(keys.size() == 5);
}

TEST_CASE("a record with a prompt that no model was asked is no call") {
  for (const char* line :
       {R"({"timestamp":1,"request":{"prompt":"Sure?"},"response":{"content":"yes"}})",
        R"({"timestamp":1,"request":{"prompt":{"id":"p"},"model":"m"},"response":{}})",
        R"({"timestamp":1,"request":{"prompt":"Sure?"},"response":null})"}) {
    CAPTURE(line);
    CHECK(load_log(std::string(line) + "\n").value_or(Trace()).calls.empty());
  }
}

TEST_CASE("a stream of a completion that breaks off is answered as far as it came") {
  const Trace trace = read_log(line_of({R"({"prompt":"Dig","n_predict":5})",
                                        R"("data: {\"content\":\" de\",\"stop\":false}\n")",
                                        {},
                                        "",
                                        "",
                                        ""}));
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls.front().outcome == Outcome::ok);
  CHECK(trace.complaints.size() == 1);
}
