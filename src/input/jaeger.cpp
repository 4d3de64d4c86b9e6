#include <cstdlib>
#include <utility>
#include <vector>

#include "base/address.h"
#include "input/cursor.h"
#include "input/format.h"
#include "input/reader.h"
#include "input/request_outline.h"

namespace xtrace {

// What Jaeger's API answers, and what its user interface saves; one record is one trace:
//
//   {"data": [{"traceID", "spans": [{"traceID", "spanID", "operationName", "startTime": us,
//     "duration": us, "references": [{"refType", "traceID", "spanID"}], "tags": [{"key", "value"}],
//     "processID"}], "processes": {"p1": {"serviceName"}}}]}
//
// The user interface nests whole spans in the references; nothing below a reference's own ids is
// looked at. Old exports say `parentSpanID`; some are a bare trace without `data`.

namespace {

struct Service {
  std::string_view process, name;
};

/// The words of design 004 and of OpenTelemetry, as far as they tell who called whom.
struct Tags {
  std::string_view source, target, hop_kind, run, principal, kind, route, peer, database, host;
  std::string_view query, query_trace, project;  // design 003's
  bool failed = false;
};

std::string_view unless_unknown(std::string_view name) {
  return name == "unknown" ? std::string_view{} : name;
}

bool is_set(json::element value) {
  return json::is_true(value) || json::text(value) == "true";
}

void read_trust_tag(std::string_view key, std::string_view value, Tags& tags) {
  if (key == "source" || (key == "actor" && tags.source.empty()))
    tags.source = unless_unknown(value);
  else if (key == "target")
    tags.target = unless_unknown(value);
  else if (key == "hop_kind")
    tags.hop_kind = unless_unknown(value);
  else if (key == "run_id")
    tags.run = value;
  else if (key == "principal_id")
    tags.principal = unless_unknown(value);
}

void read_tag(std::string_view key, json::element value, Tags& tags) {
  constexpr std::string_view kTrust = "trust.";
  std::string_view text = json::text(value);
  if (key.starts_with(kTrust))
    read_trust_tag(key.substr(kTrust.size()), text, tags);
  else if (key == "span.kind")
    tags.kind = text;
  else if (key == "queryId" || key == "query_id" || key == "query.id")
    tags.query = text;
  else if (key == "traceId" || key == "trace_id")
    tags.query_trace = text;
  else if (key == "projectId" || key == "project_id" || key == "project.id" ||
           key == "openinference.project.name")
    tags.project = text;
  else if (key == "error")
    tags.failed |= is_set(value);
  else if (key == "otel.status_code")
    tags.failed |= text == "ERROR";
  else if (key == "http.target" || key == "http.route" || key == "url.path" || key == "rpc.method")
    tags.route = text.substr(0, text.find('?'));
  else if (key == "peer.service")
    tags.peer = text;
  else if (key == "db.system" || key == "db.system.name")
    tags.database = text;
  else if (key == "server.address" || key == "net.peer.name")
    tags.host = text;
  else if ((key == "http.url" || key == "url.full") && tags.host.empty())
    tags.host = host_of(text);
}

Tags read_tags(json::element list) {
  Tags tags;
  json::items(list, [&](json::element tag) {
    std::string_view key;
    json::element value;
    bool has_value = false;
    json::fields(tag, [&](std::string_view name, json::element part) {
      if (name == "key") key = json::text(part);
      if (name == "value") value = part, has_value = true;
    });
    if (has_value) read_tag(key, value, tags);
  });
  return tags;
}

SpanKind kind_of(std::string_view word) {
  if (word == "client") return SpanKind::client;
  if (word == "server") return SpanKind::server;
  if (word == "producer") return SpanKind::producer;
  if (word == "consumer") return SpanKind::consumer;
  return word == "internal" ? SpanKind::internal : SpanKind::unknown;
}

/// Microseconds that nanoseconds can hold.
bool read_microseconds(json::element value, Duration& length) {
  constexpr int64_t kMost = INT64_MAX / 1000;
  int64_t us = 0;
  if (value.get_int64().get(us) || us > kMost || us < -kMost) return false;
  length = Duration(us * 1000);
  return true;
}

class TraceRecord {
 public:
  TraceRecord(std::string_view text, const Extent& at, Reader& reader)
      : text_(text), at_(at), shard_(reader.shard()) {}

  void read(json::element trace) {
    json::element spans;
    bool has_spans = false;
    json::fields(trace, [&](std::string_view key, json::element value) {
      if (key == "spans") spans = value, has_spans = true;
      if (key == "processes") read_processes(value);
    });
    if (!has_spans) return;
    find_places();
    size_t nth = 0;
    json::items(spans, [&](json::element span) { read_span(span, place_of(nth++)); });
  }

 private:
  void read_processes(json::element processes) {
    json::fields(processes, [&](std::string_view process, json::element value) {
      services_.push_back({process, json::text_at(value, "serviceName")});
    });
  }

  /// Where the spans stand in the text, which the parser does not tell.
  void find_places() {
    Cursor at(text_, 0);
    if (!at.take('{')) return;
    for (std::string_view key; at.key(key);) {
      if (key == "spans" && at.take('[')) {
        size_t open = at.at(), end = 0;
        if (!outline_items(text_.substr(open), places_, end)) places_.clear();
        for (size_t& place : places_) place += open;
        return;
      }
      if (!at.skip_value()) return;
    }
  }

