#include <fmt/format.h>

#include <ostream>
#include <string>
#include <string_view>

#include "base/build.h"
#include "base/json_writer.h"
#include "base/sha256.h"
#include "keep/health.h"

namespace xtrace {

namespace {

// OTLP's JSON has 64-bit integers and times as strings, and enumerators as their numbers.
constexpr int kCumulative = 2;  // AGGREGATION_TEMPORALITY_CUMULATIVE
constexpr int kInternal = 1;    // SPAN_KIND_INTERNAL
constexpr JsonLayout kTight = JsonLayout::tight();

std::string whole(int64_t number) {
  return fmt::format("{}", number);
}

std::string nanos(Time time) {
  return whole(time.time_since_epoch().count());
}

/// `write` writes the only field of its value, which determines the type.
template <class Write>
void write_attribute(JsonWriter& json, const char* key, Write write) {
  json.open_object(kTight);
  json.field("key", key);
  json.open_object("value", kTight);
  write();
  json.close();
  json.close();
}
void write_text(JsonWriter& json, const char* key, std::string_view value) {
  write_attribute(json, key, [&] { json.field("stringValue", value); });
}
void write_amount(JsonWriter& json, const char* key, int64_t value) {
  write_attribute(json, key, [&] { json.field("intValue", whole(value)); });
}
void write_length(JsonWriter& json, const char* key, Duration value) {
  write_attribute(json, key, [&] {
    json.key("doubleValue");
    json.fraction(static_cast<double>(value.count()) / 1e6);
  });
}
void write_truth(JsonWriter& json, const char* key, bool value) {
  write_attribute(json, key, [&] { json.field("boolValue", value); });
}

/// Things that are `key`, which `write` writes, inside of what says whose they are.
struct Envelope {
  const char *outer, *inner, *key;
};
template <class Write>
std::string line_of(const Envelope& envelope, Write write) {
  std::string line;
  JsonWriter json(line);
  json.open_object(kTight);
  json.open_list(envelope.outer, kTight);
  json.open_object(kTight);
  json.open_object("resource", kTight);
  json.open_list("attributes", kTight);
  write_text(json, "service.name", "xtrace");
  write_text(json, "service.version", XTRACE_VERSION);
  write_text(json, "xtrace.build", build_name());
  json.close();
  json.close();
  json.open_list(envelope.inner, kTight);
  json.open_object(kTight);
  json.open_object("scope", kTight);
  json.field("name", "xtrace");
  json.field("version", XTRACE_VERSION);
  json.close();
  json.open_list(envelope.key, kTight);
  write(json);
  for (int level = 0; level < 6; ++level) json.close();
  return line += '\n';
}

class OtlpMetrics {
 public:
  OtlpMetrics(Time began, Time now, JsonWriter& json) : began_(began), now_(now), json_(json) {}

  void add_counter(const char* name, const char* help, const char* unit, int64_t value) {
    open(name, help, unit, "sum");
    json_.field("aggregationTemporality", kCumulative);
    json_.field("isMonotonic", true);
    open_point();
    write_begin();
    write_now();
    json_.field("asInt", whole(value));
    close();
  }
  void add_gauge(const char* name, const char* help, const char* unit, int64_t value) {
    open(name, help, unit, "gauge");
    open_point();
    write_now();
    json_.field("asInt", whole(value));
    close();
  }
  void add_histogram(const char* name, const char* help, const char* unit, const Health& health) {
    open(name, help, unit, "histogram");
    json_.field("aggregationTemporality", kCumulative);
    open_point();
    write_begin();
    write_now();
    json_.field("count", whole(health.updates().count));
    json_.key("sum");
    json_.fraction(health.updates().sum);
    json_.open_list("bucketCounts", kTight);
    for (int64_t count : health.update_classes()) json_.value(whole(count));
    json_.close();
    json_.open_list("explicitBounds", kTight);
    for (int64_t bound : Health::kBounds) json_.value(bound);
    json_.close();
    close();
  }

