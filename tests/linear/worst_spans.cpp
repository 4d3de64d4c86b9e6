#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "linear/making.h"
#include "linear/worst_case.h"

namespace xtrace {

namespace {

std::string tag(std::string_view key, std::string_view value) {
  return fmt::format(R"({{"key":"{}","type":"string","value":"{}"}})", key, value);
}
std::string hop(std::string_view from, std::string_view to, std::string_view run = "r") {
  return tag("trust.source", from) + "," + tag("trust.target", to) + "," + tag("trust.run_id", run);
}

/// A span of a Jaeger trace; times in microseconds.
struct OneSpan {
  size_t id = 0;
  size_t parent = 0;  ///< 0: none
  size_t start = 0, took = 1;
  std::string service = "desk", tags = {}, operation = "work";
  size_t trace = 1;
};

std::string span(const OneSpan& one) {
  std::string parent =
      one.parent == 0
          ? ""
          : fmt::format(R"({{"refType":"CHILD_OF","traceID":"{:032x}","spanID":"{:016x}"}})",
                        one.trace, one.parent);
  return fmt::format(
      R"({{"traceID":"{0:032x}","spans":[{{"traceID":"{0:032x}","spanID":"{1:016x}",)"
      R"("operationName":"{2}","references":[{3}],"startTime":{4},"duration":{5},"tags":[{6}],)"
      R"("processID":"p"}}],"processes":{{"p":{{"serviceName":"{7}"}}}}}})",
      one.trace, one.id, one.operation, parent, 1'772'000'000'000'000 + one.start, one.took,
      one.tags, one.service);
}

template <class Each>
std::string jaeger(size_t n, Each make) {
  std::string traces;
  for (size_t i = 0; i < n; ++i) traces += (i == 0 ? "" : ",\n") + span(make(i));
  return R"({"data":[)" + traces + "]}\n";
}

/// All in one trace, each a call between two agents. `causes`: the numbers, from 1, of the spans
/// that one follows from.
template <class Causes>
std::string jaeger_of_one_trace(size_t n, Causes causes) {
  return R"({"data":[{"traceID":"1","spans":[)" +
         listed(
             n,
             [&](size_t i) {
               std::string references;
               for (size_t cause : causes(i))
                 references += fmt::format(
                     R"({}{{"refType":"FOLLOWS_FROM","traceID":"1","spanID":"{:016x}"}})",
                     references.empty() ? "" : ",", cause);
               return fmt::format(
                   R"({{"traceID":"1","spanID":"{:016x}","operationName":"work","references":[{}],)"
                   R"("startTime":{},"duration":5,"tags":[{}],"processID":"p"}})",
                   i + 1, references, 1'772'000'000'000'000 + 10 * i,
                   hop(nth("agent:a", i % 7), nth("agent:a", (i + 1) % 7)));
             }) +
         R"(],"processes":{"p":{"serviceName":"desk"}}}]})"
         "\n";
}

/// A chain as long as half of them, which the others join to where it began.
std::string chain_joined_to_its_begin(size_t n) {
  return jaeger_of_one_trace(n, [n](size_t i) {
    if (i == 0) return std::vector<size_t>{};
    if (i < n / 2) return std::vector<size_t>{i};
    return std::vector<size_t>{n / 2, 1};
  });
}

/// All in one trace, each of a process of its own.
std::string processes(size_t n) {
  return fmt::format(
      R"({{"data":[{{"traceID":"1","spans":[{}],"processes":{{{}}}}}]}})"
      "\n",
      listed(n,
             [](size_t i) {
               return fmt::format(
                   R"({{"traceID":"1","spanID":"{:016x}","operationName":"work","startTime":{},)"
                   R"("duration":5,"processID":"{}"}})",
                   i + 1, 1'772'000'000'000'000 + 10 * i, nth("p", i));
             }),
      listed(n, [](size_t i) {
        return fmt::format(R"("{}":{{"serviceName":"{}"}})", nth("p", i), nth("service", i));
      }));
}
std::string entities_of_one_span(size_t n) {
  return jaeger(1, [n](size_t) {
    return OneSpan{.id = 1, .tags = listed(n, [](size_t i) {
                              return tag(fmt::format("entity.{}.name", i), "x");
                            })};
  });
}

std::string children_of_one(size_t n) {
  return jaeger(n, [n](size_t i) {
    return i == 0 ? OneSpan{1, 0, 0, 10 * n} : OneSpan{i + 1, 1, 10 * i, 5};
  });
}
std::string chain(size_t n) {
  return jaeger(n, [n](size_t i) { return OneSpan{i + 1, i, i, 2 * (n - i)}; });
}
std::string chain_of_services(size_t n) {
  return jaeger(n, [n](size_t i) { return OneSpan{i + 1, i, i, 2 * (n - i), nth("service", i)}; });
}
std::string services_called_by_one(size_t n) {
  return jaeger(n, [n](size_t i) {
    return i == 0 ? OneSpan{1, 0, 0, 10 * n} : OneSpan{i + 1, 1, 10 * i, 5, nth("service", i)};
  });
}
std::string one_id(size_t n) {
  return jaeger(n, [](size_t i) { return OneSpan{1, 0, i, 5}; });
}
std::string one_id_with_children(size_t n) {
  return jaeger(n, [](size_t i) {
    return i % 2 == 0 ? OneSpan{1, 0, i, 5} : OneSpan{i + 1, 1, i, 2, "other"};
  });
}
std::string one_id_of_halves(size_t n) {
  return jaeger(n, [](size_t i) {
    return OneSpan{
        1, 0, i, 5, nth("service", i % 2), tag("span.kind", i % 2 == 0 ? "client" : "server")};
  });
}
std::string one_id_of_servers(size_t n) {
  return jaeger(n,
                [](size_t i) { return OneSpan{1, 0, i, 5, "desk", tag("span.kind", "server")}; });
}
std::string one_time(size_t n) {
  return jaeger(n, [](size_t i) { return OneSpan{i + 1, 0, 0, 5}; });
}
std::string traces(size_t n) {
  return jaeger(n, [](size_t i) { return OneSpan{1, 0, 10 * i, 5, "desk", {}, "work", i + 1}; });
}
std::string missing_parent(size_t n) {
  return jaeger(n, [n](size_t i) { return OneSpan{i + 1, n + 1, 10 * i, 5}; });
}
std::string circle(size_t n) {
  return jaeger(n, [n](size_t i) { return OneSpan{i + 1, i == 0 ? n : i, 10 * i, 5}; });
}
std::string operations(size_t n) {
  return jaeger(n,
                [](size_t i) { return OneSpan{i + 1, 0, 10 * i, 5, "desk", {}, nth("work", i)}; });
}
std::string tags(size_t n) {
  std::string all;
  for (size_t i = 0; i < n; ++i) all += (i == 0 ? "" : ",") + tag(nth("k", i), "v");
  return jaeger(1, [&](size_t) { return OneSpan{1, 0, 0, 5, "desk", all}; });
}
std::string runs(size_t n) {
  return jaeger(n, [](size_t i) {
    return OneSpan{i + 1,       0,    10 * i, 5, "x", hop("user:u", "agent:a", nth("r", i)),
                   "inbound:x", i + 1};
  });
}

// Hops as sidecars see them: nobody records what caused them.
OneSpan seen(size_t i, size_t start, size_t took, std::string_view from, std::string_view to) {
  return {i + 1, 0, start, took, "sidecar", hop(from, to), "inbound:x", i + 1};
}
std::string hops_at_one_time(size_t n) {
  return jaeger(n, [](size_t i) {
    return i % 2 == 0 ? seen(i, 0, 1000, "user:u", "agent:a")
                      : seen(i, 0, 1000, "agent:a", "agent:b");
  });
}
std::string hops_overlapping(size_t n) {
  return jaeger(n, [n](size_t i) {
    return i % 2 == 0 ? seen(i, 1000 * i, 10000 * n, "user:u", "agent:a")
                      : seen(i, 1000 * i, 500, "agent:a", "agent:b");
  });
}
std::string hops_nested(size_t n) {
  return jaeger(n, [n](size_t i) {
    return seen(i, 1000 * i, 2000 * (n - i), nth("agent:a", i), nth("agent:a", i + 1));
  });
}
std::string hops_without_caller(size_t n) {
  return jaeger(n, [n](size_t i) {
    return i % 2 == 0 ? seen(i, 1000 * i, 100, "user:u", "agent:a")
                      : seen(i, 1000 * (n + i), 500, "agent:a", "agent:b");
  });
}
std::string callbacks(size_t n) {
  return jaeger(n, [n](size_t i) {
    bool is_first = i % 2 == 0;
    return seen(i, 1000 * i, 2000 * (n - i), is_first ? "agent:a" : "agent:b",
                is_first ? "agent:b" : "agent:a");
  });
}
std::string callbacks_by_turns(size_t n) {
  return jaeger(n, [](size_t i) {
    bool is_first = i % 2 == 0;
    return seen(i, 10000 * (i / 2) + (is_first ? 0 : 1000), is_first ? 5000 : 1000,
                is_first ? "agent:a" : "agent:b", is_first ? "agent:b" : "agent:a");
  });
}
std::string circle_of_actors(size_t n) {
  return jaeger(n, [n](size_t i) {
    return seen(i, 1000 * i, 2000 * (n - i), nth("agent:a", i), nth("agent:a", (i + 1) % n));
  });
}
std::string principals(size_t n) {
  return jaeger(n, [n](size_t i) {
    OneSpan one = i % 2 == 0 ? seen(i, 1000 * i, 10000 * n, "user:u", "agent:a")
                             : seen(i, 1000 * i, 500, "agent:a", "agent:b");
    one.tags += "," + tag("trust.principal_id", nth("p", i));
    return one;
  });
}
std::string both_sides(size_t n) {
  return jaeger(n, [](size_t i) {
    OneSpan one = seen(i, 1000 * (i / 2), 500, "agent:a", "agent:b");
    if (i % 2 != 0) one.operation = "outbound:x";
    return one;
  });
}
std::string both_sides_at_one_time(size_t n) {
  return jaeger(n, [](size_t i) {
    OneSpan one = seen(i, 0, 500, "agent:a", "agent:b");
    if (i % 2 != 0) one.operation = "outbound:x";
    return one;
  });
}

// OpenTelemetry's words for agents.
std::string said(std::string_view key, std::string_view value) {
  return fmt::format(R"({{"key":"{}","value":{{"stringValue":"{}"}}}})", key, value);
}
std::string otlp(const OneSpan& one, std::string_view more = "") {
  constexpr size_t kEpoch = 1'790'000'000'000'000;
  std::string parent = one.parent == 0 ? "" : fmt::format("{:016x}", one.parent);
  return fmt::format(
      R"({{"resourceSpans":[{{"resource":{{"attributes":[{}]}},"scopeSpans":[{{"spans":[{{)"
      R"("traceId":"{:032x}","spanId":"{:016x}","parentSpanId":"{}","name":"{}",)"
      R"("startTimeUnixNano":"{}000","endTimeUnixNano":"{}000","attributes":[{}]{}}}]}}]}}]}})"
      "\n",
      said("service.name", one.service), one.trace, one.id, parent, one.operation,
      kEpoch + one.start, kEpoch + one.start + one.took, one.tags, more);
}
std::string invoke(std::string_view name) {
  return said("gen_ai.operation.name", "invoke_agent") + "," + said("gen_ai.agent.name", name);
}
std::string tool(std::string_view name) {
  return said("gen_ai.operation.name", "execute_tool") + "," + said("gen_ai.tool.name", name);
}
std::string chat(std::string_view model) {
  return said("gen_ai.operation.name", "chat") + "," + said("gen_ai.request.model", model);
}
std::string agent_with_tools(size_t n) {
  return lines(n, [n](size_t i) {
    return i == 0 ? otlp({1, 0, 0, 10 * n, "desk", invoke("clerk")})
                  : otlp({i + 1, 1, 10 * i, 5, "desk", tool("search")});
  });
}
std::string failing_tools(size_t n) {
  return lines(n, [n](size_t i) {
    return i == 0 ? otlp({1, 0, 0, 10 * n, "desk", invoke("clerk")})
                  : otlp({i + 1, 1, 10 * i, 5, "desk", tool("search")}, R"(,"status":{"code":2})");
  });
}
std::string nested_agents(size_t n) {
  return lines(n, [n](size_t i) {
    return otlp({i + 1, i, i, 2 * (n - i), "desk", invoke(nth("clerk", i))});
  });
}
std::string nested_agents_and_tools(size_t n) {
  return lines(n, [n](size_t i) {
    return otlp({i + 1, i, i, 2 * (n - i), "desk", i % 2 == 0 ? invoke("clerk") : tool("ask")});
  });
}
std::string chats_at_one_time(size_t n) {
  return lines(n, [](size_t i) {
    return otlp({i + 1, 0, 0, 5, "desk", chat("oak"), "chat", i + 1});
  });
}
std::string chats_in_one_chain(size_t n) {
  return lines(n, [n](size_t i) { return otlp({i + 1, i, i, 2 * (n - i), "desk", chat("oak")}); });
}
std::string events_of_one_span(size_t n) {
  std::string events;
  for (size_t i = 0; i < n; ++i)
    events +=
        fmt::format(R"({}{{"timeUnixNano":"1790000000000000000","name":"e","attributes":[{}]}})",
                    i == 0 ? "" : ",", said("k", "v"));
  return otlp({1, 0, 0, 5, "desk", chat("oak")}, R"(,"events":[)" + events + "]");
}
std::string links_of_one_span(size_t n) {
  std::string links;
  for (size_t i = 0; i < n; ++i)
    links +=
        fmt::format(R"({}{{"traceId":"{:032x}","spanId":"{:016x}"}})", i == 0 ? "" : ",", 1, i + 2);
  return otlp({1, 0, 0, 5, "desk", chat("oak")}, R"(,"links":[)" + links + "]") +
         lines(n, [](size_t i) {
           return otlp({i + 2, 0, i, 5});
         });
}
std::string log_records_of_one_span(size_t n) {
  return otlp({1, 0, 0, 5, "desk", chat("oak")}) + lines(n, [](size_t i) {
           return fmt::format(
               R"({{"resourceLogs":[{{"scopeLogs":[{{"logRecords":[{{"timeUnixNano":)"
               R"("1790000000000000000","traceId":"{:032x}","spanId":"{:016x}","eventName":)"
               R"("gen_ai.user.message","body":{{"stringValue":"q {}"}}}}]}}]}}]}})"
               "\n",
               1, 1, i);
         });
}
std::string zipkin(size_t n) {
  std::string all;
  for (size_t i = 0; i < n; ++i)
    all += fmt::format(
        R"({}{{"traceId":"1","id":"1","parentId":"2","kind":"{}","name":"get","timestamp":{},)"
        R"("duration":5,"localEndpoint":{{"serviceName":"s-{}"}}}})",
        i == 0 ? "" : ",", i % 2 == 0 ? "CLIENT" : "SERVER", 1'790'000'000'000'000 + i, i % 2);
  return "[" + all + "]\n";
}

/// A batch that begins a run again and again, and tells as often how it ended.
std::string patches_of_one(size_t n) {
  const auto runs = [n](std::string_view times) {
    return listed(n, [&](size_t) {
      return fmt::format(R"({{"id":"r","trace_id":"t","run_type":"llm","name":"x","{}":)"
                         R"("2026-02-01T00:00:00Z"}})",
                         times);
    });
  };
  return R"({"post":[)" + runs("start_time") + R"(],"patch":[)" + runs("end_time") + "]}\n";
}

/// One span that follows from all others, which follow from the first.
std::string joined_by_one(size_t n) {
  return jaeger_of_one_trace(n + 1, [n](size_t i) {
    if (i < n) return std::vector<size_t>(i > 0 ? 1 : 0, 1);
    std::vector<size_t> all(n);
    std::iota(all.begin(), all.end(), size_t{1});
    return all;
  });
}
/// Layers of two, each of which follows from both of the layer before: 2^(n/2) paths.
std::string diamonds(size_t n) {
  return jaeger_of_one_trace(n, [](size_t i) {
    const size_t layer = i / 2;
    return layer == 0 ? std::vector<size_t>{} : std::vector<size_t>{2 * layer - 1, 2 * layer};
  });
}
/// Each follows from the one behind it, and the first one closes the circle.
std::string circle_of_references(size_t n) {
  return jaeger_of_one_trace(n, [n](size_t i) { return std::vector<size_t>{(i + 1) % n + 1}; });
}

constexpr WorstCase kCases[] = {
    {"spans-children-of-one", children_of_one},
    {"spans-chain", chain},
    {"spans-chain-of-services", chain_of_services},
    {"spans-services-called-by-one", services_called_by_one},
    {"spans-one-id", one_id},
    {"spans-one-id-with-children", one_id_with_children},
    {"spans-one-id-of-halves", one_id_of_halves},
    {"spans-one-id-of-servers", one_id_of_servers},
    {"spans-one-time", one_time},
    {"spans-traces", traces},
    {"spans-missing-parent", missing_parent},
    {"spans-circle", circle},
    {"spans-joined-by-one", joined_by_one},
    {"spans-diamonds", diamonds},
    {"spans-chain-joined-to-its-begin", chain_joined_to_its_begin},
    {"spans-circle-of-references", circle_of_references},
    {"spans-operations", operations},
    {"spans-tags", tags},
    {"spans-processes", processes},
    {"spans-entities-of-one", entities_of_one_span},
    {"hops-runs", runs},
    {"hops-at-one-time", hops_at_one_time},  // its effort is bounded, and the same for any n
    {"hops-overlapping", hops_overlapping},  // its effort is bounded as well
    {"hops-nested", hops_nested},
    {"hops-without-caller", hops_without_caller},
    {"hops-callbacks", callbacks},
    {"hops-callbacks-by-turns", callbacks_by_turns},
    {"hops-circle-of-actors", circle_of_actors},
    {"hops-principals", principals},
    {"hops-both-sides", both_sides, false, 1.25},
    {"hops-both-sides-at-one-time", both_sides_at_one_time},
    {"otlp-agent-with-tools", agent_with_tools},
    {"otlp-failing-tools", failing_tools},
    {"otlp-nested-agents", nested_agents},
    {"otlp-nested-agents-and-tools", nested_agents_and_tools},
    {"otlp-chats-at-one-time", chats_at_one_time},
    {"otlp-chats-in-one-chain", chats_in_one_chain},
    {"otlp-events-of-one-span", events_of_one_span},
    {"otlp-links-of-one-span", links_of_one_span},
    {"otlp-log-records-of-one-span", log_records_of_one_span},
    {"zipkin-halves-of-one-id", zipkin},
    {"langsmith-patches-of-one", patches_of_one},
};

}  // namespace

std::span<const WorstCase> worst_spans() {
  return kCases;
}

}  // namespace xtrace
