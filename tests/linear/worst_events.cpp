#include <fmt/format.h>

#include "linear/making.h"
#include "linear/worst_case.h"

namespace xtrace {

namespace {

template <class Make>
std::string records(size_t n, Make make) {
  return lines(n, [&](size_t i) { return make(i) + "\n"; });
}

std::string moment(size_t millisecond) {
  return fmt::format("2026-02-01T{:02}:{:02}:{:02}.{:03}Z", millisecond / 3'600'000 % 24,
                     millisecond / 60'000 % 60, millisecond / 1000 % 60, millisecond % 1000);
}

std::string event(size_t i, size_t at, std::string_view trigger) {
  return fmt::format(
      R"({{"id":"e-{}","type":"ModelSwitched","timestamp":"{}","taskId":"T","agent":"a","oldModel":"m",)"
      R"("newModel":"n","triggeredBy":"{}"}})",
      i, moment(at), trigger);
}
std::string events_at_one_time(size_t n) {
  return records(n, [](size_t i) { return event(i, 0, ""); });
}
std::string events_by_one(size_t n) {
  return records(n, [](size_t i) { return event(i, i, "e-0"); });
}
std::string chain_of_events(size_t n) {
  return records(n, [](size_t i) { return event(i, i, i == 0 ? "" : fmt::format("e-{}", i - 1)); });
}
std::string events_of_one_id(size_t n) {
  return records(n, [](size_t i) { return event(0, i, "e-0"); });
}
std::string tasks(size_t n) {
  return records(n, [](size_t i) {
    return fmt::format(
        R"({{"id":"e-{0}","type":"ModelSwitched","timestamp":"{1}","taskId":"T-{0}"}})", i,
        moment(i));
  });
}

std::string thought(std::string_view request, size_t at, std::string_view more) {
  return fmt::format(R"({{"requestId":"{}","timestamp":"{}","agent":"a","model":"m",{}}})", request,
                     moment(at), more);
}
std::string thoughts_of_one_request(size_t n) {
  return records(n,
                 [](size_t i) { return thought("r", i, fmt::format(R"("token":"word {} ")", i)); });
}
std::string thoughts_at_one_time(size_t n) {
  return records(n, [](size_t i) { return thought(fmt::format("r-{}", i), 0, R"("text":"so")"); });
}
std::string thoughts_of_one_span(size_t n) {
  return records(n, [](size_t i) {
    return thought(fmt::format("r-{}", i), i,
                   R"("text":"so","spanId":"01","parentSpanId":"02","traceId":"03","taskId":"T")");
  });
}
/// Calls, spans and events of one task, at one time.
std::string story_at_one_time(size_t n) {
  return records(n, [](size_t i) {
    return thought(fmt::format("r-{}", i), 0,
                   fmt::format(R"("text":"so","taskId":"T","spanId":"{:016x}")", i + 1)) +
           "\n" +
           fmt::format(
               R"({{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{"traceId":"{:032x}","spanId":)"
               R"("{:016x}","name":"model.call","startTimeUnixNano":"1769904000000000000",)"
               R"("endTimeUnixNano":"1769904001000000000","attributes":[{{"key":"taskId","value":)"
               R"({{"stringValue":"T"}}}},{{"key":"tokens.out","value":{{"intValue":"9"}}}}]}}]}}]}}]}})",
               1, i + 1) +
           "\n" + event(i, 0, fmt::format("{:016x}", i + 1));
  });
}

std::string step(std::string_view query, size_t i, size_t at, std::string_view more = "") {
  return fmt::format(
      R"({{"queryId":"{}","stepId":"s-{}","timestamp":"{}","node":"Search","status":"ok",)"
      R"("metrics":{{"latency_ms":5,"tokens_in":3,"tokens_out":1}}{}}})",
      query, i, moment(at), more);
}
std::string steps_of_one_query(size_t n) {
  return records(n, [](size_t i) { return step("Q", i, 10 * i); });
}
std::string steps_at_one_time(size_t n) {
  return records(n, [](size_t i) { return step("Q", i, 0); });
}
std::string queries(size_t n) {
  return records(n, [](size_t i) { return step(fmt::format("Q-{}", i), 0, 10 * i); });
}
std::string attempts(size_t n) {
  return records(n, [](size_t i) {
    return step("Q", i, 10 * i,
                fmt::format(R"(,"attempt":{},"error":{{"type":"timeout"}})", i + 1));
  });
}
std::string one_document(size_t n) {
  return records(n, [](size_t i) {
    return step("Q", i, 10 * i,
                R"(,"evidenceRefs":[{"type":"document","doc_id":"D","unit_id":"U"}],"citations":)"
                R"([{"id":"[1]","doc_id":"D","unit_id":"U","quote":"so"}])");
  });
}
std::string documents_of_one_step(size_t n) {
  return step("Q", 0, 0,
              R"(,"evidenceRefs":[)" +
                  listed(n,
                         [](size_t i) {
                           return fmt::format(
                               R"({{"type":"document","doc_id":"D-{0}","unit_id":"U-{0}"}})", i);
                         }) +
                  "]") +
         "\n";
}
std::string subgraph_of_one_step(size_t n) {
  return step("Q", 0, 0,
              R"(,"subgraph":{"entities":[)" +
                  listed(n,
                         [](size_t i) {
                           return fmt::format(R"({{"id":"E-{0}","type":"System","name":"n {0}"}})",
                                              i);
                         }) +
                  R"(],"relations":[)" +
                  listed(n,
                         [](size_t i) {
                           return fmt::format(R"({{"source":"E-0","target":"E-{}","type":"USES"}})",
                                              i);
                         }) +
                  "]}") +
         "\n";
}
std::string one_entity(size_t n) {
  return records(n, [](size_t i) {
    return step("Q", i, 10 * i, R"(,"subgraph":{"entities":[{"id":"E","type":"System"}]})");
  });
}

/// `sources`: the numbers of the nodes that have an edge to one.
template <class Sources>
std::string graph(size_t n, Sources sources) {
  return R"({"nodes":[)" +
         listed(
             n,
             [](size_t i) {
               return fmt::format(
                   R"({{"id":"n-{}","timestamp":"{}","agent":"a","type":"LLM_CALL","model":"m","status":"OK"}})",
                   i, moment(i));
             }) +
         R"(],"edges":[)" +
         listed(n,
                [=](size_t i) {
                  std::string edges;
                  for (size_t from : sources(i))
                    edges +=
                        fmt::format(R"({}{{"from":"n-{}","to":"n-{}","relation":"NEXT_STEP"}})",
                                    edges.empty() ? "" : ",", from, i);
                  return edges;
                }) +
         "]}\n";
}
std::string graph_chain(size_t n) {
  return graph(n, [](size_t i) { return std::vector<size_t>{i > 0 ? i - 1 : 0}; });
}
std::string graph_star(size_t n) {
  return graph(n, [](size_t) { return std::vector<size_t>{0}; });
}
/// Layers of two, each of which comes of both of the layer before.
std::string graph_diamonds(size_t n) {
  return graph(n, [](size_t i) {
    const size_t above = i < 2 ? 0 : i / 2 * 2 - 2;
    return std::vector<size_t>{above, above + 1};
  });
}

constexpr WorstCase kCases[] = {
    {"events-at-one-time", events_at_one_time},
    {"events-by-one", events_by_one},
    {"events-chain", chain_of_events},
    {"events-one-id", events_of_one_id},
    {"events-tasks", tasks},
    {"thoughts-one-request", thoughts_of_one_request},
    {"thoughts-at-one-time", thoughts_at_one_time},
    {"thoughts-one-span", thoughts_of_one_span},
    {"story-at-one-time", story_at_one_time},
    {"steps-one-query", steps_of_one_query},
    {"steps-at-one-time", steps_at_one_time},
    {"steps-queries", queries},
    {"steps-attempts", attempts},
    {"steps-one-document", one_document},
    {"steps-documents", documents_of_one_step},
    {"steps-subgraph", subgraph_of_one_step},
    {"steps-one-entity", one_entity},
    {"graph-chain", graph_chain},
    {"graph-star", graph_star},
    {"graph-diamonds", graph_diamonds},
};

}  // namespace

std::span<const WorstCase> worst_events() {
  return kCases;
}

std::vector<WorstCase> worst_cases() {
  std::vector<WorstCase> all;
  for (std::span<const WorstCase> some :
       {worst_calls(), worst_transcripts(), worst_sessions(), worst_spans(), worst_events()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace xtrace