 private:
  void open(const char* name, const char* help, const char* unit, const char* kind) {
    json_.open_object(kTight);
    json_.field("name", name);
    json_.field("description", help);
    json_.field("unit", unit);
    json_.open_object(kind, kTight);
  }
  void open_point() {
    json_.open_list("dataPoints", kTight);
    json_.open_object(kTight);
  }
  void write_begin() { json_.field("startTimeUnixNano", nanos(began_)); }
  void write_now() { json_.field("timeUnixNano", nanos(now_)); }
  /// The point, the list of it, the kind of the metric and the metric.
  void close() {
    for (int level = 0; level < 4; ++level) json_.close();
  }

  Time began_, now_;
  JsonWriter& json_;
};

void write_metrics(const Health& health, Time now, JsonWriter& json) {
  OtlpMetrics metrics(health.began(), now, json);
  metrics.add_counter("explain.node_created", "graph nodes created", "{node}",
                      health.nodes_created());
  metrics.add_counter("explain.edge_created", "graph edges created", "{edge}",
                      health.edges_created());
  metrics.add_gauge("explain.nodes_in_memory", "nodes held in memory", "{node}",
                    health.nodes_in_memory());
  metrics.add_histogram("explain.graph_update_latency", "from an event to its update", "ms",
                        health);
  metrics.add_counter("explain.pii_redactions", "replacements of secrets and personal data",
                      "{redaction}", health.redactions());
}

const char* name_of(Health::Span::Kind kind) {
  switch (kind) {
    case Health::Span::Kind::ingest: return "explain.ingest";
    case Health::Span::Kind::prune: return "explain.prune";
    case Health::Span::Kind::persist: break;
  }
  return "explain.persist_snapshot";
}

void write_attributes(const Health::Span& span, JsonWriter& json) {
  switch (span.kind) {
    case Health::Span::Kind::ingest:
      write_amount(json, "batchSize", span.amount);
      write_length(json, "ingestLatencyMs", span.time.took);
      write_truth(json, "errors", span.errors);
      break;
    case Health::Span::Kind::prune:
      write_amount(json, "nodesPrunedCount", span.amount);
      write_amount(json, "edgesPrunedCount", span.edges);
      write_length(json, "pruneLatencyMs", span.time.took);
      break;
    case Health::Span::Kind::persist:
      write_amount(json, "persistFileSizeBytes", span.amount);
      write_length(json, "persistLatencyMs", span.time.took);
      break;
  }
}

void write_span(const Health::Span& span, const std::string& trace, size_t number,
                JsonWriter& json) {
  json.open_object(kTight);
  json.field("traceId", trace);
  json.field("spanId", sha256_of(fmt::format("{} {}", trace, number)).substr(0, 16));
  json.field("name", name_of(span.kind));
  json.field("kind", kInternal);
  json.field("startTimeUnixNano", nanos(span.time.begin));
  json.field("endTimeUnixNano", nanos(after(span.time.begin, span.time.took)));
  json.open_list("attributes", kTight);
  write_attributes(span, json);
  json.close();
  json.open_object("status", kTight);
  json.close();
  json.close();
}

}  // namespace

void write_health_as_otlp(const Health& health, Time now, std::ostream& out) {
  // A run is a trace. Runs that began at one moment to the nanosecond would share it.
  const std::string trace = sha256_of("xtrace " + nanos(health.began())).substr(0, 32);
  out << line_of({"resourceMetrics", "scopeMetrics", "metrics"}, [&](JsonWriter& json) {
    write_metrics(health, now, json);
  }) << line_of({"resourceSpans", "scopeSpans", "spans"}, [&](JsonWriter& json) {
    size_t number = 0;
    for (const Health::Span& span : health.spans()) write_span(span, trace, number++, json);
  });
}

}  // namespace xtrace