  Extent place_of(size_t nth) const {
    Extent place = at_;
    if (nth >= places_.size()) return place;
    place.offset += places_[nth];
    // The last one's length takes in what follows; nobody parses it from there.
    size_t end = nth + 1 < places_.size() ? places_[nth + 1] : text_.size();
    place.length = static_cast<uint32_t>(end - places_[nth]);
    return place;
  }

  StringId service_of(std::string_view process, json::element span) {
    for (const Service& service : services_)
      if (service.process == process) return shard_.intern(service.name);
    json::element own;
    if (json::find(span, "process", own)) return shard_.intern(json::text_at(own, "serviceName"));
    return {};
  }

  void read_parents(json::element references) {
    json::items(references, [&](json::element reference) {
      SpanParent parent;
      json::fields(reference, [&](std::string_view key, json::element value) {
        if (key == "spanID") parent.span = shard_.intern(json::text(value));
        if (key == "traceID") parent.trace = shard_.intern(json::text(value));
        if (key == "refType") parent.follows = json::text(value) == "FOLLOWS_FROM";
      });
      if (parent.span) parents_.push_back(parent);
    });
  }

  void read_span(json::element record, const Extent& place) {
    if (!json::is_object(record))
      return shard_.complain(Complaint::Kind::damaged, place,
                             "not an object where a span should be");
    Span span;
    span.source = place;
    parents_.clear();
    std::string_view operation, old_parent, process;
    Tags tags;
    Duration start = kNoDuration;
    json::fields(record, [&](std::string_view key, json::element value) {
      if (key == "spanID")
        span.id = shard_.intern(json::text(value));
      else if (key == "traceID")
        span.trace = shard_.intern(json::text(value));
      else if (key == "operationName")
        operation = json::text(value);
      else if (key == "startTime")
        read_microseconds(value, start);
      else if (key == "duration")
        read_microseconds(value, span.duration);
      else if (key == "references")
        read_parents(value);
      else if (key == "parentSpanID")
        old_parent = json::text(value);
      else if (key == "tags")
        tags = read_tags(value);
      else if (key == "processID")
        process = json::text(value);
    });
    if (!span.id)
      return shard_.complain(Complaint::Kind::damaged, place, "a span without a spanID");
    if (start != kNoDuration)
      span.start = Time(start);
    else
      shard_.complain(Complaint::Kind::field, place, "a span without a usable startTime");
    if (span.duration != kNoDuration && span.duration < Duration{0}) {
      shard_.complain(Complaint::Kind::field, place, "a negative duration; read as unknown");
      span.duration = kNoDuration;
    }
    bool is_root = old_parent.find_first_not_of('0') == std::string_view::npos;
    if (parents_.empty() && !is_root)
      parents_.push_back({shard_.intern(old_parent), span.trace, false});
    span.service = service_of(process, record);
    span.operation = shard_.intern(operation);
    span.kind = kind_of(tags.kind);
    span.outcome = tags.failed ? Outcome::error : Outcome::ok;
    span.inbound = operation.starts_with("inbound:") || span.kind == SpanKind::server ||
                   span.kind == SpanKind::consumer;
    span.from = shard_.intern(tags.source);
    span.to = shard_.intern(tags.target);
    span.hop_kind = shard_.intern(tags.hop_kind);
    span.run = shard_.intern(tags.run);
    span.principal = shard_.intern(tags.principal);
    span.route = shard_.intern(tags.route);
    span.peer = shard_.intern(!tags.peer.empty()       ? tags.peer
                              : !tags.database.empty() ? tags.database
                                                       : tags.host);
    span.query = shard_.intern(tags.query.empty() ? tags.query_trace : tags.query);
    span.project = shard_.intern(tags.project);
    shard_.add(span, parents_);
  }

  std::string_view text_;
  Extent at_;
  Shard& shard_;
  std::vector<Service> services_;
  std::vector<size_t> places_;
  std::vector<SpanParent> parents_;
};

/// Where the traces below `data` stand in a record, one or a list, which the parser does not tell.
std::vector<size_t> find_traces(std::string_view text) {
  std::vector<size_t> places;
  Cursor at(text, 0);
  if (!at.take('{')) return places;
  for (std::string_view key; at.key(key);) {
    if (key == "data" && at.next() == '{') return {at.at()};
    if (key == "data" && at.take('[')) {
      size_t open = at.at(), end = 0;
      if (!outline_items(text.substr(open), places, end)) places.clear();
      for (size_t& place : places) place += open;
      return places;
    }
    if (!at.skip_value()) break;
  }
  return places;
}

bool holds_spans(json::element record) {
  json::element spans, trace;
  return json::find(record, "spans", spans) && json::is_array(spans);
}

}  // namespace

bool fits_jaeger(json::element record) {
  json::element found;
  if (holds_spans(record)) return true;
  if (!json::find(record, "data", found)) return false;
  if (json::is_object(found)) return holds_spans(found);
  bool any = false;
  json::items(found, [&](json::element trace) { any |= holds_spans(trace); });
  return any;
}

void read_jaeger(json::element record, std::string_view text, const Extent& at, Reader& reader) {
  if (holds_spans(record)) return TraceRecord(text, at, reader).read(record);
  json::element found;
  if (!json::find(record, "data", found)) return;
  // Several traces in one record: a document that stands among other records.
  std::vector<size_t> places = find_traces(text);
  size_t nth = 0;
  auto read = [&](json::element trace) {
    size_t place = nth < places.size() ? places[nth++] : text.size();
    Extent own = at;
    if (place < text.size()) own.offset += place;
    TraceRecord(text.substr(place), own, reader).read(trace);
  };
  if (json::is_object(found)) return read(found);
  json::items(found, read);
}

}  // namespace xtrace
