#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "facts/histories.h"
#include "input/file_payloads.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string message(const std::string& role, const std::string& text) {
  return R"({"role": ")" + role + R"(", "content": ")" + text + R"("})";
}

/// A call of a conversation whose request has these messages.
std::string line(int number, const std::string& messages, const std::string& reply) {
  const std::string n = std::to_string(number);
  return R"({"timestamp": "2026-05-01T09:00:0)" + n +
         R"(Z", "body": {"model": "claude-sonnet-4-5", "messages": [)" + messages +
         R"(], "max_tokens": 9}, "response": {"status": 200, "headers": {"request-id": "req_)" + n +
         R"("}, "body": {"id": "msg_)" + n +
         R"(", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", )"
         R"("content": [{"type": "text", "text": ")" +
         reply + R"("}], "usage": {"input_tokens": 9, "output_tokens": 9}}}})" + "\n";
}

std::string words_of(const std::vector<Quote>& quotes) {
  std::string words;
  for (const Quote& quote : quotes)
    words += (quote.is_answer ? " <" : " >") + quote.text.substr(0, quote.text.find(' '));
  return words;
}

}  // namespace

TEST_CASE("what a request adds is the same whether or not the request before it was read") {
  Folder folder;
  const std::string filling(3000, 'x');
  std::string said, log;
  for (int i = 1; i <= 6; ++i) {
    const std::string n = std::to_string(i);
    // The third request is sent again as the fourth.
    if (i != 4) said += (i == 1 ? "" : ", ") + message("user", "asked" + n + " " + filling);
    log += line(i, said, "replied" + n);
    if (i != 3) said += ", " + message("assistant", "replied" + n);
  }
  Progress progress;
  const Trace trace = load({folder.write("log.jsonl", log)}, {}, progress).value();
  REQUIRE(trace.calls.size() == 6);
  const auto in_a_row = file_payloads(trace);
  for (const Call& call : trace.calls) {
    const std::string words = words_of(in_a_row->quotes(call));
    CHECK(words == words_of(file_payloads(trace)->quotes(call)));
    CHECK(words == words_of(in_a_row->quotes(call)));  // and again
  }
  CHECK(words_of(in_a_row->quotes(trace.calls[0])) == " >asked1 <replied1");
  CHECK(words_of(in_a_row->quotes(trace.calls[3])) == " >asked3 <replied4");
  CHECK(words_of(in_a_row->quotes(trace.calls[5])) == " >asked6 <replied6");
}

TEST_CASE("the history of a request ends with the last answer") {
  Folder folder;
  const std::string log = line(
      1,
      message("user", "one") + ", " + message("assistant", "two") + ", " + message("user", "three"),
      "four");
  Progress progress;
  const Trace trace = load({folder.write("log.jsonl", log)}, {}, progress).value();
  const auto payloads = file_payloads(trace);
  const auto* const histories = dynamic_cast<const Histories*>(payloads.get());
  REQUIRE(histories != nullptr);
  CHECK(words_of(histories->history(trace.calls[0])) == " >one <two");
  CHECK(words_of(payloads->quotes(trace.calls[0])) == " >three <four");
}
