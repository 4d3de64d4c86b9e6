#include "input/spans/span_fields.h"

#include <algorithm>
#include <array>

namespace xtrace {

namespace {

struct FieldRow {
  std::string_view name;  ///< in small letters, without `_` and `@`
  KnownSpanField known;
};

constexpr double kMicro = 1e3, kMilli = 1e6;
/// Ranks of names that other fields of the same record may explain better.
constexpr uint8_t kWeak = 1, kWeakest = 2;

/// By name, so that they can be searched. Next to each group is a writer that is not one of
/// OpenTelemetry's libraries.
constexpr auto kFieldRows = [] {
  std::array rows = {
      FieldRow{"context", {SpanField::context}},
      FieldRow{"spancontext", {SpanField::context}},
      FieldRow{"context.spanid", {SpanField::id}},  // Phoenix
      FieldRow{"context.traceid", {SpanField::trace}},
      FieldRow{"spanid", {SpanField::id, kWeak}},
      FieldRow{"traceid", {SpanField::trace, kWeak}},
      FieldRow{"id", {SpanField::id, kWeakest}},  // of the row, where there is another one
      FieldRow{"trace.spanid", {SpanField::id}},  // Honeycomb
      FieldRow{"trace.traceid", {SpanField::trace}},
      FieldRow{"trace.parentid", {SpanField::parent}},
      FieldRow{"parentid", {SpanField::parent}},
      FieldRow{"parentspanid", {SpanField::parent}},
      FieldRow{"parent", {SpanField::parent_context}},
      FieldRow{"parentspancontext", {SpanField::parent_context}},
      FieldRow{"name", {SpanField::name}},
      FieldRow{"spanname", {SpanField::name}},  // ClickHouse, Logfire
      FieldRow{"kind", {SpanField::kind}},
      FieldRow{"spankind", {SpanField::kind}},
      FieldRow{"kindstring", {SpanField::kind}},  // SigNoz
      FieldRow{"starttime", {SpanField::start}},
      FieldRow{"starttimestamp", {SpanField::start}},           // Logfire
      FieldRow{"starttimeunixnano", {SpanField::start, 0, 1}},  // CloudWatch
      FieldRow{"timestamp", {SpanField::start, kWeak}},  // ClickHouse, Elasticsearch: `@timestamp`
      FieldRow{"endtime", {SpanField::end}},
      FieldRow{"endtimestamp", {SpanField::end}},
      FieldRow{"endtimeunixnano", {SpanField::end, 0, 1}},
      FieldRow{"start", {SpanField::start}},  // Datadog
      FieldRow{"duration", {SpanField::length}},
      FieldRow{"durationns", {SpanField::length, 0, 1}},
      FieldRow{"durationnano", {SpanField::length, 0, 1}},  // CloudWatch, SigNoz
      FieldRow{"durationnanos", {SpanField::length, 0, 1}},
      FieldRow{"durationinnanos", {SpanField::length, 0, 1}},  // Data Prepper
      FieldRow{"durationus", {SpanField::length, 0, kMicro}},
      FieldRow{"durationms", {SpanField::length, 0, kMilli}},
      FieldRow{"status", {SpanField::status}},
      FieldRow{"status.code", {SpanField::status}},  // Data Prepper
      FieldRow{"statuscode", {SpanField::status}},
      FieldRow{"otelstatuscode", {SpanField::status}},    // Logfire
      FieldRow{"statuscodestring", {SpanField::status}},  // SigNoz
      FieldRow{"tracestatus", {SpanField::status}},       // Elasticsearch
      FieldRow{"haserror", {SpanField::has_error}},       // SigNoz
      FieldRow{"statusmessage", {SpanField::failure}},
      FieldRow{"status.message", {SpanField::failure}},
      FieldRow{"statusdescription", {SpanField::failure}},
      FieldRow{"otelstatusmessage", {SpanField::failure}},
      FieldRow{"tracestatusdescription", {SpanField::failure}},
      FieldRow{"attributes", {SpanField::tags}},
      FieldRow{"spanattributes", {SpanField::tags}},    // ClickHouse
      FieldRow{"attributesstring", {SpanField::tags}},  // SigNoz, by type
      FieldRow{"attributesnumber", {SpanField::tags}},
      FieldRow{"attributesbool", {SpanField::tags}},
      FieldRow{"tags", {SpanField::tags}},
      FieldRow{"labels", {SpanField::tags}},  // Google Cloud Trace
      FieldRow{"meta", {SpanField::tags}},    // Datadog, as the next one
      FieldRow{"metrics", {SpanField::tags}},
      FieldRow{"tagmap", {SpanField::tags}},
      FieldRow{"stringtagmap", {SpanField::tags}},
      FieldRow{"numbertagmap", {SpanField::tags}},
      FieldRow{"booltagmap", {SpanField::tags}},
      FieldRow{"resource", {SpanField::resource}},
      FieldRow{"resourceattributes", {SpanField::resource}},
      FieldRow{"resourcesstring", {SpanField::resource}},
      FieldRow{"resourcetagsmap", {SpanField::resource}},
      FieldRow{"otelresourceattributes", {SpanField::resource}},
      FieldRow{"scope", {SpanField::scope}},
      FieldRow{"instrumentationscope", {SpanField::scope}},
      FieldRow{"instrumentationinfo", {SpanField::scope}},
      FieldRow{"instrumentationlibrary", {SpanField::scope}},
      FieldRow{"service", {SpanField::tag, 0, 0, "service.name"}},
      FieldRow{"servicename", {SpanField::tag, 0, 0, "service.name"}},
      FieldRow{"scopename", {SpanField::tag, 0, 0, "otel.scope.name"}},
      FieldRow{"scopeversion", {SpanField::tag, 0, 0, "otel.scope.version"}},
      FieldRow{"scope.name", {SpanField::tag, 0, 0, "otel.scope.name"}},
      FieldRow{"scope.version", {SpanField::tag, 0, 0, "otel.scope.version"}},
      FieldRow{"otelscopename", {SpanField::tag, 0, 0, "otel.scope.name"}},
      FieldRow{"otelscopeversion", {SpanField::tag, 0, 0, "otel.scope.version"}},
      FieldRow{"exceptiontype", {SpanField::tag, 0, 0, "exception.type"}},
      FieldRow{"exceptionmessage", {SpanField::tag, 0, 0, "exception.message"}},
      FieldRow{"links", {SpanField::links}},
      FieldRow{"link", {SpanField::links}},
      FieldRow{"otellinks", {SpanField::links}},
      FieldRow{"references", {SpanField::links}},
      FieldRow{"events", {SpanField::events}},
      FieldRow{"event", {SpanField::events}},
      FieldRow{"otelevents", {SpanField::events}},
      FieldRow{"links.spanid", {SpanField::link_spans}},
      FieldRow{"links.traceid", {SpanField::link_traces}},
      FieldRow{"events.name", {SpanField::event_names}},
      FieldRow{"events.attributes", {SpanField::event_tags}},
  };
  std::ranges::sort(rows, {}, &FieldRow::name);
  return rows;
}();

constexpr size_t kLongestField = 31;

/// The lengths of names by their first letter, a bit each: most keys of other records have none.
constexpr auto kFieldLengths = [] {
  std::array<uint32_t, UINT8_MAX + 1> lengths{};
  for (const FieldRow& row : kFieldRows)
    lengths[static_cast<uint8_t>(row.name[0])] |= 1U << row.name.size();
  return lengths;
}();

char lowered(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

bool begins_with(std::string_view key, std::string_view prefix) {
  return key.size() > prefix.size() &&
         std::ranges::equal(key.substr(0, prefix.size()), prefix, {}, lowered);
}

}  // namespace

KnownSpanField find_span_field(std::string_view key) {
  char room[kLongestField];
  size_t length = 0;
  for (const char c : key) {
    if (c == '_' || c == '@') continue;
    if (length == kLongestField) return {};
    room[length++] = lowered(c);
  }
  if (length == 0 || (kFieldLengths[static_cast<uint8_t>(room[0])] >> length & 1U) == 0) return {};
  const std::string_view name(room, length);
  const auto* row = std::ranges::lower_bound(kFieldRows, name, {}, &FieldRow::name);
  return row != kFieldRows.end() && row->name == name ? row->known : KnownSpanField{};
}

std::string tag_of_column(std::string_view key) {
  for (const std::string_view prefix :
       {"attributes.", "span.attributes.", "resource.attributes.", "resource."})
    if (begins_with(key, prefix)) {
      std::string name(key.substr(prefix.size()));
      std::ranges::replace(name, '@', '.');  // Data Prepper
      return name;
    }
  return {};
}

}  // namespace xtrace
