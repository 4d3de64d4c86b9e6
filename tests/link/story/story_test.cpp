#include "link/story/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "link/calls/link.h"
#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// Writes records of three sources (spans, thoughts, events), and shows what story they make.
class Sources {
 public:
  /// A span from `start` ms on.
  Sources& span(const std::string& id, const std::string& parent, int start, int length,
                const std::string& tags = "") {
    add(fmt::format(
        R"({{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{"traceId":"{}","spanId":"{}",)"
        R"("parentSpanId":"{}","name":"{}","startTimeUnixNano":"{}","endTimeUnixNano":"{}",)"
        R"("attributes":[{}]}}]}}]}}]}})",
        trace_, id, parent, name_, nanoseconds(start), nanoseconds(start + length), tags));
    return *this;
  }
  /// Of a metric, of a component or of all.
  Sources& point(const std::string& metric, int time, double value, const std::string& component) {
    add(fmt::format(
        R"({{"resourceMetrics":[{{"scopeMetrics":[{{"metrics":[{{"name":"{}","gauge":{{"dataPoints":[)"
        R"({{"timeUnixNano":"{}","asDouble":{},"attributes":[{}]}}]}}}}]}}]}}]}})",
        metric, nanoseconds(time), value, component.empty() ? "" : tag("component", component)));
    return *this;
  }
  /// An adapter's span of a call.
  Sources& call_span(const std::string& id, const std::string& parent, int start,
                     const std::string& request) {
    return span(id, parent, start, 100,
                tag("component", "model-adapter") +
                    (request.empty() ? "" : "," + tag("requestId", request)) + "," +
                    tag("model.name", "m"));
  }
  Sources& thought(const std::string& request, int start, const std::string& more = "") {
    add(fmt::format(
        R"({{"requestId":"{}","timestamp":{},"model":"m","latencyMs":90,"text":"x"{}}})", request,
        1'700'000'000'000 + start, more));
    return *this;
  }
  Sources& event(const std::string& id, const std::string& type, int start,
                 const std::string& trigger) {
    add(fmt::format(R"({{"id":"{}","type":"{}","timestamp":{},"taskId":"T","triggeredBy":"{}"}})",
                    id, type, 1'700'000'000'000 + start, trigger));
    return *this;
  }
  Sources& in_trace(const std::string& id) { return trace_ = id, *this; }
  Sources& named(const std::string& operation) { return name_ = operation, *this; }

  static std::string tag(const std::string& key, const std::string& value) {
    return fmt::format(R"({{"key":"{}","value":{{"stringValue":"{}"}}}})", key, value);
  }

  void shuffle(uint64_t seed) {
    for (size_t i = records_.size(); i > 1; --i) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      std::swap(records_[i - 1], records_[(seed >> 33) % i]);
    }
  }

  /// `r1 LLM_CALL, s2 OTHER!` in order of time; with a `!`, its partner is missing.
  std::string nodes() const {
    Graph graph = link(read(), {});
    const Story& story = *graph.story();
    std::string text;
    for (const StoryNode& node : story.nodes)
      text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", name_of(graph, node),
                          word(node.type), node.lacks_partner ? "!" : "");
    return text;
  }

  /// `01 cpuUtilization 0.9` for what metrics say, a line each.
  std::string measured() const {
    Graph graph = link(read(), {});
    const Story& story = *graph.story();
    std::string text;
    for (const StoryNode& node : story.nodes)
      for (uint32_t i = 0; i < node.measured; ++i) {
        const Remark& told = story.measured[node.first_measured + i];
        text += fmt::format("{} {} {}\n", name_of(graph, node), told.key, told.number);
      }
    return text;
  }

  /// `a->b or c` for edges that may lead from elsewhere, a line each.
  std::string rivals() const {
    Graph graph = link(read(), {});
    const Story& story = *graph.story();
    auto name = [&](uint32_t node) { return name_of(graph, story.nodes[node]); };
    std::string text;
    for (const StoryEdge& edge : story.edges)
      for (const Rival<uint32_t>& other : edge.rivals)
        text += fmt::format("{}->{} or {}\n", name(edge.from), name(edge.to), name(other.from));
    return text;
  }

  /// `a->b NEXT_STEP`, a line each, sorted.
  std::string edges() const {
    Graph graph = link(read(), {});
    const Story& story = *graph.story();
    std::vector<std::string> lines;
    for (const StoryEdge& edge : story.edges)
      lines.push_back(fmt::format("{}->{} {} {}\n", name_of(graph, story.nodes[edge.from]),
                                  name_of(graph, story.nodes[edge.to]), word(edge.relation),
                                  word(edge.rule)));
    std::sort(lines.begin(), lines.end());
    return fmt::format("{}", fmt::join(lines, ""));
  }

 private:
  void add(std::string record) { records_.push_back(std::move(record)); }
  static int64_t nanoseconds(int ms) { return (1'700'000'000'000 + ms) * 1'000'000; }
  Trace read() const { return read_log(fmt::format("{}\n", fmt::join(records_, "\n"))); }

  std::string trace_ = "0a", name_ = "work";
  std::vector<std::string> records_;
};

}  // namespace

