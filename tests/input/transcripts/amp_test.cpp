#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

Trace thread(const std::string& messages, const std::string& events) {
  return read_log(R"({"id":"T-1","created":1767261600000,"messages":[)" + messages +
                  R"(],"usageLedger":{"events":[)" + events + "]}}");
}

const std::string kMessages =
    R"({"role":"user","messageId":0,"content":[{"type":"text","text":"dig"}]},)"
    R"({"role":"assistant","messageId":1,"state":{"type":"complete"},)"
    R"("content":[{"type":"text","text":"dug"}],"usage":{"model":"opus","inputTokens":9,"outputTokens":2}},)"
    R"({"role":"user","messageId":2,"content":[{"type":"text","text":"sow"}]},)"
    R"({"role":"assistant","messageId":3,"state":{"type":"complete"},"content":[{"type":"text","text":"sown"}]})";

}  // namespace

TEST_CASE("an answer of Amp that does not tell what it used up has it in the ledger") {
  const Trace trace = thread(
      kMessages,
      R"({"toMessageId":1,"model":"small","tokens":{"input":500,"output":500}},)"
      R"({"toMessageId":3,"model":"haiku","timestamp":"2026-01-01T10:00:04Z","tokens":{"input":7,"output":3}},)"
      R"({"toMessageId":3,"model":"small","operationType":"title","tokens":{"input":70,"output":30}})");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].model] == "opus");
  CHECK(trace.calls[0].tokens == Tokens{.input = 9, .output = 2});
  CHECK(trace[trace.calls[1].model] == "haiku");
  CHECK(trace.calls[1].tokens == Tokens{.input = 7, .output = 3});
}
