#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

namespace xtrace {

namespace {

const std::string kRoot =
    R"({"traceId":"e1","id":"e1","kind":"SERVER","timestamp":4000,"duration":5000,"localEndpoint":{"serviceName":"hotel"}})";
const std::string kClient =
    R"({"traceId":"e1","parentId":"e1","id":"e2","kind":"CLIENT","name":"get","timestamp":5000,"duration":50,"localEndpoint":{"serviceName":"hotel"},"remoteEndpoint":{"serviceName":"locks"}})";
const std::string kServer =
    R"({"traceId":"e1","parentId":"e1","id":"e2","kind":"SERVER","name":"get /key","timestamp":5010,"duration":30,"localEndpoint":{"serviceName":"locks"},"shared":true})";
const std::string kBelow =
    R"({"traceId":"e1","parentId":"e2","id":"e3","name":"look","timestamp":5020,"duration":5,"localEndpoint":{"serviceName":"locks"},"tags":{"error":"no such door"}})";

/// `e3<-e2~2`, a line for each hop with a cause.
std::string causes(const std::string& log) {
  Graph graph = link(read_log(log), {});
  std::string text;
  const Hops& hops = graph.hops();
  for (size_t i = 0; i < hops.all.size(); ++i)
    if (HopId cause = hops.all[i].cause)
      text +=
          hops.name_of(graph.trace(), HopId(i)) + "<-" + hops.name_of(graph.trace(), cause) + "\n";
  return text;
}

}  // namespace

TEST_CASE("a list of Zipkin is read in one line, over many, and a span a line") {
  std::string log =
      GENERATE("[" + kClient + "," + kServer + "]", "[\n" + kClient + ",\n" + kServer + "\n]\n",
               kClient + "\n" + kServer + "\n", "[[" + kClient + "],[" + kServer + "]]");
  CAPTURE(log);
  Trace trace = read_log(log);
  REQUIRE(trace.spans.size() == 2);
  const Span& span = trace.spans.front();
  CHECK(trace[span.service] == "hotel");
  CHECK(trace[span.peer] == "locks");
  CHECK(span.kind == SpanKind::client);
  CHECK(span.start == Time(std::chrono::microseconds(5000)));
  CHECK(span.duration == std::chrono::microseconds(50));
  CHECK(trace.spans[1].inbound);
  CHECK(complaints_of(trace).empty());
  CHECK(trace.sources.front().format == "zipkin");
}

TEST_CASE("a message in Zipkin's first format has a sender or a receiver, and no end") {
  const Trace trace = read_log(
      R"([{"traceId":"e1","id":"e1","name":"send","annotations":[{"timestamp":4000,"value":"ms",)"
      R"("endpoint":{"serviceName":"hotel"}}]},{"traceId":"e1","id":"e2","parentId":"e1",)"
      R"("name":"take","annotations":[{"timestamp":4100,"value":"mr",)"
      R"("endpoint":{"serviceName":"mail"}}]}])"
      "\n");
  REQUIRE(trace.spans.size() == 2);
  CHECK(trace.spans[0].kind == SpanKind::producer);
  CHECK(trace[trace.spans[0].service] == "hotel");
  CHECK(trace.spans[0].start == Time(std::chrono::microseconds(4000)));
  CHECK(trace.spans[1].kind == SpanKind::consumer);
  CHECK(trace[trace.spans[1].service] == "mail");
}

TEST_CASE("of two halves with one id the caller's led to the other, and that to what is below") {
  std::string log = GENERATE("[" + kRoot + "," + kClient + "," + kServer + "," + kBelow + "]",
                             "[" + kBelow + "," + kServer + "," + kClient + "," + kRoot + "]");
  CHECK(causes(log) == "e2<-e1\ne2~2<-e2\ne3<-e2~2\n");
  Graph graph = link(read_log(log), {});
  const Hops& hops = graph.hops();
  REQUIRE(hops.all.size() == 4);
  CHECK(hops[hops.all[2].from].id == "agent:hotel");
  CHECK(hops[hops.all[2].to].id == "agent:locks");
  CHECK(hops.all[2].observations == 2);
  CHECK(hops.all[3].outcome == Outcome::error);
}

TEST_CASE("without the caller's half its parent stands in") {
  CHECK(causes("[" + kRoot + "," + kServer + "," + kBelow + "]") == "e2<-e1\ne3<-e2\n");
}

TEST_CASE("the first format of Zipkin has times, services and errors in lists") {
  const Trace trace = read_log(
      R"([{"traceId":"e1","id":"e2","name":"get","annotations":[)"
      R"({"timestamp":1000,"value":"cs","endpoint":{"serviceName":"shop"}},)"
      R"({"timestamp":1100,"value":"sr","endpoint":{"serviceName":"stock"}},)"
      R"({"timestamp":1400,"value":"ss","endpoint":{"serviceName":"stock"}},)"
      R"({"timestamp":1500,"value":"cr","endpoint":{"serviceName":"shop"}}],)"
      R"("binaryAnnotations":[{"key":"error","value":"too late"}]},)"
      R"({"traceId":"e1","id":"e3","name":"get","annotations":[)"
      R"({"timestamp":1200,"value":"sr","endpoint":{"serviceName":"stock"}},)"
      R"({"timestamp":1300,"value":"ss","endpoint":{"serviceName":"stock"}}],)"
      R"("binaryAnnotations":[{"key":"sa","value":true,"endpoint":{"serviceName":"files"}}]}])"
      "\n");
  REQUIRE(trace.spans.size() == 2);
  const Span &client = trace.spans[0], &server = trace.spans[1];
  CHECK(client.start == Time(std::chrono::microseconds(1000)));
  CHECK(client.duration == std::chrono::microseconds(500));
  CHECK(trace[client.service] == "shop");
  CHECK(trace[client.peer] == "stock");
  CHECK(client.kind == SpanKind::client);
  CHECK(client.outcome == Outcome::error);
  CHECK(server.duration == std::chrono::microseconds(100));
  CHECK(trace[server.service] == "stock");
  CHECK(trace[server.peer] == "files");
  CHECK(server.outcome == Outcome::ok);
  CHECK(trace.complaints.empty());
}

TEST_CASE("times that Zipkin's libraries left out are unknown, and told") {
  Trace trace =
      read_log(R"([{"traceId":"e1","id":"e2","parentId":"e1"},{"traceId":"e1","parentId":"e1"}])"
               "\n");
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace.spans[0].start == kNoTime);
  CHECK(trace.spans[0].duration == kNoDuration);
  CHECK(complaints_of(trace) ==
        "field 1: a span without a usable timestamp\nunknown_record 1: JSON in an unknown format");
}

}  // namespace xtrace
