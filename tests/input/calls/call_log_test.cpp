#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

namespace {

/// The only call of a log of one line.
struct OneCall {
  explicit OneCall(const std::string& line) : trace(read_log(line + "\n")) {
    REQUIRE(trace.calls.size() == 1);
  }
  const Call& call() const { return trace.calls.front(); }
  std::string_view error() const { return trace[call().error]; }
  Trace trace;
};

const char* kAskingBody = R"({"model":"m","messages":[{"role":"user","content":"hi"}]})";

}  // namespace

TEST_CASE("a call log may name its times and the status as gateways do") {
  const auto read = [](const std::string& more) {
    return OneCall(fmt::format(R"({{"id":"a","request":{},{}}})", kAskingBody, more));
  };
  const OneCall failed = read(
      R"("started_at":"2026-03-01T10:00:00Z","ended_at":"2026-03-01T10:00:02Z","status_code":503)");
  CHECK(failed.call().outcome == Outcome::error);
  CHECK(failed.error() == "http_503");
  CHECK(failed.call().duration == std::chrono::seconds(2));
  CHECK(read(R"("status":"429")").call().outcome == Outcome::error);
  CHECK(read(R"("status":"failed")").call().outcome == Outcome::error);
  CHECK(read(R"("status":"success")").call().outcome != Outcome::error);
  const OneCall logged =
      read(R"("created_at":"2026-03-01T12:00:00Z","timestamp":"2026-03-01T10:00:00Z")");
  CHECK(logged.call().start == read(R"("timestamp":"2026-03-01T10:00:00Z")").call().start);
}