TEST_CASE("a record and a span of one request are one node") {
  Sources of;
  of.span("01", "", 0, 500).call_span("02", "01", 10, "r1").thought("r1", 15);
  CHECK(of.nodes() == "01 OTHER, r1 LLM_CALL");
  CHECK(of.edges() == "01->r1 NEXT_STEP parent\n");
}

TEST_CASE("a record may name the span instead") {
  Sources of;
  of.span("01", "", 0, 500).call_span("02", "01", 10, "").thought("r1", 15, R"(,"spanId":"02")");
  CHECK(of.nodes() == "01 OTHER, r1 LLM_CALL");
}

TEST_CASE("a record finds the only call inside the span that it names as its parent") {
  Sources of;
  of.span("01", "", 0, 500).call_span("02", "01", 10, "");
  of.thought("r1", 15, R"(,"parentSpanId":"01")");
  CHECK(of.nodes() == "01 OTHER, r1 LLM_CALL");
}

TEST_CASE("what no id joins is joined by time where only one fits") {
  Sources one;
  one.span("01", "", 0, 500).call_span("02", "01", 10, "").thought("r1", 15);
  CHECK(one.nodes() == "01 OTHER, r1 LLM_CALL");
  Sources two;
  two.call_span("02", "", 10, "").call_span("03", "", 12, "").thought("r1", 15);
  CHECK(two.nodes() == "02 OTHER!, 03 OTHER!, r1 OTHER!");
}

TEST_CASE("what should have a partner and has none stays, and says so") {
  Sources of;
  of.call_span("01", "", 0, "r1").thought("r1", 5).call_span("02", "", 1000, "r2");
  of.thought("r3", 5000);
  CHECK(of.nodes() == "r1 LLM_CALL, 02 OTHER!, r3 OTHER!");
}

TEST_CASE("of one source alone nothing is missing") {
  CHECK(Sources().thought("r1", 0).nodes() == "r1 LLM_CALL");
  CHECK(Sources().call_span("01", "", 0, "r1").nodes() == "01 LLM_CALL");
}

TEST_CASE("checks and tests keep their type without a partner") {
  Sources of;
  of.call_span("01", "", 0, "r1").thought("r1", 5);
  of.span("02", "", 500, 10,
          Sources::tag("rule.id", "sql") + "," + Sources::tag("requestId", "r8"));
  CHECK(of.nodes() == "r1 LLM_CALL, 02 STATIC_ANALYSIS");
}

TEST_CASE("a check that names a request comes of it") {
  Sources of;
  of.call_span("01", "", 0, "r1").thought("r1", 5);
  of.span("02", "", 500, 10,
          Sources::tag("rule.id", "sql") + "," + Sources::tag("requestId", "r1"));
  CHECK(of.edges() == "r1->02 TRIGGERED request_id\n");
}

TEST_CASE("events lead back to what set them off") {
  Sources of;
  of.span("01", "", 0, 100, Sources::tag("taskId", "T"));
  of.event("e1", "ModelSwitched", 200, "01").event("e2", "CodeFixApplied", 300, "01");
  of.event("e3", "TaskRetryInitiated", 400, "e2").event("e4", "TaskEscalated", 500, "e3");
  CHECK(of.edges() ==
        "01->e1 REFLECTED trigger\n"
        "01->e2 TRIGGERED trigger\n"
        "e2->e3 REFLECTED trigger\n"
        "e3->e4 ESCALATED trigger\n");
}

TEST_CASE("a switch that names no trigger answers to the failed step that ended just before it") {
  Sources of;
  of.span("01", "", 0, 5000, Sources::tag("taskId", "T"));
  of.span("02", "01", 100, 100,
          Sources::tag("status", "ERROR") + "," + Sources::tag("taskId", "T"));
  of.span("03", "01", 300, 100, Sources::tag("status", "OK") + "," + Sources::tag("taskId", "T"));
  of.event("e1", "ModelSwitched", 500, "").event("e2", "TaskEscalated", 600, "");
  CHECK(of.edges() ==
        "01->02 NEXT_STEP parent\n"
        "01->03 NEXT_STEP parent\n"
        "02->e1 REFLECTED task_order\n"
        "e1->e2 ESCALATED task_order\n");
}

