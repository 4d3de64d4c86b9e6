#include "input/spans/otlp_keys.h"

namespace xtrace {

namespace {

constexpr std::string_view kKeys[] = {"resourceSpans",
                                      "scopeSpans",
                                      "instrumentationLibrarySpans",
                                      "resourceLogs",
                                      "scopeLogs",
                                      "instrumentationLibraryLogs",
                                      "resourceMetrics",
                                      "scopeMetrics",
                                      "instrumentationLibraryMetrics",
                                      "instrumentationLibrary",
                                      "logRecords",
                                      "dataPoints",
                                      "spanId",
                                      "traceId",
                                      "parentSpanId",
                                      "startTimeUnixNano",
                                      "endTimeUnixNano",
                                      "timeUnixNano",
                                      "observedTimeUnixNano",
                                      "eventName"};

/// `resource_spans` of `resourceSpans`
bool is_spelled_out(std::string_view key, std::string_view camel) {
  size_t at = 0;
  for (char c : camel) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_capital && (at == key.size() || key[at++] != '_')) return false;
    if (at == key.size() || key[at++] != (is_capital ? c - 'A' + 'a' : c)) return false;
  }
  return at == key.size();
}

}  // namespace

std::string_view otlp_key(std::string_view key) {
  if (key.find('_') == std::string_view::npos) return key;
  for (std::string_view known : kKeys)
    if (is_spelled_out(key, known)) return known;
  return key;
}

}  // namespace xtrace
