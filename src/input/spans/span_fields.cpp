#include "input/spans/span_fields.h"

#include <algorithm>
#include <array>
#include <span>

#include "input/spans/tag_words.h"

namespace xtrace {

namespace {

constexpr double kMicro = 1e3, kMilli = 1e6;
/// Ranks of names that other fields of the same record may explain better.
constexpr uint8_t kWeak = 1, kWeakest = 2;

/// Names of a field, `|` between them, in small letters, without `_` and `@`.
struct FieldNames {
  std::string_view names;
  KnownSpanField known;
};

/// Next to a row are writers that are not among OpenTelemetry's libraries.
constexpr FieldNames kFieldNames[] = {
    {"context|spancontext", {SpanField::context}},
    {"context.spanid|trace.spanid", {SpanField::id}},       // Phoenix, Honeycomb
    {"context.traceid|trace.traceid", {SpanField::trace}},  // likewise
    {"spanid", {SpanField::id, kWeak}},
    {"traceid", {SpanField::trace, kWeak}},
    {"id", {SpanField::id, kWeakest}},  // of the row, where there is another one
    {"parentid|parentspanid|trace.parentid", {SpanField::parent}},
    {"parent|parentspancontext", {SpanField::parent_context}},
    {"name|spanname", {SpanField::name}},                    // ClickHouse, Logfire
    {"kind|spankind|kindstring", {SpanField::kind}},         // SigNoz
    {"starttime|starttimestamp|start", {SpanField::start}},  // Logfire, Datadog
    {"starttimeunixnano", {SpanField::start, 0, 1}},         // CloudWatch
    {"timestamp", {SpanField::start, kWeak}},  // ClickHouse, Elasticsearch: `@timestamp`
    {"endtime|endtimestamp", {SpanField::end}},
    {"endtimeunixnano", {SpanField::end, 0, 1}},
    {"duration", {SpanField::length}},
    {"durationns|durationnano|durationnanos|durationinnanos",  // CloudWatch, SigNoz, Data Prepper
     {SpanField::length, 0, 1}},
    {"durationus", {SpanField::length, 0, kMicro}},
    {"durationms", {SpanField::length, 0, kMilli}},
    // Data Prepper, Logfire, SigNoz, Elasticsearch:
    {"status|statuscode|status.code|otelstatuscode|statuscodestring|tracestatus",
     {SpanField::status}},
    {"haserror", {SpanField::has_error}},  // SigNoz
    {"statusmessage|statusdescription|status.message|otelstatusmessage|tracestatusdescription",
     {SpanField::failure}},
    // ClickHouse, SigNoz by type, Google Cloud Trace, Datadog:
    {"attributes|tags|spanattributes|attributesstring|attributesnumber|attributesbool|tagmap|"
     "stringtagmap|numbertagmap|booltagmap|labels|meta|metrics",
     {SpanField::tags}},
    {"resource|resourceattributes|resourcesstring|resourcetagsmap|otelresourceattributes",
     {SpanField::resource}},
    {"scope|instrumentationscope|instrumentationinfo|instrumentationlibrary", {SpanField::scope}},
    {"service|servicename", {SpanField::tag, 0, 0, "service.name"}},
    {"scopename|scope.name|otelscopename", {SpanField::tag, 0, 0, "otel.scope.name"}},
    {"scopeversion|scope.version|otelscopeversion", {SpanField::tag, 0, 0, "otel.scope.version"}},
    {"exceptiontype", {SpanField::tag, 0, 0, "exception.type"}},
    {"exceptionmessage", {SpanField::tag, 0, 0, "exception.message"}},
    {"links|link|otellinks|references", {SpanField::links}},
    {"events|event|otelevents", {SpanField::events}},
    {"links.spanid", {SpanField::link_spans}},
    {"links.traceid", {SpanField::link_traces}},
    {"events.name", {SpanField::event_names}},
    {"events.attributes", {SpanField::event_tags}},
};

struct FieldRow {
  std::string_view name;
  KnownSpanField known;
};

/// By name, so that they can be searched.
constexpr auto kFieldRows = [] {
  std::array<FieldRow, count_names(kFieldNames)> rows;
  size_t count = 0;
  for (const FieldNames& field : kFieldNames)
    each_name(field.names, [&](std::string_view name, uint8_t) {
      rows[count++] = {name, field.known};
    });
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
  const std::span<const FieldRow> rows = kFieldRows;
  const auto row = std::ranges::lower_bound(rows, name, {}, &FieldRow::name);
  return row != rows.end() && row->name == name ? row->known : KnownSpanField{};
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
