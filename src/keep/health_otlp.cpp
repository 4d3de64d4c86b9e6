#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "base/sha256.h"
#include "keep/health.h"

namespace xtrace {

namespace {

using Json = nlohmann::ordered_json;

// OTLP's JSON has 64-bit integers and times as strings, and enumerators as their numbers.
constexpr int kCumulative = 2;
constexpr int kInternal = 1;

std::string whole(int64_t number) {
  return fmt::format("{}", number);
}

std::string nanos(Time time) {
  return whole(time.time_since_epoch().count());
}

Json text_attribute(const char* key, const char* value) {
  return {{"key", key}, {"value", {{"stringValue", value}}}};
}
Json whole_attribute(const char* key, int64_t value) {
  return {{"key", key}, {"value", {{"intValue", whole(value)}}}};
}
Json length_attribute(const char* key, Duration value) {
  return {{"key", key}, {"value", {{"doubleValue", static_cast<double>(value.count()) / 1e6}}}};
}
Json truth_attribute(const char* key, bool value) {
  return {{"key", key}, {"value", {{"boolValue", value}}}};
}

/// Around `things`, which are `key`: whose they are.
Json envelope(const char* outer, const char* inner, const char* key, Json things) {
  Json scoped = {{"scope", {{"name", "xtrace"}, {"version", XTRACE_VERSION}}}};
  scoped[key] = std::move(things);
  Json ours = {
      {"resource",
       {{"attributes", Json::array({text_attribute("service.name", "xtrace"),
                                    text_attribute("service.version", XTRACE_VERSION)})}}}};
  ours[inner] = Json::array({std::move(scoped)});
  Json line = Json::object();
  line[outer] = Json::array({std::move(ours)});
  return line;
}

class OtlpMetrics {
 public:
  OtlpMetrics(Time began, Time now) : began_(began), now_(now) {}

  void add_counter(const char* name, const char* help, const char* unit, int64_t value) {
    Json point = point_since_began();
    point["asInt"] = whole(value);
    add(name, help, unit, "sum",
        {{"aggregationTemporality", kCumulative},
         {"isMonotonic", true},
         {"dataPoints", Json::array({point})}});
  }
  void add_gauge(const char* name, const char* help, const char* unit, int64_t value) {
    Json point = {{"timeUnixNano", nanos(now_)}, {"asInt", whole(value)}};
    add(name, help, unit, "gauge", {{"dataPoints", Json::array({point})}});
  }
  void add_histogram(const char* name, const char* help, const char* unit, const Health& health) {
    Json counts = Json::array(), bounds = Json::array();
    for (int64_t count : health.update_classes()) counts.push_back(whole(count));
    for (int64_t bound : Health::kBounds) bounds.push_back(bound);
    Json point = point_since_began();
    point["count"] = whole(health.updates().count);
    point["sum"] = health.updates().sum;
    point["bucketCounts"] = std::move(counts);
    point["explicitBounds"] = std::move(bounds);
    add(name, help, unit, "histogram",
        {{"aggregationTemporality", kCumulative}, {"dataPoints", Json::array({point})}});
  }
  Json take() { return std::move(list_); }

 private:
  Json point_since_began() const {
    return {{"startTimeUnixNano", nanos(began_)}, {"timeUnixNano", nanos(now_)}};
  }
  void add(const char* name, const char* help, const char* unit, const char* kind, Json data) {
    Json metric = {{"name", name}, {"description", help}, {"unit", unit}};
    metric[kind] = std::move(data);
    list_.push_back(std::move(metric));
  }

  Time began_, now_;
  Json list_ = Json::array();
};

Json metrics_of(const Health& health, Time now) {
  OtlpMetrics metrics(health.began(), now);
  metrics.add_counter("explain.node_created", "nodes of graphs that were made", "{node}",
                      health.nodes_created());
  metrics.add_counter("explain.edge_created", "edges of graphs that were made", "{edge}",
                      health.edges_created());
  metrics.add_gauge("explain.nodes_in_memory", "nodes that are held in memory", "{node}",
                    health.nodes_in_memory());
  metrics.add_histogram("explain.graph_update_latency",
                        "from an event to the update that tells of it", "ms", health);
  metrics.add_counter("explain.pii_redactions", "replacements of secrets and personal data",
                      "{redaction}", health.redactions());
  return metrics.take();
}

Json span_of(const Health::Span& span, const std::string& trace, size_t number) {
  Json attributes;
  const char* name = "";
  switch (span.kind) {
    case Health::Span::Kind::ingest:
      name = "explain.ingest";
      attributes = {whole_attribute("batchSize", span.amount),
                    length_attribute("ingestLatencyMs", span.time.took),
                    truth_attribute("errors", span.errors)};
      break;
    case Health::Span::Kind::prune:
      name = "explain.prune";
      attributes = {whole_attribute("nodesPrunedCount", span.amount),
                    whole_attribute("edgesPrunedCount", span.edges),
                    length_attribute("pruneLatencyMs", span.time.took)};
      break;
    case Health::Span::Kind::persist:
      name = "explain.persist_snapshot";
      attributes = {whole_attribute("persistFileSizeBytes", span.amount),
                    length_attribute("persistLatencyMs", span.time.took)};
      break;
  }
  return {{"traceId", trace},
          {"spanId", sha256_of(fmt::format("{} {}", trace, number)).substr(0, 16)},
          {"name", name},
          {"kind", kInternal},
          {"startTimeUnixNano", nanos(span.time.begin)},
          {"endTimeUnixNano", nanos(after(span.time.begin, span.time.took))},
          {"attributes", std::move(attributes)},
          {"status", Json::object()}};
}

}  // namespace

void write_health_as_otlp(const Health& health, Time now, std::ostream& out) {
  // A run is a trace. Runs that began at one moment to the nanosecond would share it.
  const std::string trace = sha256_of("xtrace " + nanos(health.began())).substr(0, 32);
  Json spans = Json::array();
  for (const Health::Span& span : health.spans())
    spans.push_back(span_of(span, trace, spans.size()));
  out << envelope("resourceMetrics", "scopeMetrics", "metrics", metrics_of(health, now)).dump()
      << '\n'
      << envelope("resourceSpans", "scopeSpans", "spans", std::move(spans)).dump() << '\n';
}

}  // namespace xtrace