TEST_CASE("what nothing else leads to comes next in its task") {
  Sources of;
  of.span("01", "", 0, 100, Sources::tag("taskId", "T"));
  of.in_trace("0b").span("02", "", 200, 100, Sources::tag("taskId", "T"));
  of.in_trace("0c").span("03", "", 400, 100, Sources::tag("taskId", "U"));
  CHECK(of.edges() == "01->02 NEXT_STEP task_order\n");
}

TEST_CASE("the order of the records changes nothing") {
  Sources of;
  of.span("01", "", 0, 900, Sources::tag("taskId", "T")).call_span("02", "01", 10, "r1");
  of.thought("r1", 15).call_span("03", "01", 300, "r2").thought("r2", 310).thought("r9", 2000);
  of.event("e1", "ModelSwitched", 500, "r2").event("e2", "TaskRetryInitiated", 700, "e1");
  std::string nodes = of.nodes(), edges = of.edges();
  for (uint64_t seed = 1; seed < 20; ++seed) {
    of.shuffle(seed);
    CHECK(of.nodes() == nodes);
    CHECK(of.edges() == edges);
  }
}

TEST_CASE("a span says by its name what kind of step it is") {
  Sources of;
  of.named("critic.test").span("01", "", 0, 10).named("user.query").span("02", "", 100, 10);
  of.named("ensemble.voting").span("03", "", 200, 10).named("self.reflect");
  of.span("04", "", 300, 10).named("flint.run").span("05", "", 400, 10);
  CHECK(of.nodes() ==
        "01 TEST_RUN, 02 USER_QUERY, 03 REFLEXION_ACTION, 04 REFLEXION_ACTION, 05 OTHER");
}

TEST_CASE("what reasons with tokens of its own asks a model") {
  Sources of;
  of.named("reasoning.cot").span("01", "", 0, 10, Sources::tag("tokens.in", "12"));
  CHECK(of.nodes() == "01 LLM_CALL");
}

TEST_CASE("a metric tells of the steps of its component that ran at its time") {
  Sources of;
  of.span("01", "", 0, 100, Sources::tag("component", "coder-agent"));
  of.span("02", "", 10, 490, Sources::tag("component", "critic-agent"));
  of.point("queue.wait_ms", 50, 7, "coder-agent").point("queue.wait_ms", 90, 9, "coder-agent");
  of.point("gpu.utilization", 300, 0.5, "").point("queue.wait_ms", 900, 8, "critic-agent");
  CHECK(of.measured() == "01 queueWaitMs 9\n02 gpuUtilization 0.5\n");
}

namespace {

/// How many times the median each step of a task cost, where that stands out; 0 where it does not.
std::vector<double> spikes_of(const std::vector<double>& dollars) {
  std::string log;
  for (size_t i = 0; i < dollars.size(); ++i)
    log +=
        fmt::format(R"({{"requestId":"r{}","timestamp":{},"taskId":"T","text":"x","costUsd":{}}})"
                    "\n",
                    i, 1'700'000'000'000 + static_cast<int64_t>(i), dollars[i]);
  Graph graph = link(read_log(log), {});
  std::vector<double> spikes;
  for (const StoryNode& node : graph.story()->nodes) spikes.push_back(node.cost_spike);
  return spikes;
}

}  // namespace

TEST_CASE("a step that cost many times what the others of its task did stands out") {
  CHECK(spikes_of({1, 2, 1, 12}) == std::vector<double>{0, 0, 0, 12});
  CHECK(spikes_of({1, 4}) == std::vector<double>{0, 4});
  CHECK(spikes_of({1, 2, 2}) == std::vector<double>{0, 0, 0});
  CHECK(spikes_of({5}) == std::vector<double>{0});
}

TEST_CASE("a step that cost anything stands out where most others are free") {
  const double free = std::numeric_limits<double>::infinity();
  CHECK(spikes_of({0, 0, 5, 0}) == std::vector<double>{0, 0, free, 0});
  CHECK(spikes_of({0, 0, 5}) == std::vector<double>{0, 0, 0});
}

TEST_CASE("a guess at what set an event off lists what else may have") {
  Sources of;
  const std::string failed = Sources::tag("status", "ERROR") + "," + Sources::tag("taskId", "T");
  of.span("01", "", 0, 900, Sources::tag("taskId", "T")).span("02", "01", 10, 100, failed);
  of.span("03", "01", 200, 100, failed).event("e1", "ModelSwitched", 500, "");
  CHECK(of.rivals() == "03->e1 or 02\n");
}
